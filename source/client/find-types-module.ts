import { existsSync } from 'node:fs';
import { dirname, isAbsolute, posix, relative, resolve } from 'node:path';

/** The module whose types a written client takes, as it imports it; undefined where it stands alone. */
export function findTypesModule(client: string): string | undefined {
  return /^import type \* as source from '(.+)';$/m.exec(client)?.[1];
}

/** The option by which a command writes a client of this path again; empty where it stands alone. A module that is a file is named from the folder of the command. */
export function toTypesWords(file: string, module: string | undefined): readonly string[] {
  if (module === undefined) return [];
  const folder = posix.dirname(file.replaceAll('\\', '/'));
  return ['--types-from', module.startsWith('.') ? `./${posix.join(folder, module)}` : module];
}

/** The lines by which a client takes the types of a module; empty where it stands alone. */
export function toTypeImports(module: string | undefined): string {
  return module === undefined
    ? ''
    : `\nimport type { ResultAt } from 'capix/client';\nimport type * as source from '${module}';\n`;
}

/** The specifier by which a file imports another: `./client.js`. */
export function toSpecifier(from: string, to: string): string {
  const path = relative(dirname(resolve(from)), resolve(to))
    .replaceAll('\\', '/')
    .replace(/\.([cm]?)ts$/, '.$1js');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Whether a module is a file, and not the name of a package: `./src/capabilities.ts`, or a path where there is a file. */
export function isFileModule(module: string): boolean {
  return /^\.{1,2}[/\\]/.test(module) || isAbsolute(module) || existsSync(resolve(module));
}
