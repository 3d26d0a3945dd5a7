import { writeSync } from 'node:fs';

/**
 * Runs code of the user's project in this process. What it prints goes to stderr, since stdout belongs to the command; where it ends the
 * process, or waits for something that never comes, the exit code is 1 and stderr says so.
 */
export async function runUserCode<T>(use: () => Promise<T>): Promise<T> {
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

function reportEarlyExit(exitCode: number): void {
  const reason =
    process.exitCode === UNSETTLED
      ? 'waits for something that never comes'
      : `ended the process with exit code ${exitCode}`;
  writeSync(
    2,
    `error: The project's code ${reason} while it was loaded.\nKeep such code out of what declares capabilities.\n`,
  );
  process.exitCode = 1;
}
