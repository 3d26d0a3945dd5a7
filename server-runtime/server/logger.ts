import { inspect } from 'node:util';
import type { ContextRequest } from '../capability/context.ts';
import { readThrown } from '../errors/failure.ts';
import { isPromise } from '../errors/maybe-promise.ts';
import type { AnsweredRequest, GivenUpJob } from './hooks.ts';

export interface AccessDetails
  extends Pick<AnsweredRequest, 'capability' | 'status' | 'durationMs'>,
    Pick<
      ContextRequest,
      'requestId' | 'transport' | 'method' | 'path' | 'route' | 'remoteAddress'
    > {}

export interface AccessLogOptions {
  /** Whether a request has a line: `({ path }) => path !== '/health'`. @default each has */
  readonly filter?: ((request: AccessDetails) => boolean) | undefined;
  /** The level of a line. @default 'error' from status 500, 'warn' from 400, else 'info' */
  readonly level?: ((request: AccessDetails) => keyof Logger) | undefined;
}

export interface LogDetails
  extends Partial<Pick<GivenUpJob, 'jobId' | 'attempts' | 'maxAttempts'>> {
  readonly requestId?: string | undefined;
  readonly capability?: string | undefined;
  readonly error?: unknown;
}

/** The framework writes to a logger, never to a caller. Loggers of pino and winston fit as they are. */
export interface Logger {
  /** With `details` a line of `accessLog`. */
  info(message: string, details?: AccessDetails): void;
  /** Writes events that work, but need attention; with `accessLog` also requests of status 400 to 499. */
  warn(message: string, details?: AccessDetails): void;
  /** Writes failures, with the thrown error; with `accessLog` also requests of a status from 500. */
  error(message: string, details?: LogDetails): void;
}

/** Plain lines: information on stdout, warnings and errors (with their stack) on stderr. */
export const consoleLogger: Logger = {
  info: (message) => console.log(escapeControl(message)),
  warn: (message) => console.warn(escapeControl(message)),
  error: (message, details = {}) => {
    const { requestId, error } = details;
    const request =
      requestId === undefined || 'durationMs' in details ? '' : ` (request ${requestId})`;
    const thrown = error === undefined ? '' : ` ${toThrownText(error)}`;
    console.error(escapeControl(`${message}${request}${thrown}`));
  },
};

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

/**
 * Passes messages on in the form that the logger takes. A message that it fails to write goes to stderr, with the
 * error.
 */
export function toSafeLogger(logger: Logger): Logger {
  const toWords = findToWords(logger);
  const toSafe =
    (level: keyof Logger) =>
    (message: string, details?: Details): void => {
      const fail = (error: unknown): void => {
        consoleLogger[level](message, details as AccessDetails);
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
  return { info: toSafe('info'), warn: toSafe('warn'), error: toSafe('error') };
}

type Details = LogDetails | AccessDetails;

/** Pino takes an object first, winston would write an error as `{}`, a console would replace signs of percent. */
function findToWords(logger: Logger): (message: string, details: Details) => readonly unknown[] {
  const has = (...names: readonly string[]): boolean => names.every((name) => name in logger);
  if (has('child', 'transports'))
    return (message, { error, ...facts }: LogDetails) => [
      { message, ...facts, error: toPlainError(error) },
    ];
  if (has('child', 'fatal', 'trace'))
    return (message, { error, ...facts }: LogDetails) => [{ ...facts, err: error }, message];
  if (has('groupCollapsed'))
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
