import { writeSync } from 'node:fs';

/**
 * Runs code of the user's project in this process. What it prints goes to stderr, since stdout belongs to the command; where it ends the
 * process, or waits for something that never comes, the exit code is 1 and stderr says so.
 */
export async function runUserCode<T>(use: () => Promise<T>, phase: 'load' | 'call' = 'load'): Promise<T> {
  const reportEarlyExit = (exitCode: number): void => reportExit(exitCode, phase);
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = ((...args: Parameters<typeof stderr.write>) => stderr.write(...args)) as typeof write;
  process.on('exit', reportEarlyExit);
  try {
    return await use();
  } finally {
    stdout.write = write;
    process.off('exit', reportEarlyExit);
  }
}

/** What Node ends with when nothing is left that could settle a top-level `await`. */
const UNSETTLED = 13;

function reportExit(exitCode: number, phase: 'load' | 'call'): void {
  const reason =
    process.exitCode === UNSETTLED
      ? 'waits for something that never comes'
      : `ended the process with exit code ${exitCode}`;
  const when = {
    load: 'while it was loaded.\nKeep such code out of what declares capabilities.',
    call: 'while it was called.\nThrow an error in place of it.',
  };
  writeSync(2, `error: The project's code ${reason} ${when[phase]}\n`);
  process.exitCode = 1;
}
