import type { CallLog, ContextRequest } from '../capability/context.ts';
import { readThrown } from '../errors/failure.ts';
import { isPromise } from '../errors/maybe-promise.ts';
import type { CallFacts, ParentLog } from '../execution/call-log.ts';
import type { AnsweredRequest, GivenUpJob } from './hooks.ts';

interface AccessDetails
  extends Pick<AnsweredRequest, 'capability' | 'status' | 'durationMs'>,
    Pick<
      ContextRequest,
      'requestId' | 'transport' | 'method' | 'path' | 'route' | 'remoteAddress'
    > {
  /** The id of the trace that the call is part of. */
  readonly traceId?: string | undefined;
}

export interface AccessLogOptions {
  /** Whether a request has a line: `({ path }) => path !== '/health'`. @default each has */
  readonly filter?: ((request: AccessDetails) => boolean) | undefined;
  /** The level of a line. @default 'error' from status 500, 'warn' from 400, else 'info' */
  readonly level?: ((request: AccessDetails) => keyof Logger) | undefined;
}

/** The fields of a line: those of the request or job that it is about, and of `ctx.log` what the application names. */
export interface LogDetails
  extends Partial<AccessDetails>,
    Partial<Pick<GivenUpJob, 'jobId' | 'attempts' | 'maxAttempts'>>,
    Partial<CallFacts> {
  readonly error?: unknown;
  readonly [field: string]: unknown;
}

/** The framework writes to a logger, never to a caller. Loggers of pino and winston fit as they are. */
export interface Logger {
  /** Lines of `ctx.log.debug`. Without it, these are dropped. */
  debug?(message: string, details?: LogDetails): void;
  /** With `details` a line of `accessLog`, or of `ctx.log`. */
  info(message: string, details?: LogDetails): void;
  /** Writes events that work, but need attention; with `accessLog` also requests of status 400 to 499. */
  warn(message: string, details?: LogDetails): void;
  /** Writes failures, with the thrown error; with `accessLog` also requests of a status from 500. */
  error(message: string, details?: LogDetails): void;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Makes a logger of calls in place of the usual one, of the logger itself: a copy may have other methods. */
const CHILD: unique symbol = Symbol.for('capix.childLog');

interface HasChild {
  readonly [CHILD]?: (this: Logger, facts: CallFacts) => Logger;
}

/** Plain lines: information on stdout, warnings and errors (with their stack) on stderr. */
export const consoleLogger: Logger = Object.assign(
  {
    info: (message: string) => console.log(escapeControl(message)),
    warn: (message: string) => console.warn(escapeControl(message)),
    error: (message: string, details: LogDetails = {}) => {
      const { requestId, error } = details;
      const request =
        requestId === undefined || 'durationMs' in details ? '' : ` (request ${requestId})`;
      const thrown = error === undefined ? '' : ` ${toThrownText(error)}`;
      console.error(escapeControl(`${message}${request}${thrown}`));
    },
  },
  { [CHILD]: toPlainChild } satisfies HasChild,
);

/** Lines of a call as text: `Booked { id: 7 } (bookings.createBooking, request 4f)`. */
function toPlainChild(this: Logger, facts: CallFacts): Logger {
  const toLine = (message: string, { error: _error, ...fields }: LogDetails = {}): string => {
    const more = Object.keys(fields).length === 0 ? '' : ` ${toInspected(fields)}`;
    const { requestId, capability, traceId } = facts;
    const place = [
      ...(capability === undefined ? [] : [capability]),
      `request ${requestId}`,
      ...(traceId === undefined ? [] : [`trace ${traceId}`]),
    ];
    return `${indentLines(message)}${more} (${place.join(', ')})`;
  };
  return {
    info: (message, details) => this.info(toLine(message, details)),
    warn: (message, details) => this.warn(toLine(message, details)),
    error: (message, details) =>
      this.error(toLine(message, details), { error: details?.error } satisfies LogDetails),
  };
}

/** An import would read all that the module exports, at each start: 1 MiB. */
function inspect(value: unknown, options?: object): string {
  return process.getBuiltinModule('node:util').inspect(value, options);
}

function toInspected(fields: object): string {
  try {
    return inspect(fields, { breakLength: Number.POSITIVE_INFINITY, depth: 5 });
  } catch {
    return '{ its fields could not be printed }';
  }
}

/** Writes nothing. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** Printing an error may fail in an `inspect` or a getter of the error. */
function toThrownText(error: unknown): string {
  try {
    return indentLines(typeof error === 'string' ? error : inspect(error));
  } catch {
    const { name, message } = readThrown(error);
    return indentLines(`${name}: ${message} (the rest of it could not be printed)`);
  }
}

/** The message of an error may quote a caller, whose text must not stand at the start of a line of the log. */
function indentLines(text: string): string {
  return text.replace(/\n(?=[^\s}\]]|[}\]][^\n])/g, '\n  ');
}

