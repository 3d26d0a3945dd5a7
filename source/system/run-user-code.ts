import { writeSync } from 'node:fs';
import { toCliErrorText } from '../cli/errors/cli-error-text.ts';
import { toJsonFailure } from '../cli/json-output.ts';
import { divertStdout } from '../patches/divert-stdout.ts';
import { asksForJson } from '../terminal/asks-for-json.ts';
import { writeToStdoutAtOnce } from '../terminal/stdout/keep-stdout.ts';
import { interruptExitCode } from '../terminal/terminal.ts';

/**
 * Runs code of the user's project in this process. What it prints goes to stderr, since stdout belongs to the command;
 * where it ends the process, or waits for something that never comes, the exit code is 1 and stderr says so, or with
 * `--json` the document on stdout.
 *
 * @throws what the code throws meanwhile outside of `use` too: in a timer, or as a rejection that nothing handles
 */
export async function runUserCode<T>(use: () => Promise<T>, phase: 'load' | 'call' = 'load'): Promise<T> {
  const reportExit = (exitCode: number): void => {
    // It was the user who ended it.
    if (interruptExitCode() === undefined) report(`ended the process with exit code ${exitCode}`, phase);
  };
  // Nothing is left that could settle what the code awaits. Ends the process here, before Node warns in its own words.
  let isLastTurn = false;
  const reportWait = (): void => {
    // Another listener may have found something to wait for. Then this is not emitted again before that is over.
    if (!isLastTurn) {
      isLastTurn = true;
      setImmediate(() => {});
      return;
    }
    process.off('exit', reportExit);
    report('waits for something that never comes', phase);
    process.exit();
  };
  const release = divertStdout();
  let fail: (thrown: unknown) => void = () => {};
  const uncaught = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Before stdout is closed, where that is done last.
  process.prependListener('exit', reportExit).on('beforeExit', reportWait).on('uncaughtException', fail);
  try {
    return await Promise.race([use(), uncaught]);
  } finally {
    release();
    process.off('exit', reportExit).off('beforeExit', reportWait).off('uncaughtException', fail);
  }
}

/** Makes the stacks of code imported from now on name its source files, where it has source maps. */
export function mapStacks(): void {
  process.setSourceMapsEnabled(true);
}

/** Runs code of the user's project that does not wait. What it prints goes to stderr. */
export function runUserCodeAtOnce<T>(use: () => T): T {
  const release = divertStdout();
  try {
    return use();
  } finally {
    release();
  }
}

/** Says at once, since the process ends with this turn, what the project's code did: `'ended the process'`. */
function report(reason: string, phase: 'load' | 'call'): void {
  const text = toCliErrorText('ProjectEnded', { reason, phase: phase === 'load' ? 'loaded' : 'called' });
  const { code, message, hint } = phase === 'load' ? text : { ...text, hint: 'Throw an error in place of it.' };
  if (asksForJson(process.argv)) writeToStdoutAtOnce(toJsonFailure({ code, message, hint }));
  else writeSync(STDERR, `error: ${message}\n${hint}\n`);
  process.exitCode = 1;
}

const STDERR = 2;
