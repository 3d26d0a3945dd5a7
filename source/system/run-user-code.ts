import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { toCliErrorText } from '../cli/cli-error.ts';
import { asksForJson, toJsonFailure } from '../cli/json-output.ts';
import { divertStdout } from '../patches/divert-stdout.ts';
import { writeToStdoutAtOnce } from '../terminal/keep-stdout.ts';
import { interruptExitCode } from '../terminal/terminal.ts';

/**
 * Runs code of the project in this process. What it prints goes to stderr. Where it ends the process, or waits for
 * something that never comes, the exit code is 1 and stderr says so, or with `--json` the document on stdout.
 * @throws also what the code throws in a timer, or as a rejection that nothing handles
 */
export async function runUserCode<T>(
  use: () => Promise<T>,
  phase: 'load' | 'call' = 'load',
): Promise<T> {
  const reportExit = (exitCode: number): void => {
    // The user ended it.
    if (interruptExitCode() === undefined) report(exitCode, phase);
  };
  const release = divertStdout();
  let fail: (thrown: unknown) => void = () => {};
  const uncaught = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Before stdout is closed, where that is done last.
  process.prependListener('exit', reportExit).on('uncaughtException', fail);
  try {
    return await Promise.race([use(), uncaught]);
  } finally {
    release();
    process.off('exit', reportExit).off('uncaughtException', fail);
  }
}

/** Makes the stacks of code imported from now on name its source files, where it has source maps. */
export function mapStacks(): void {
  process.setSourceMapsEnabled(true);
}

/** Says at once, since the process ends with this turn, what the project's code did. */
function report(exitCode: number, phase: 'load' | 'call'): void {
  const ended = 'ended the process';
  const reason =
    exitCode === 0
      ? `${ended}, or waits for something that never comes,`
      : `${ended} with exit code ${exitCode}`;
  const text = toCliErrorText('ProjectEnded', {
    reason,
    phase: phase === 'load' ? 'loaded' : 'called',
  });
  const { code, message, hint } =
    phase === 'load' ? text : { ...text, hint: 'Throw an error in place of it.' };
  if (asksForJson(process.argv))
    writeToStdoutAtOnce(toJsonFailure({ code, message, hint }, process.argv));
  else writeSync(STDERR, `error: ${message}\n${hint}\n`);
  process.exitCode = 1;
}

const STDERR = 2;

const DEFAULT_SECONDS = 30;
/** The most that a timer can hold. */
const MAX_SECONDS = 2_000_000;

/** Code was still waiting for something when its time to load was over: `was not done after 30 seconds`. */
export class LoadTimeoutError extends Error {}

/**
 * Imports a module (absolute path), which may wait for 30 seconds, or those of `CAPIX_LOAD_TIMEOUT`; under a debugger,
 * for ever.
 * @throws LoadTimeoutError; what the module throws
 */
export async function importWithin(file: string): Promise<unknown> {
  const { href } = pathToFileURL(file);
  if (/--inspect/.test(`${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`))
    return import(href);
  const limitMs = findLoadLimitMs();
  const timeout = wait(limitMs, undefined, { ref: false }).then(() => {
    throw new LoadTimeoutError(`was not done after ${limitMs / 1000} seconds`);
  });
  return Promise.race([import(href), timeout]);
}

/** The time that code has to load, milliseconds; a value of the variable that is not a positive number is ignored. */
export function findLoadLimitMs(): number {
  const seconds = Number(process.env['CAPIX_LOAD_TIMEOUT']);
  return (seconds > 0 && seconds < MAX_SECONDS ? seconds : DEFAULT_SECONDS) * 1000;
}
