import { toErrorMessage, toErrorName } from './error-name.ts';
import { type ErrorMeta, FRAMEWORK_ERROR, type FrameworkError, isErrorStatus } from './framework-error.ts';

export interface ErrorDetails {
  /** Replaces the factory's message in this one error. */
  readonly message?: string;
  /** What led to it: kept for the log, never sent to the caller. */
  readonly cause?: unknown;
}

/**
 * Makes throwable errors of one kind: `NotFound()`, `NotFound({id})`, `NotFound('No user 7', {id: 7})`.
 * `status`, `errorName` and `defaultMessage` let documents list the error without throwing it.
 */
export interface ErrorFactory {
  (meta?: ErrorMeta, details?: ErrorDetails): FrameworkError;
  (message: string, meta?: ErrorMeta, details?: ErrorDetails): FrameworkError;
  readonly status: number;
  readonly errorName: string;
  readonly defaultMessage: string;
}

/**
 * Defines a kind of error. `'NotFound'` and `'Not found'` both give the name `NotFound` and the message `Not found`;
 * `code` overrides the name.
 *
 * @throws TypeError when `status` is no integer from 400 to 599, or the name has no letter.
 */
export function defineError(status: number, nameOrMessage: string, code?: string): ErrorFactory {
  if (!isErrorStatus(status)) {
    throw new TypeError(`defineError: the status must be an integer from 400 to 599, got ${String(status)}.`);
  }
  const errorName = code ?? toErrorName(nameOrMessage);
  if (!/[a-z]/i.test(errorName)) {
    throw new TypeError(
      `defineError: expected a name such as 'NotFound' or a message such as 'Not found', got '${nameOrMessage}'.`,
    );
  }
  const defaultMessage = toErrorMessage(nameOrMessage);

  const make = (
    first?: ErrorMeta | string,
    second?: ErrorMeta | ErrorDetails,
    third?: ErrorDetails,
  ): FrameworkError => {
    const [message, meta, details] =
      typeof first === 'string'
        ? [first, second as ErrorMeta | undefined, third]
        : [(second as ErrorDetails | undefined)?.message ?? defaultMessage, first, second as ErrorDetails | undefined];
    const error = new Error(message, details?.cause === undefined ? undefined : { cause: details.cause });
    Error.captureStackTrace(error, make);
    hide(error, 'name', errorName);
    hide(error, FRAMEWORK_ERROR, true);
    return Object.assign(error, { status }, meta === undefined ? {} : { meta }) as unknown as FrameworkError;
  };
  return Object.assign(make, { status, errorName, defaultMessage }) as ErrorFactory;
}

/** Whether `value` was made by `defineError`, of this copy of the package or another. */
export function isErrorFactory(value: unknown): value is ErrorFactory {
  if (typeof value !== 'function') return false;
  const { status, errorName } = value as { readonly status?: unknown; readonly errorName?: unknown };
  return typeof status === 'number' && typeof errorName === 'string';
}

function hide(error: Error, key: PropertyKey, value: unknown): void {
  Object.defineProperty(error, key, { value, configurable: true, writable: true });
}
