import { keepStdout, STDOUT_VARIABLE } from '../terminal/keep-stdout.ts';
import { ownsStdout } from './find-command.ts';
import { runCli } from './run-cli.ts';

export async function start(argv: readonly string[]): Promise<void> {
  if (ownsStdout(argv) && !keepStdout()) {
    const { runApart } = await import('../terminal/run-apart.ts');
    return runApart(argv, STDOUT_VARIABLE);
  }
  await runCli(argv, import.meta);
}
