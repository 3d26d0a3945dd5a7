import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** The name of the running program's package, and a colon, so that two applications share nothing in Redis. */
export function readApplicationPrefix(): string {
  for (let folder = findProgramFolder(); ; folder = dirname(folder)) {
    const name = readPackageName(folder);
    if (name !== undefined || folder === dirname(folder)) return `${name ?? 'capix'}:`;
  }
}

/** A program in node_modules, such as the command of a framework, runs the application of the working directory. */
function findProgramFolder(): string {
  try {
    const program = realpathSync(process.argv[1] ?? '');
    return program.includes(`${sep}node_modules${sep}`) ? process.cwd() : dirname(program);
  } catch {
    return process.cwd();
  }
}

/** Undefined where there is no package.json, or one in `dist` that says only the type of modules. */
function readPackageName(folder: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly name?: unknown };
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
