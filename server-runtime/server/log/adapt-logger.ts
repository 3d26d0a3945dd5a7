import { type AccessDetails, type AccessLevel, isAccess, type Logger } from './logger.ts';

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
