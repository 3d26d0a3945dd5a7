import { pathToFileURL } from 'node:url';

const DEFAULT_SECONDS = 30;
/** The most that a timer can hold. */
const MAX_SECONDS = 2_000_000;

/** Code was still waiting for something when its time to load was over. */
export class LoadTimeoutError extends Error {
  /** `was not done after 30 seconds` */
  readonly reason: string;
  constructor(limitMs: number) {
    const reason = `was not done after ${limitMs === 1000 ? '1 second' : `${limitMs / 1000} seconds`}`;
    super(`The code ${reason}.`);
    this.reason = reason;
    this.stack = '';
  }
}

/**
 * Imports a module that may wait for 30 seconds, or those of `CAPIX_LOAD_TIMEOUT`, and gives its namespace. Code that
 * computes without an end is not interrupted.
 *
 * @param file absolute path
 * @throws LoadTimeoutError; what the module throws
 */
export async function importWithin(file: string): Promise<unknown> {
  const { href } = pathToFileURL(file);
  if (isDebugged()) return import(href);
  const limitMs = findLoadLimitMs();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LoadTimeoutError(limitMs)), limitMs).unref();
  });
  return Promise.race([import(href), timeout]).finally(() => clearTimeout(timer));
}

/** The time that code has to load, milliseconds; a value of the variable that is not a positive number is ignored. */
export function findLoadLimitMs(): number {
  const seconds = Number(process.env['CAPIX_LOAD_TIMEOUT']);
  return (seconds > 0 && seconds < MAX_SECONDS ? seconds : DEFAULT_SECONDS) * 1000;
}

/** Code that a person steps through takes its time. */
function isDebugged(): boolean {
  return /--inspect/.test(`${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`);
}
