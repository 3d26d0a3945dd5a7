import { defaultErrors } from './default-errors.ts';
import type { ErrorFactory } from './define-error.ts';
import { type ErrorMeta, type FrameworkError, isErrorStatus, isFrameworkError } from './framework-error.ts';
import { isError } from './read-thrown.ts';
import { findRefusedBy, type RefusedBy } from './refused-by.ts';

/**
 * Why a call did not succeed, as a value: what the caller is told, and for the log what lay behind it.
 * Inside the pipeline refusals travel as failures, so that a 4xx costs no stack trace.
 */
export interface Failure {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Which error it is: `NotFound`. */
  readonly name: string;
  /** The message for the caller: what went wrong. */
  readonly message: string;
  /** Facts that the caller may see. */
  readonly meta?: ErrorMeta | undefined;
  /** Seconds for a `Retry-After` header; taken from `meta.retryAfterSeconds` of what was thrown. */
  readonly retryAfterSeconds?: number | undefined;
  /** The thrown value; never sent to the caller. */
  readonly cause?: unknown;
  /** True when nobody foresaw it: the log gets the stack. */
  readonly unexpected?: true | undefined;
  /** The guard that refused; undefined where something else did. */
  readonly refusedBy?: RefusedBy | undefined;
}

/** A failure of a known kind: `failure(defaultErrors.NotFound)` is `{status: 404, name: 'NotFound', message: …}`. */
export function failure(kind: ErrorFactory, message: string = kind.defaultMessage, meta?: ErrorMeta): Failure {
  return { status: kind.status, name: kind.errorName, message, meta };
}

/** 504 `Timeout`, with the time that the call had. */
export function toTimeout(timeoutMs: number): Failure {
  const time =
    timeoutMs < 1000 ? `${timeoutMs} ms` : `${timeoutMs / 1000} ${timeoutMs === 1000 ? 'second' : 'seconds'}`;
  return failure(defaultErrors.Timeout, `Timeout after ${time}`);
}

/**
 * The one place where an unknown thrown value becomes a known failure. Nothing of a value that is not a framework
 * error reaches the caller: it is 500 `Internal`, with the value kept as `cause`. Never throws, whatever was thrown.
 */
export function toFailure(thrown: unknown): Failure {
  return findTold(thrown) ?? { ...failure(defaultErrors.Internal), cause: thrown, unexpected: true };
}

/** The failure that a framework error tells its caller; undefined for one that was changed beyond sending. */
function findTold(thrown: unknown): Failure | undefined {
  if (!isFrameworkError(thrown)) return undefined;
  try {
    const { status, name, message, meta } = thrown;
    const isTold = isErrorStatus(status) && typeof name === 'string' && typeof message === 'string';
    if (isTold)
      return {
        status,
        name,
        message,
        meta,
        retryAfterSeconds: findRetryAfter(meta),
        cause: thrown,
        refusedBy: findRefusedBy(thrown),
      };
  } catch {
    // The properties of such a value throw.
  }
  return undefined;
}

function findRetryAfter(meta: ErrorMeta | undefined): number | undefined {
  const seconds = meta?.['retryAfterSeconds'];
  return Number.isSafeInteger(seconds) ? (seconds as number) : undefined;
}

/** The error to throw for a failure, where a caller in the same process expects an exception. */
export function toError(reason: Failure): Error {
  if (isError(reason.cause) && (isFrameworkError(reason.cause) || reason.unexpected === true)) return reason.cause;
  const make = Object.values(defaultErrors).find((kind) => kind.errorName === reason.name);
  if (make !== undefined) return make(reason.message, reason.meta) as FrameworkError;
  return new Error(reason.message, { cause: reason.cause });
}
