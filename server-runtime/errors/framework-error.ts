/** Marks every error made by an error factory. In the global symbol registry, so that two copies of the package know each other's errors. */
export const FRAMEWORK_ERROR: unique symbol = Symbol.for('capix.error') as never;

/** Facts about an error that the caller may see; returned as `meta` in the answer. */
export type ErrorMeta = Readonly<Record<string, unknown>>;

/** A real `Error` (stack, `cause`) that carries what the caller is told: `{error: name, message, meta?}` with `status`. */
export interface FrameworkError extends Error {
  readonly [FRAMEWORK_ERROR]: true;
  /** HTTP status, 400 to 599. */
  readonly status: number;
  readonly meta?: ErrorMeta;
}

/** Whether errors may have this HTTP status. */
export function isErrorStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599;
}

/** Whether `value` was made by an error factory, of this copy of the package or another. */
export function isFrameworkError(value: unknown): value is FrameworkError {
  try {
    return typeof value === 'object' && value !== null && FRAMEWORK_ERROR in value;
  } catch {
    return false; // a proxy that does not want to be asked
  }
}
