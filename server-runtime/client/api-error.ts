/** The details of an error besides its name, message and status; of a `BadRequest` the wrong fields. */
export type ErrorFacts = Readonly<Record<string, unknown>> | undefined;

/**
 * The name of an error that the operation does not declare: any text. Its type is one that no declared name fits, so
 * that a comparison of names tells the errors apart; as a `string` it can be compared with any.
 */
export type OtherError = `${string} (not declared)`;

/**
 * An error that the API responded with. `name` says which: `Unauthorized`.
 *
 * @example
 * ```ts
 * import { ApiError } from 'capix/client';
 *
 * const refused = new ApiError('NotFound', 'No user 7', { status: 404, meta: { id: '7' } });
 * ```
 */
export class ApiError<Name extends string = string, Facts = ErrorFacts, Status extends number = number> extends Error {
  /** Which error it is: `NotFound`. */
  declare readonly name: Name;
  /** HTTP status. */
  declare readonly status: Status;
  /** Facts about it, where it has any. */
  declare readonly meta: Facts;
  /** The headers of the response; empty for an error in the middle of a stream. */
  declare readonly headers: Headers;

  constructor(
    name: Name,
    message: string,
    about: { readonly status: Status; readonly meta: Facts; readonly headers?: Headers },
  ) {
    super(message);
    Object.assign(this, { headers: new Headers(), ...about, name });
  }
}

/**
 * Whether a thrown value is an error that the API responded with, and of this name where one is given.
 *
 * @example
 * ```ts
 * import { isApiError } from 'capix/client';
 *
 * export const isSignedOut = (error: unknown): boolean => isApiError(error, 'Unauthorized');
 * ```
 */
export function isApiError<Name extends string>(value: unknown, name?: Name): value is ApiError<Name> {
  return value instanceof ApiError && (name === undefined || value.name === name);
}
