import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/**
 * The name of the package that the running program belongs to, and a colon, so that two applications share nothing in
 * Redis. `capix:` where no package.json above the program has a name.
 */
export function readApplicationPrefix(): string {
  return `${findPackageName(findProgramFolder()) ?? 'capix'}:`;
}

/** A program in node_modules, such as the command of a framework, runs the application of the working directory. */
function findProgramFolder(): string {
  try {
    const program = realpathSync(process.argv[1] ?? '');
    if (!program.includes(`${sep}node_modules${sep}`)) return dirname(program);
  } catch {
    // Without a file there is the working directory.
  }
  return process.cwd();
}

/** A package.json without a name, such as one in `dist` that says only the type of modules, is passed by. */
function findPackageName(folder: string): string | undefined {
  const name = readName(join(folder, 'package.json'));
  const above = dirname(folder);
  return name !== undefined || above === folder ? name : findPackageName(above);
}

function readName(file: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: unknown };
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
