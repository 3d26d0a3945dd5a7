import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * The absolute path of the entry of the copy of capix that the project in `workingDirectory` has installed; undefined where it has none or where that
 * is ours, of which `ownCli` is the entry. A global `capix` hands over to it, so that the tool and the library of a project are one version. It is
 * to be required: to import a CommonJS module, Node 20 sets up a reader of the names that such a module exports.
 */
export function findProjectCli(workingDirectory: string, ownCli: string): string | undefined {
  try {
    const { resolve } = createRequire(join(workingDirectory, 'package.json'));
    const projectCli = realpathSync(resolve('capix/package.json').replace(/package\.json$/, 'dist/cli.cjs'));
    return projectCli === realpathSync(ownCli) ? undefined : projectCli;
  } catch {
    return undefined; // Not installed there, or installed without its build.
  }
}
