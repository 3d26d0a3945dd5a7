import { join } from 'node:path';
import { packageInfo } from '../package-info.ts';
import { packageRoot } from '../package-root.ts';
import { keepStdout, STDOUT_VARIABLE } from '../terminal/stdout/keep-stdout.ts';
import { terminal } from '../terminal/terminal.ts';
import { enableCompileCache } from './enable-compile-cache.ts';
import { findProjectCli } from './find-project-cli.ts';
import { toStdoutNeed } from './to-stdout-need.ts';

/** Runs the command that `argv` names, in the copy of capix that the project in the working directory has, and ends the process. */
export async function start(argv: readonly string[]): Promise<void> {
  const projectCli = findProjectCli(terminal.workingDirectory(), join(packageRoot(), 'dist', 'cli.js'));
  if (projectCli !== undefined) {
    await import(projectCli);
  } else if (['-v', '--version'].includes(argv[2] ?? '')) {
    terminal.writeOut(`${packageInfo.version}\n`);
  } else {
    const need = toStdoutNeed(argv);
    if (need !== undefined && !keepStdout() && need === 'data') {
      const { runApart } = await import('../terminal/stdout/run-apart.ts');
      return runApart(argv, STDOUT_VARIABLE);
    }
    enableCompileCache();
    const { runCli } = await import('./run-cli.ts');
    await runCli(argv, import.meta);
  }
}
