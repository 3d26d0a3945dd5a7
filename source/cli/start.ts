import { optimizeLate } from '../terminal/engine/optimize-late.ts';
import { keepStdout, STDOUT_VARIABLE } from '../terminal/stdout/keep-stdout.ts';
import { findCommand, ownsStdout } from './find-command.ts';
import { runCli } from './run-cli.ts';

/** Runs the command that `argv` names, and ends the process. */
export async function start(argv: readonly string[]): Promise<void> {
  if (ownsStdout(argv) && !keepStdout()) {
    const { copyToDescriptor } = await import('../terminal/stdout/copy-to-descriptor.ts');
    if (!keepStdout(copyToDescriptor)) {
      const { runApart } = await import('../terminal/stdout/run-apart.ts');
      return runApart(argv, STDOUT_VARIABLE);
    }
  }
  if (!serving.has(argv[findCommand(argv)] ?? '')) optimizeLate();
  await runCli(argv, import.meta);
}

/** Commands that run code of the project for as long as they are left running. */
const serving: ReadonlySet<string> = new Set(['mcp', 'start']);
