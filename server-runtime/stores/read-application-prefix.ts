import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** The name of the running program's package, and a colon, so that two applications share nothing in Redis. */
export function readApplicationPrefix(folder: string = findProgramFolder()): string {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly name?: unknown;
    };
    if (typeof name === 'string' && name !== '') return `${name}:`;
  } catch {
    // Most folders have none. One in `dist` may say only the type of modules.
  }
  return folder === dirname(folder) ? 'capix:' : readApplicationPrefix(dirname(folder));
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
