import type { DeclaredIn } from '../capability/group-tree.ts';
import type { defaultErrors } from '../errors/default-errors.ts';
import type { ErrorFactory } from '../errors/define-error.ts';
import type { ApiError, OtherError } from './api-error.ts';
import type { Sent } from './sent.ts';

/** The result of `.safe`: the answer, or the error. `Errors` are the factories of those that the capability declares. */
export type Result<Output, Errors extends ErrorFactory = never> =
  | { readonly ok: true; readonly data: Output }
  | { readonly ok: false; readonly error: ErrorOf<Errors> };

/** The errors that these factories make, as callers get them, those of the framework, and whatever else the API answers with. */
export type ErrorOf<Errors extends ErrorFactory> =
  | (Errors extends ErrorFactory<infer Name, number, infer Meta>
      ? ApiError<Name, Sent<Exclude<Meta, undefined>> | (undefined extends Meta ? undefined : never)>
      : never)
  | { [Name in keyof typeof defaultErrors]: ApiError<Name> }[Exclude<keyof typeof defaultErrors, Errors['errorName']>]
  | ApiError<OtherError>;

/** The errors that a capability declares, with those of its guards and enhancers. */
export type ErrorsOf<One> = Extract<DeclaredIn<{ readonly one: One }>, ErrorFactory>;
