import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure } from '../errors/failure.ts';
import { andThen, type MaybePromise, type Outcome } from '../errors/outcome.ts';
import { type Issue, type ParseResult, type ParseSchema, toParseSchema } from './parse-schema.ts';
import { toReceived, UNSEEN } from './received-value.ts';
import type { Schema } from './schema.ts';

/** Gives the valid value, or the failure that tells the caller each wrong field. Synchronous unless the schema is not. */
export type Validator = (input: unknown) => MaybePromise<Outcome>;

/** One wrong field: `{path: 'email', message: 'Invalid email', code: 'invalid_format', received: 'x'}`. The root has the path `''`. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
  readonly code: string;
  readonly received?: unknown;
}

/** The validator of a schema; without a schema every input is valid as it is. Compiled when it is first used. */
export function toValidator(schema: Schema | undefined): Validator {
  if (schema === undefined) return (value) => ({ ok: true, value });
  let parse: ParseSchema | undefined;
  return (input) => {
    parse ??= toParseSchema(schema);
    return andThen(parse(input), (result) => toOutcome(result, input));
  };
}

function toOutcome(result: ParseResult, input: unknown): Outcome {
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, failure: toValidationFailure(result.error.issues, input) };
}

/** 400 `BadRequest` with `meta.issues` (`["email: Invalid email"]`) and `meta.fields` ({@link FieldProblem}). */
export function toValidationFailure(issues: readonly Issue[], input: unknown): Failure {
  const fields = issues.map((issue) => toFieldProblem(issue, input));
  return failure(defaultErrors.BadRequest, 'Input validation failed', {
    issues: fields.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
    fields,
  });
}

function toFieldProblem({ path: steps, message, code = 'custom' }: Issue, input: unknown): FieldProblem {
  const path = steps.length === 1 ? String(steps[0]) : steps.map(String).join('.');
  const received = toReceived(input, steps);
  return received === UNSEEN ? { path, message, code } : { path, message, code, received };
}
