/** The details of an error besides its name, message and status; of a `BadRequest` the wrong fields. */
export type ErrorFacts = Readonly<Record<string, unknown>> | undefined;

/**
 * The name of an error that the operation does not declare: any text. Its type is one that no declared name fits, so that a comparison of
 * names tells the errors apart; as a `string` it can be compared with any.
 */
export type OtherError = `${string} (not declared)`;

/**
 * An error that the API answered with. `name` says which: `Unauthorized`.
 *
 * @example
 * ```ts
 * import { ApiError } from 'capix/client';
 *
 * const refused = new ApiError('NotFound', 'No user 7', { status: 404, meta: { id: '7' } });
 * ```
 */
export class ApiError<Name extends string = string, Facts = ErrorFacts> extends Error {
  /** Which error it is: `NotFound`. */
  declare readonly name: Name;
  /** HTTP status. */
  readonly status: number;
  /** Facts about it, where it has any. */
  readonly meta: Facts;

  constructor(name: Name, message: string, about: { readonly status: number; readonly meta: Facts }) {
    super(message);
    this.name = name;
    this.status = about.status;
    this.meta = about.meta;
  }
}

/**
 * Whether a thrown value is an error that the API answered with, and of this name where one is given.
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
