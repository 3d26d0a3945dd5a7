/** Marks every error of an error factory. In the global registry, so that two copies of capix share it. */
export const FRAMEWORK_ERROR: unique symbol = Symbol.for('capix.error') as never;

/** Facts about an error that the caller may see; returned as `meta` in the answer. */
export type ErrorMeta = Readonly<Record<string, unknown>>;

/**
 * A real `Error` (stack, `cause`) that carries what the caller is told: `{error: name, message, meta?}` with `status`.
 * `Meta` is what its factory declares as `meta`.
 */
export interface FrameworkError<
  out Name extends string = string,
  out Status extends number = number,
  out Meta = ErrorMeta | undefined,
> extends Error {
  readonly [FRAMEWORK_ERROR]: true;
  /** Which error it is: `NotFound`. */
  readonly name: Name;
  /** HTTP status, 400 to 599. */
  readonly status: Status;
  /** Facts that the caller may see. */
  readonly meta: Meta;
}

/** Whether errors may have this HTTP status. */
export function isErrorStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599;
}

/**
 * Whether `value` was made by an error factory, of this copy of the package or another.
 *
 * @example
 * ```ts
 * try {
 *   await server.invoke({ capability: 'users.getUser', input: { id: '7' } });
 * } catch (error) {
 *   if (isFrameworkError(error)) console.log(error.status, error.name, error.meta);
 *   else throw error;
 * }
 * ```
 */
export function isFrameworkError(value: unknown): value is FrameworkError {
  try {
    return typeof value === 'object' && value !== null && FRAMEWORK_ERROR in value;
  } catch {
    return false; // a proxy that does not want to be asked
  }
}
