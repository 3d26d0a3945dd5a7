import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageInfo } from '../package-info.ts';
import { enableCompileCache } from './enable-compile-cache.ts';

export interface Launch {
  readonly argv: readonly string[];
  readonly workingDirectory: string;
  readonly ownCli: string;
  readonly writeOut: (text: string) => void;
}

/** Hands over to the copy of capix that the project has, tells the version, or starts the command. */
export function launch({ argv, workingDirectory, ownCli, writeOut }: Launch): void {
  const projectCli = findProjectCli(workingDirectory, ownCli);
  if (projectCli !== undefined) createRequire(ownCli)(projectCli);
  else if (['-v', '--version'].includes(argv[2] ?? '')) writeOut(`${packageInfo.version}\n`);
  else {
    enableCompileCache();
    void import('./run-cli.ts').then(({ runCli }) => runCli(argv));
  }
}

/**
 * The entry of the copy of capix that the project in `workingDirectory` has installed; undefined where that is this
 * one.
 */
function findProjectCli(workingDirectory: string, ownCli: string): string | undefined {
  try {
    const { resolve } = createRequire(join(workingDirectory, 'package.json'));
    const projectCli = realpathSync(
      resolve('capix/package.json').replace(/package\.json$/, 'dist/cli.cjs'),
    );
    return projectCli === realpathSync(ownCli) ? undefined : projectCli;
  } catch {
    return undefined; // Not installed there, or installed without its build.
  }
}
