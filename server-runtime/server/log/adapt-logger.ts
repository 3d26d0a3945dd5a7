import type { Logger } from './logger.ts';

type Details = Parameters<Logger['error']>[1];

/**
 * Makes a logger of a library take what the framework tells of an error; a `Logger` of one's own stays as it is, message first. Known are
 *
 * - pino, fastify's `log`, bunyan: they have `child`, `fatal` and `trace`, and take an object first. The error is in `err`.
 * - winston, which has `child` and `transports`. It gets one object, because it may format a message with what follows.
 * - console, which has `groupCollapsed`: the message stays text where it has signs of percent.
 */
export function adaptLogger(logger: Logger): Logger {
  const has = (name: string): boolean =>
    typeof (logger as object as Readonly<Record<string, unknown>>)[name] === 'function';
  if (has('child') && 'transports' in logger) return withError(logger, toWinston);
  if (has('child') && has('fatal') && has('trace')) return withError(logger, has('bindings') ? toPino : toBunyan);
  return has('groupCollapsed') ? withError(logger, toConsole) : logger;
}

/** The words that a logger's `error` is called with. */
type ToWords = (message: string, details: Details) => readonly unknown[];

const toPino: ToWords = (message, { requestId, error } = {}) => [{ requestId, err: error }, message];
/** Bunyan writes errors as `{}` unless it was told how to. */
const toBunyan: ToWords = (message, { requestId, error } = {}) => [{ requestId, err: toPlainError(error) }, message];
/** So does winston. */
const toWinston: ToWords = (message, { requestId, error } = {}) => [{ message, requestId, error: toPlainError(error) }];
const toConsole: ToWords = (message, details) => ['%s', message, ...(details === undefined ? [] : [details])];

function withError(logger: Logger, toWords: ToWords): Logger {
  const { error } = logger as { readonly error: (...words: readonly unknown[]) => void };
  return {
    info: (message) => logger.info(message),
    warn: (message) => logger.warn(message),
    error: (message, details) => error.apply(logger, [...toWords(message, details)]),
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
