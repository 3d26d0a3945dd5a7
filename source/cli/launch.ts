import { createRequire } from 'node:module';
import { packageInfo } from '../package-info.ts';
import { enableCompileCache } from './enable-compile-cache.ts';
import { findProjectCli } from './find-project-cli.ts';

export interface Launch {
  readonly argv: readonly string[];
  readonly workingDirectory: string;
  /** Absolute path of the file that runs. */
  readonly ownCli: string;
  readonly writeOut: (text: string) => void;
}

/**
 * Does what needs next to nothing of the tool: hands over to the copy of capix that the project in the working directory has, tells the version, or
 * starts the command.
 */
export function launch({ argv, workingDirectory, ownCli, writeOut }: Launch): void {
  const projectCli = findProjectCli(workingDirectory, ownCli);
  if (projectCli !== undefined) createRequire(ownCli)(projectCli);
  else if (['-v', '--version'].includes(argv[2] ?? '')) writeOut(`${packageInfo.version}\n`);
  else {
    enableCompileCache();
    void import('./start.ts').then(({ start }) => start(argv));
  }
}