/** A method and a path as part of a line, also for loggers that write texts unchanged: neither can end the line. */
export function toLinePart(text: string): string {
  return text.replace(/[\n\t\u2028\u2029]/g, toEscape).replace(steering, toEscape);
}

/** Writes controls and the marks that turn the direction of text out, `\u001b[31m`. Line feeds and tabs stay. */
function escapeControl(text: string): string {
  return text.replace(steering, toEscape);
}

const steering =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The logger of an application, which never throws, and makes those of its calls. */
export type SafeLogger = Required<Logger> & ParentLog;

/**
 * Passes messages on in the form that the logger takes. A message that it fails to write goes to stderr, with the
 * error.
 */
export function toSafeLogger(logger: Logger): SafeLogger {
  const toWords = findToWords(logger);
  const toSafe =
    (level: Level) =>
    (message: string, details?: LogDetails): void => {
      const write = logger[level];
      if (write === undefined) return;
      const fail = (error: unknown): void => {
        consoleLogger[level]?.(message, details);
        consoleLogger.error('[capix] The logger failed.', { error });
      };
      try {
        const words = details === undefined ? [message] : toWords(message, details);
        const written: unknown = Reflect.apply(write, logger, words);
        if (isPromise(written)) written.then(undefined, fail);
      } catch (error) {
        fail(error);
      }
    };
  return {
    debug: toSafe('debug'),
    info: toSafe('info'),
    warn: toSafe('warn'),
    error: toSafe('error'),
    child: (facts) => toChild(logger, facts) ?? toJoined(logger, facts),
  };
}

/** The library's own child, which writes the facts once; undefined where the logger has none, or cannot make it. */
function toChild(logger: Logger, facts: CallFacts): CallLog | undefined {
  const own = (logger as HasChild)[CHILD] ?? (isOfLibrary(logger) ? logger.child : undefined);
  if (own === undefined) return undefined;
  try {
    return toSafeLogger(Reflect.apply(own, logger, [facts]) as Logger);
  } catch {
    return undefined;
  }
}

/** The facts are fields of each line. */
function toJoined(logger: Logger, facts: CallFacts): CallLog {
  const { debug, info, warn, error } = toSafeLogger(logger);
  const join = (details: LogDetails = {}): LogDetails => ({ ...facts, ...details });
  return {
    debug: (message, details) => debug(message, join(details)),
    info: (message, details) => info(message, join(details)),
    warn: (message, details) => warn(message, join(details)),
    error: (message, details) => error(message, join(details)),
  };
}

function isOfLibrary(logger: Logger): logger is Logger & {
  readonly child: (facts: object) => unknown;
} {
  return isWinston(logger) || isPino(logger);
}

function isWinston(logger: Logger): boolean {
  return 'child' in logger && 'transports' in logger;
}

function isPino(logger: Logger): boolean {
  return 'child' in logger && 'fatal' in logger && 'trace' in logger;
}

/** Pino takes an object first, winston would write an error as `{}`, a console would replace signs of percent. */
function findToWords(logger: Logger): (message: string, details: LogDetails) => readonly unknown[] {
  if (isWinston(logger))
    return (message, { error, ...facts }) => [
      { message, ...facts, ...(error !== undefined && { error: toPlainError(error) }) },
    ];
  if (isPino(logger))
    return (message, { error, ...facts }) => [
      { ...facts, ...(error !== undefined && { err: error }) },
      message,
    ];
  if ('groupCollapsed' in logger)
    return (message, details) => ['%s', message, ...('durationMs' in details ? [] : [details])];
  return (message, details) => [message, details];
}

/** Adds the fields of an error that JSON leaves out; an error may be its own cause. */
function toPlainError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > 8) return error;
  const { name, message, stack, cause } = error;
  return {
    ...error,
    name,
    message,
    stack,
    ...(cause !== undefined && { cause: toPlainError(cause, depth + 1) }),
  };
}
