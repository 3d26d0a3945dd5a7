import { defineError } from '../../errors/define-error.ts';
import type { ErrorMeta, FrameworkError } from '../../errors/framework-error.ts';

/**
 * A call with a key, as it is kept. `print` is that of its input. `running` has an owner, who alone may end it; of an answer that no text can hold,
 * only that it was given is known.
 */
export type OnceRecord =
  | { readonly state: 'running'; readonly print: string; readonly owner: string }
  | { readonly state: 'done'; readonly print: string; readonly text: string }
  | { readonly state: 'refused'; readonly print: string; readonly error: ToldError }
  | { readonly state: 'unkept'; readonly print: string };

/** The parts of an error that its caller was told. */
export interface ToldError {
  readonly status: number;
  readonly name: string;
  readonly message: string;
  readonly meta?: ErrorMeta | undefined;
}

export function toToldError({ status, name, message, meta }: FrameworkError): ToldError {
  return { status, name, message, meta };
}

/** The same error again. */
export function toSameError({ status, name, message, meta }: ToldError): Error {
  return defineError(status, message, name)(message, meta);
}
