import { inspect } from 'node:util';
import type { ContextRequest } from '../capability/context.ts';
import { isPromise, readThrown } from '../errors/failure.ts';
import type { AnsweredRequest } from './hooks.ts';

/** A request that has its response, as `accessLog` writes it: the path is without the query, undecoded. */
export interface AccessDetails
  extends Pick<AnsweredRequest, 'capability' | 'status' | 'durationMs'>,
    Pick<ContextRequest, 'requestId' | 'transport' | 'method' | 'path' | 'route' | 'remoteAddress'> {}

/** The lines of an access log. */
export interface AccessLogOptions {
  /** Whether a request has a line: `({ path }) => path !== '/health'`. @default each has */
  readonly filter?: ((request: AccessDetails) => boolean) | undefined;
  /** The level of a line. @default 'error' from status 500, 'warn' from 400, else 'info' */
  readonly level?: ((request: AccessDetails) => AccessLevel) | undefined;
}

/** The method of a logger that a line is written by. */
export type AccessLevel = 'info' | 'warn' | 'error';

/** The facts of a line that tells of an error, beside its words; the last four of a job that failed. */
export interface LogDetails {
  readonly requestId?: string | undefined;
  /** The thrown value. */
  readonly error?: unknown;
  readonly capability?: string | undefined;
  readonly jobId?: string | undefined;
  readonly attempts?: number | undefined;
  readonly maxAttempts?: number | undefined;
}

/** The framework writes to a logger, never to a caller. Those of pino and winston may be given as they are. */
export interface Logger {
  /** Writes where the server listens, and with `accessLog` each request, whose parts are in `details`. */
  info(message: string, details?: AccessDetails): void;
  /** Writes what works, and should be looked at; with `accessLog` requests of status 400 to 499, too. */
  warn(message: string, details?: AccessDetails): void;
  /** Writes what failed, with what was thrown; with `accessLog` requests of a status from 500, too. */
  error(message: string, details?: LogDetails): void;
}

type Details = LogDetails | AccessDetails;

/**
 * Plain lines: information on stdout, warnings and errors (with their stack) on stderr.
 *
 * @example
 * ```ts
 * const quiet = createServer({ capabilities: {}, logger: { ...consoleLogger, info: () => {} } });
 * ```
 */
export const consoleLogger: Logger = {
  info: (message) => console.log(escapeControl(message)),
  warn: (message) => console.warn(escapeControl(message)),
  error: (message, details = {}) => {
    const { requestId, error } = details;
    const request = requestId === undefined || isAccess(details) ? '' : ` (request ${requestId})`;
    const thrown = error === undefined ? '' : ` ${typeof error === 'string' ? error : toThrownText(error)}`;
    console.error(escapeControl(`${message}${request}${thrown}`));
  },
};

/**
 * Writes nothing.
 *
 * @example
 * ```ts
 * const server = createServer({ capabilities: {}, logger: silentLogger });
 * ```
 */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };

function isAccess(details: Details): boolean {
  return 'durationMs' in details;
}

/** An error may refuse to be printed, by an `inspect` or getters of its own. */
function toThrownText(error: unknown): string {
  try {
    return inspect(error);
  } catch {
    const { name, message } = readThrown(error);
    return `${name}: ${message} (the rest of it could not be printed)`;
  }
}

/** Writes controls and the marks that turn the direction of text out, `\u001b[31m`. Line feeds and tabs stay. */
function escapeControl(text: string): string {
  const steering = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;
  return text.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Takes the words of the framework to a logger: one of a library in its own order. One whose own fault stops no
 * response: what it should have written goes to stderr, and the fault after it.
 */
export function toSafeLogger(logger: Logger): Logger {
  const toWords = findToWords(logger);
  const toSafe =
    (level: AccessLevel) =>
    (message: string, details?: LogDetails & AccessDetails): void => {
      const fail = (error: unknown): void => {
        consoleLogger[level](message, details);
        consoleLogger.error('[capix] The logger failed.', { error });
      };
      try {
        const words = details === undefined ? [message] : toWords(message, details);
        const written: unknown = Reflect.apply(logger[level], logger, words);
        if (isPromise(written)) written.then(undefined, fail);
      } catch (error) {
        fail(error);
      }
    };
  return { info: toSafe('info'), warn: toSafe('warn'), error: toSafe('error') } as Logger;
}

/**
 * Finds the words of a logger by its methods: pino's kind has `child`, `fatal` and `trace` and takes an object first;
 * winston has `child` and `transports`, and would write an error as `{}`; console, which has `groupCollapsed`, would
 * replace signs of percent. Others get the message first.
 */
function findToWords(logger: Logger): (message: string, details: Details) => unknown[] {
  const has = (...names: readonly string[]): boolean => names.every((name) => name in logger);
  if (has('child', 'transports'))
    return (message, { error, ...facts }: LogDetails) => [{ message, ...facts, error: toPlainError(error) }];
  if (has('child', 'fatal', 'trace'))
    return (message, { error, ...facts }: LogDetails) => [{ ...facts, err: error }, message];
  if (has('groupCollapsed')) return (message, details) => ['%s', message, ...(isAccess(details) ? [] : [details])];
  return (message, details) => [message, details];
}

/** With what JSON leaves out of an error; it may be its own cause. */
function toPlainError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > 8) return error;
  const { name, message, stack, cause } = error;
  return { ...error, name, message, stack, ...(cause !== undefined && { cause: toPlainError(cause, depth + 1) }) };
}
