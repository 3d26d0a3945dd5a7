import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure } from '../errors/failure.ts';
import type { ErrorMeta } from '../errors/framework-error.ts';
import { andThen, type MaybePromise, type Outcome } from '../errors/outcome.ts';
import { cutReceived, toReceived, UNSEEN } from './received.ts';
import type { Schema } from './schema.ts';
import { createSchemaParser, type Issue, type ParseResult, type ParseSchema } from './schema-parser.ts';

/** Gives the valid value, or the failure that tells the caller each wrong field. Synchronous unless the schema is not. */
export type Validator = (input: unknown) => MaybePromise<Outcome>;

/** One wrong field: `{path: 'email', message: 'Invalid email', code: 'invalid_format', received: 'x'}`. The root has the path `''`. */
export interface FieldProblem {
  /** Names and indexes with dots between them: `address.city`, `tags.0`. */
  readonly path: string;
  /** The reason, for people. */
  readonly message: string;
  /** The kind of the problem, as zod names it: `invalid_type`. */
  readonly code: string;
  /** The value that was sent, cut where it is long; absent where its name looks like that of a secret. */
  readonly received?: unknown;
}

/** The `meta` of a failure as it is told in words. */
export interface ToldMeta {
  /** Empty where it is not of a validation. */
  readonly fields: readonly FieldProblem[];
  /** The number of further wrong fields. */
  readonly omitted: number;
  /** Everything else. */
  readonly facts: ErrorMeta;
}

/** Tells the wrong fields of a validation from what an application says in its own errors. */
export function toToldMeta(meta: ErrorMeta = {}): ToldMeta {
  const { issues: _texts, fields, omitted = 0, ...facts } = meta;
  return Array.isArray(fields)
    ? { fields: fields as readonly FieldProblem[], omitted: Number(omitted), facts }
    : { fields: [], omitted: 0, facts: meta };
}

/** The validator of a schema; without a schema every input is valid as it is. Compiled when it is first used. */
export function createValidator(schema: Schema | undefined): Validator {
  if (schema === undefined) return (value) => ({ ok: true, value });
  let parse: ParseSchema | undefined;
  return (input) => {
    parse ??= createSchemaParser(schema);
    return andThen(parse(input), (result) => toOutcome(result, input));
  };
}

function toOutcome(result: ParseResult, input: unknown): Outcome {
  return result.success ? { ok: true, value: result.data } : { ok: false, failure: toValidationFailure(result, input) };
}

/**
 * 400 `BadRequest` with `meta.issues` (`["email: Invalid email"]`) and `meta.fields` ({@link FieldProblem}), and in `meta.omitted` how many
 * more there are, where there are more.
 */
function toValidationFailure({ issues, omitted }: Invalid, input: unknown): Failure {
  const problems = toFitting(issues.map((issue) => toFieldProblem(issue, input)));
  const rest = issues.length - problems.length + omitted;
  return failure(defaultErrors.BadRequest, 'Input validation failed', {
    issues: problems.map(toIssueText),
    fields: problems,
    ...(rest === 0 ? {} : { omitted: rest }),
  });
}

type Invalid = Extract<ParseResult, { readonly success: false }>;

/** The part of the answer that the problems may take, bytes: with the envelope it stays below 64 KiB. */
const MAX_BYTES = 60 * 1024;
/** As many of the longest problems fit. Fewer are not measured, which would take as long as making them. */
const SURELY_FITTING = 4;
/** The longest path and the longest message, characters: the names in an input are the caller's, and some messages repeat them. */
const MAX_LENGTH = 500;

function toFieldProblem({ path: steps, message: whole, code = 'custom' }: Issue, input: unknown): FieldProblem {
  const path = cutReceived(steps.length === 1 ? String(steps[0]) : steps.map(String).join('.'), MAX_LENGTH);
  const message = cutReceived(whole, MAX_LENGTH);
  const received = toReceived(input, steps);
  return received === UNSEEN ? { path, message, code } : { path, message, code, received };
}

/** The first ones that fit into an answer together. */
function toFitting(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  if (problems.length <= SURELY_FITTING) return problems;
  let bytes = 0;
  const end = problems.findIndex((problem) => {
    bytes += Buffer.byteLength(JSON.stringify([problem, toIssueText(problem)]));
    return bytes > MAX_BYTES;
  });
  return end === -1 ? problems : problems.slice(0, end);
}

/** `email: Invalid email`. */
export function toIssueText({ path, message }: FieldProblem): string {
  return path === '' ? message : `${path}: ${message}`;
}
