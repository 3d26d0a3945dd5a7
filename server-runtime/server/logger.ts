import { inspect } from 'node:util';
import { isPromise, readThrown } from '../errors/failure.ts';

/** A request that has its response, as `accessLog` writes it. */
export interface AccessDetails {
  readonly requestId: string;
  /** The way in: `rest`, `mcp`, `invoke`. */
  readonly transport: string;
  readonly method: string;
  /** Without the query, undecoded. */
  readonly path: string;
  /** The route that took it: `/users/:id`. */
  readonly route: string | undefined;
  /** Key of the capability; undefined when no route matched. */
  readonly capability: string | undefined;
  readonly status: number;
  /** The time from its first byte to its response, milliseconds. */
  readonly durationMs: number;
  /** The address of the caller, where there is one. */
  readonly remoteAddress: string | undefined;
}

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
  /** Attempts at the job that were made. */
  readonly attempts?: number | undefined;
  /** Attempts that it had in all. */
  readonly maxAttempts?: number | undefined;
}

/**
 * The framework writes to a logger. `details` goes to the log only, never to a caller. Loggers of pino, winston and
 * bunyan may be given as they are.
 */
export interface Logger {
  /** Writes where the server listens, and with `accessLog` each request, whose parts are in `details`. */
  info(message: string, details?: AccessDetails): void;
  /** Writes what works, and should be looked at; with `accessLog` requests of status 400 to 499, too. */
  warn(message: string, details?: AccessDetails): void;
  /** Writes what failed, with what was thrown; with `accessLog` requests of a status from 500, too. */
  error(message: string, details?: LogDetails): void;
}

/**
 * Plain lines: information on stdout, warnings and errors (with their stack) on stderr. Control characters in them are
 * written out: what a caller sends cannot steer the terminal.
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

/** Whether the details are those of a request that has its answer. */
export function isAccess(details: LogDetails | AccessDetails | undefined): details is AccessDetails {
  return details !== undefined && 'durationMs' in details;
}

/** An error may refuse to be printed, by an `inspect` or getters of its own. The rest of it is told. */
function toThrownText(error: unknown): string {
  for (const customInspect of [true, false]) {
    try {
      return inspect(error, { customInspect });
    } catch {}
  }
  const { name, message } = readThrown(error);
  return `${name}: ${message} (the rest of it could not be printed)`;
}

/**
 * Writes nothing.
 *
 * @example
 * ```ts
 * const server = createServer({ capabilities: {}, logger: silentLogger });
 * ```
 */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** A logger whose own fault stops no response: what it should have written goes to stderr, and the fault after it. */
export function toSafeLogger(logger: Logger): Logger {
  const toSafe =
    (level: AccessLevel) =>
    (message: string, details?: LogDetails & AccessDetails): void => {
      const fail = (error: unknown): void => {
        consoleLogger[level](message, details);
        consoleLogger.error('[capix] The logger failed.', { error });
      };
      try {
        const written: unknown = logger[level](message, details);
        if (isPromise(written)) written.then(undefined, fail);
      } catch (error) {
        fail(error);
      }
    };
  return { info: toSafe('info'), warn: toSafe('warn'), error: toSafe('error') } as Logger;
}

/** Writes controls and the marks that turn the direction of text out, `\u001b[31m`. Line feeds and tabs stay. */
function escapeControl(text: string): string {
  return text.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const steering = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/**
 * Makes a logger of a library take what the framework tells; a `Logger` of one's own stays as it is, message first.
 * Known are
 *
 * - pino, fastify's `log`, bunyan: they have `child`, `fatal` and `trace`, and take an object first (`err`: the error).
 * - winston, which has `child` and `transports`. It gets one object, because it may format a message with what follows,
 *   and an error as plain data, which it would write as `{}`.
 * - console, which has `groupCollapsed`: the message stays text where it has signs of percent.
 */
export function adaptLogger(logger: Logger): Logger {
  const toWords = findToWords(logger);
  if (toWords === undefined) return logger;
  const toWriter = (level: AccessLevel) => (message: string, details?: LogDetails | AccessDetails) =>
    Reflect.apply(logger[level], logger, details === undefined ? [message] : toWords(message, details));
  return { info: toWriter('info'), warn: toWriter('warn'), error: toWriter('error') };
}

type ToWords = (message: string, details: LogDetails | AccessDetails) => unknown[];

function findToWords(logger: Logger): ToWords | undefined {
  const has = (name: string): boolean =>
    typeof (logger as object as Readonly<Record<string, unknown>>)[name] === 'function';
  if (has('child') && 'transports' in logger)
    return (message, { error, ...facts }: LogDetails) => [{ message, ...facts, error: toPlainError(error) }];
  if (has('child') && has('fatal') && has('trace')) {
    // Bunyan has no `bindings`, and writes errors as `{}` unless it was told how to.
    const toErr = has('bindings') ? (error: unknown) => error : toPlainError;
    return (message, { error, ...facts }: LogDetails) => [{ ...facts, err: toErr(error) }, message];
  }
  if (!has('groupCollapsed')) return undefined;
  return (message, details) => ['%s', message, ...(isAccess(details) ? [] : [details])];
}

/** With what JSON leaves out of an error. */
function toPlainError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return error;
  const { name, message, stack, cause } = error;
  return {
    ...error,
    name,
    message,
    stack,
    ...(cause !== undefined && { cause: toPlainError(cause, depth + 1) }),
    ...(error instanceof AggregateError && { errors: error.errors.map((each) => toPlainError(each, depth + 1)) }),
  };
}

/** The number of causes of causes that are told; an error may be its own. */
const MAX_CAUSES = 8;
