import { inspect } from 'node:util';
import { isPromise, readThrown } from '../errors/failure.ts';

/** A request that has its answer, as `accessLog` writes it. */
export interface AccessDetails {
  /** The id of the request. */
  readonly requestId: string;
  /** The way in: `rest`, `mcp`, `invoke`. */
  readonly transport: string;
  /** The HTTP method. */
  readonly method: string;
  /** Path without the query, undecoded. */
  readonly path: string;
  /** The route that took it: `/users/:id`. */
  readonly route: string | undefined;
  /** Key of the capability; undefined when no route matched. */
  readonly capability: string | undefined;
  /** Status of the answer. */
  readonly status: number;
  /** The time from its first byte to its answer, milliseconds. */
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

/** The facts of a line that tells of an error, beside its words. */
export interface LogDetails {
  /** The id of the request. */
  readonly requestId?: string | undefined;
  /** The thrown value. */
  readonly error?: unknown;
  /** Key of the capability, where a job is given up or cannot be queued. */
  readonly capability?: string | undefined;
  /** The id of that job. */
  readonly jobId?: string | undefined;
  /** Attempts at the job that were made. */
  readonly attempts?: number | undefined;
  /** Attempts that the job had in all. */
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
  /**
   * Writes what failed, with what was thrown; with `accessLog` requests of a status from 500, too, whose parts are in
   * `details`.
   */
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
    } catch {
      // Once more without code of its own, and then without its stack.
    }
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

/** A logger whose own fault stops no answer: what it should have written goes to stderr, and the fault after it. */
export function toSafeLogger(logger: Logger): Logger {
  const attempt = (write: (to: Logger) => unknown): void => {
    const fail = (error: unknown): void => {
      write(consoleLogger);
      consoleLogger.error('[capix] The logger failed.', { error });
    };
    try {
      const written = write(logger);
      if (isPromise(written)) written.then(undefined, fail);
    } catch (error) {
      fail(error);
    }
  };
  return {
    info: (message, details) => attempt((to) => to.info(message, details)),
    warn: (message, details) => attempt((to) => to.warn(message, details)),
    error: (message, details) => attempt((to) => to.error(message, details)),
  };
}

/**
 * Text with its control characters written out, `\u001b[31m`, so that a message of others cannot steer the terminal in
 * which it is read. Line feeds and tabs stay.
 */
function escapeControl(text: string): string {
  return text.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Controls, and the marks that turn the direction of text. */
const steering = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

type Details = Parameters<Logger['error']>[1];
/** The words for a line of the access log, whose details are told as they are. */
type ToAccessWords = (message: string, details: AccessDetails) => readonly unknown[];

/**
 * Makes a logger of a library take what the framework tells of an error; a `Logger` of one's own stays as it is,
 * message first. Known are
 *
 * - pino, fastify's `log`, bunyan: they have `child`, `fatal` and `trace`, and take an object first (`err`: the error).
 * - winston, which has `child` and `transports`. It gets one object, because it may format a message with what follows.
 * - console, which has `groupCollapsed`: the message stays text where it has signs of percent.
 */
export function adaptLogger(logger: Logger): Logger {
  const has = (name: string): boolean =>
    typeof (logger as object as Readonly<Record<string, unknown>>)[name] === 'function';
  if (has('child') && 'transports' in logger)
    return withWords(logger, toWinston, (message, details) => [{ message, ...details }]);
  if (has('child') && has('fatal') && has('trace'))
    return withWords(logger, has('bindings') ? toPino : toBunyan, (message, details) => [details, message]);
  return has('groupCollapsed') ? withWords(logger, toConsole, (message) => ['%s', message]) : logger;
}

/** The words that a logger's `error` is called with. */
type ToWords = (message: string, details: Details) => readonly unknown[];

const toPino: ToWords = (message, { error, ...facts } = {}) => [{ ...facts, err: error }, message];
/** Bunyan writes errors as `{}` unless it was told how to. */
const toBunyan: ToWords = (message, { error, ...facts } = {}) => [{ ...facts, err: toPlainError(error) }, message];
/** Winston writes errors as `{}`, too, and takes one object. */
const toWinston: ToWords = (message, { error, ...facts } = {}) => [{ message, ...facts, error: toPlainError(error) }];
const toConsole: ToWords = (message, details) => ['%s', message, ...(details === undefined ? [] : [details])];

function withWords(logger: Logger, toWords: ToWords, toAccessWords: ToAccessWords): Logger {
  type Write = (...words: readonly unknown[]) => void;
  const { error, info, warn } = logger as { readonly [Level in AccessLevel]: Write };
  const writer = (write: Write) => (message: string, details?: AccessDetails) =>
    write.apply(logger, details === undefined ? [message] : [...toAccessWords(message, details)]);
  return {
    info: writer(info),
    warn: writer(warn),
    error: (message, details) =>
      error.apply(logger, [...(isAccess(details) ? toAccessWords(message, details) : toWords(message, details))]),
  };
}

/** With what JSON leaves out of an error. */
function toPlainError(error: unknown, above: readonly unknown[] = []): unknown {
  if (!(error instanceof Error) || above.includes(error)) return error;
  const toInner = (inner: unknown): unknown => toPlainError(inner, [...above, error]);
  const { name, message, stack, cause } = error;
  return {
    ...error,
    name,
    message,
    stack,
    ...(cause !== undefined && { cause: toInner(cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(toInner) }),
  };
}
