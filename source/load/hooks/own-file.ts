import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../package-root.ts';

/** The copies of git refs lie in a `node_modules`, to find packages there. */
const PACKAGE = /[\\/]node_modules[\\/](?!\.capix[\\/])/;
const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Whether a file (absolute path) is one of a package that is installed. */
export function isOfPackage(file: string): boolean {
  return PACKAGE.test(file);
}

/** Whether a file is compiled before it runs, by its name. */
export function isCompiled(file: string): boolean {
  return TYPESCRIPT.test(file) || file.endsWith('.jsx');
}

let toolFolder: string | undefined;

/** The absolute path of a URL where it is the project's own: not of a package without TypeScript, or the tool. */
export function toOwnFile(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  toolFolder ??= join(packageRoot(), 'dist');
  const file = fileURLToPath(url);
  return (PACKAGE.test(file) && !TYPESCRIPT.test(file)) || file.startsWith(toolFolder) ? undefined : file;
}

const isModuleIn = new Map<string, boolean>();

/** Reads each package.json anew. */
export function forgetPackages(): void {
  isModuleIn.clear();
}

/** Whether the nearest package.json makes modules of the files of a folder. */
export function isOfModules(folder: string): boolean {
  const known = isModuleIn.get(folder);
  if (known !== undefined) return known;
  const found = readPackage(folder);
  const isModule = found ? found.type === 'module' : dirname(folder) !== folder && isOfModules(dirname(folder));
  isModuleIn.set(folder, isModule);
  return isModule;
}

/** The package.json of a folder, where it has one that can be read. */
export function readPackage(folder: string): { readonly main?: unknown; readonly type?: unknown } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
  } catch {
    return undefined;
  }
}
