import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';

const SIGNAL_EXIT = 128;

/**
 * Runs this command in another process, with stderr as descriptor 1 and stdout as 3, and ends as that does. It costs 50
 * to 80 ms of CPU.
 */
export function runApart(argv: readonly string[], variable: string): Promise<never> {
  const [, ...words] = argv;
  // Without the dashes Node 20 takes an `--env-file` of the command for its own.
  const child = spawn(process.execPath, [...process.execArgv, '--', ...words], {
    stdio: [0, 2, 2, 1],
    env: { ...process.env, [variable]: '3' },
  });
  // Ctrl-C in a terminal reaches both; other signals are sent to this process alone, and so is SIGINT by a program.
  const isInTerminal = isatty(0) || isatty(2);
  process.on('SIGINT', () => void (isInTerminal || child.kill('SIGINT')));
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void child.kill(signal));
  return new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => process.exit(code ?? SIGNAL_EXIT + constants.signals[signal ?? 'SIGKILL']));
  });
}
