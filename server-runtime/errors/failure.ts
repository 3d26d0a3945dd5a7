import {
  defaultErrors,
  type ErrorFactory,
  type ErrorHeaders,
  type ErrorMeta,
  expectHeaders,
  isErrorStatus,
  isFrameworkError,
} from './define-error.ts';

/** Why a call did not succeed, as a value: a refusal inside the pipeline costs no stack trace. */
export interface Failure {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Which error it is: `NotFound`. */
  readonly name: string;
  /** The message for the caller. */
  readonly message: string;
  /** Facts that the caller may see. */
  readonly meta?: ErrorMeta | undefined;
  /** Seconds for a `Retry-After` header, from `meta.retryAfterSeconds` of the thrown error. */
  readonly retryAfterSeconds?: number | undefined;
  /** Headers of the HTTP answer, of the error that was thrown. */
  readonly headers?: ErrorHeaders | undefined;
  /** The thrown value; never sent to the caller. */
  readonly cause?: unknown;
  /** Whether the failure was unexpected: the log gets the stack. */
  readonly unexpected?: true | undefined;
  /** The guard that refused; undefined where something else did. */
  readonly refusedBy?: RefusedBy | undefined;
}

export function failure(
  kind: ErrorFactory,
  message: string = kind.defaultMessage,
  meta?: ErrorMeta,
): Failure {
  return { status: kind.status, name: kind.errorName, message, meta };
}

export function toTimeout(timeoutMs: number): Failure {
  const time =
    timeoutMs < 1000
      ? `${timeoutMs} ms`
      : `${timeoutMs / 1000} second${timeoutMs === 1000 ? '' : 's'}`;
  return failure(defaultErrors.Timeout, `Timeout after ${time}`);
}

/** The one place where a thrown value becomes a failure, 500 for all but sound framework errors. Never throws. */
export function toFailure(thrown: unknown): Failure {
  try {
    if (isFrameworkError(thrown)) {
      const { status, name, message, meta, headers } = thrown;
      const seconds = meta?.['retryAfterSeconds'];
      const isTime = Number.isSafeInteger(seconds) && (seconds as number) >= 0;
      const retryAfterSeconds = isTime ? (seconds as number) : undefined;
      if (isErrorStatus(status) && typeof name === 'string' && typeof message === 'string')
        return {
          status,
          name,
          message,
          meta,
          retryAfterSeconds,
          headers: headers && { ...expectHeaders(name, headers) },
          cause: thrown,
          refusedBy: refusals.get(thrown),
        };
    }
  } catch {
    // Its properties throw, or its headers are not headers.
  }
  return { ...failure(defaultErrors.Internal), cause: thrown, unexpected: true };
}

/** The error to throw for a failure in the same process. */
export function toError({ cause, name, message, meta, unexpected }: Failure): Error {
  if (isError(cause) && (isFrameworkError(cause) || unexpected === true)) return cause;
  const make = Object.values(defaultErrors).find(({ errorName }) => errorName === name);
  return make?.(message, meta) ?? new Error(message, { cause });
}

export type Outcome<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

/** The guard that refused a call, and whether it looked at the input, so that another one may pass. */
export interface RefusedBy {
  readonly name: string;
  readonly sawInput: boolean;
}

/** An error is the caller's to throw again, so the guard that threw it stands beside it. */
const refusals = new WeakMap<object, RefusedBy>();

export function noteRefusal(thrown: unknown, guard: RefusedBy): void {
  if (typeof thrown === 'object' && thrown !== null) refusals.set(thrown, guard);
}

/** Reads whatever was thrown, and never throws: the properties of an error may. */
export function readThrown(thrown: unknown): {
  name: string;
  message: string;
  stack: string | undefined;
} {
  try {
    if (!(thrown instanceof Error))
      return { name: 'Error', message: toText(thrown), stack: undefined };
    const { name, message, stack } = thrown;
    return {
      name: `${name}`,
      message: `${message}`,
      stack: typeof stack === 'string' ? stack : undefined,
    };
  } catch {
    return { name: 'Error', message: 'It cannot be printed.', stack: undefined };
  }
}

/** What errors say of themselves. Other fields of a thrown object may be secrets, and do not go into the log. */
const errorFields = ['name', 'message', 'code', 'errno'];

function toText(thrown: unknown): string {
  const text = String(thrown);
  if (text !== '[object Object]') return text;
  const json = JSON.stringify(thrown, errorFields) ?? text;
  return json === '{}' ? text : json.slice(0, 500);
}

/** Whether a value is an error. Never throws: a proxy may, where `instanceof` reads its prototype. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}
