import { writeSync } from 'node:fs';

/**
 * Runs code of the user's project in this process. What it prints goes to stderr, since stdout belongs to the command; where it ends the
 * process, or waits for something that never comes, the exit code is 1 and stderr says so.
 *
 * @throws what the code throws meanwhile outside of `use` too: in a timer, or as a rejection that nothing handles
 */
export async function runUserCode<T>(use: () => Promise<T>, phase: 'load' | 'call' = 'load'): Promise<T> {
  const { stdout, stderr } = process;
  const write = stdout.write;
  const reportExit = (exitCode: number): void => report(`ended the process with exit code ${exitCode}`, phase);
  // Nothing is left that could settle what the code awaits. Ends the process here, before Node warns in its own words.
  const reportWait = (): void => {
    process.off('exit', reportExit);
    report('waits for something that never comes', phase);
    process.exit();
  };
  stdout.write = ((...args: Parameters<typeof stderr.write>) => stderr.write(...args)) as typeof write;
  let fail: (thrown: unknown) => void = () => {};
  const uncaught = new Promise<never>((_, reject) => {
    fail = reject;
  });
  process.on('exit', reportExit).on('beforeExit', reportWait).on('uncaughtException', fail);
  try {
    return await Promise.race([use(), uncaught]);
  } finally {
    stdout.write = write;
    process.off('exit', reportExit).off('beforeExit', reportWait).off('uncaughtException', fail);
  }
}

function report(reason: string, phase: 'load' | 'call'): void {
  writeSync(2, `error: The project's code ${reason} ${advice[phase]}\n`);
  process.exitCode = 1;
}

const advice = {
  load: 'while it was loaded.\nKeep such code out of what declares capabilities.',
  call: 'while it was called.\nThrow an error in place of it.',
} as const;
