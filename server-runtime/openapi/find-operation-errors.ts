import { defaultErrors } from '../errors/default-errors.ts';
import { defineError, type ErrorFactory } from '../errors/define-error.ts';
import type { Envelope } from '../http/envelope.ts';
import type { Operation } from '../registry/operation.ts';

const Unprocessable = defineError(422, 'Unprocessable content');

export interface HttpShape {
  /** Whether a request can carry anything that is read: fields of a path, a query or a body. */
  readonly readsInput: boolean;
  readonly hasBody: boolean;
  /** Whether the body may be a form, which a page of another site can send. */
  readonly takesForm: boolean;
  readonly envelope: Envelope;
}

/**
 * Every error that calling an operation over HTTP can be answered with, as far as anybody has declared it, by status. A
 * guard that declares nothing may refuse with 401 or 403, an input guard with 403.
 */
export function findOperationErrors(
  { definition }: Operation,
  { readsInput, hasBody, takesForm, envelope }: HttpShape,
): readonly ErrorFactory[] {
  const { guards, inputGuards, enhancers, errors: declared } = definition;
  const errors = [
    ...(readsInput ? [defaultErrors.BadRequest] : []),
    ...(readsInput && envelope.validationStatus !== 400 ? [Unprocessable] : []),
    ...guards.flatMap((guard) => [
      ...(guard.security === undefined ? [] : [defaultErrors.Unauthorized]),
      ...(guard.errors.length > 0 ? guard.errors : [defaultErrors.Unauthorized, defaultErrors.Forbidden]),
    ]),
    ...inputGuards.flatMap((guard) => (guard.errors.length > 0 ? guard.errors : [defaultErrors.Forbidden])),
    ...(hasBody ? [defaultErrors.PayloadTooLarge, defaultErrors.UnsupportedMediaType] : []),
    ...(takesForm ? [defaultErrors.Forbidden] : []),
    ...enhancers.flatMap((enhancer) => enhancer.errors),
    ...declared,
    defaultErrors.Internal,
    defaultErrors.Timeout,
  ];
  const different = new Map(errors.map((error) => [`${error.status} ${error.errorName}`, error]));
  return [...different.values()].sort((one, other) => one.status - other.status);
}
