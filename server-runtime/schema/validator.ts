import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure } from '../errors/failure.ts';
import { andThen, type MaybePromise, type Outcome } from '../errors/outcome.ts';
import { describe } from './describe.ts';
import { findFieldNames } from './find-field-names.ts';
import { findUnknownKeys, type UnknownKey } from './find-unknown-keys.ts';
import { cutReceived, findSent, toReceived, UNSEEN } from './received.ts';
import type { Schema } from './schema.ts';
import type { Issue, ParseResult } from './schema-parser.ts';
import { toTellingMessage } from './to-telling-message.ts';

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

/** The validator of a schema; without a schema every input is valid as it is. Compiled when it is first used. */
export function createValidator(schema: Schema | undefined): Validator {
  if (schema === undefined) return (value) => ({ ok: true, value });
  const description = describe(schema);
  return (input) => andThen(description.validate(input), (result) => toOutcome(result, { schema, input }));
}

/** An input, and the schema that it was sent to. */
interface Sent {
  readonly schema: Schema;
  readonly input: unknown;
}

function toOutcome(result: ParseResult, sent: Sent): Outcome {
  return result.success ? { ok: true, value: result.data } : { ok: false, failure: toValidationFailure(result, sent) };
}

/**
 * 400 `BadRequest` with `meta.issues` (`["email: Invalid email"]`) and `meta.fields` ({@link FieldProblem}), and in `meta.omitted` how many
 * more there are, where there are more.
 */
function toValidationFailure({ issues, omitted }: Invalid, sent: Sent): Failure {
  const { schema, input } = sent;
  const unknown = issues.some((issue) => isMissing(issue, input) || issue.keys !== undefined)
    ? findUnknownKeys(schema, input)
    : [];
  const wrong = issues.map((issue) => toFieldProblem(issue, sent, unknown));
  const isWhole = omitted > 0 || unknown.length === 0;
  const problems = toFitting(isWhole ? wrong : [...wrong, ...toMisspelt(issues, { unknown, input })]);
  const rest = Math.max(0, issues.length - problems.length) + omitted;
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

function toFieldProblem(issue: Issue, { schema, input }: Sent, unknown: readonly UnknownKey[]): FieldProblem {
  const { path: steps, code = 'custom', keys } = issue;
  const path = cutReceived(steps.length === 1 ? String(steps[0]) : steps.map(String).join('.'), MAX_LENGTH);
  const advice = keys && unknown.find((each) => keys.includes(each.key) && isAt(each, steps))?.advice;
  const told = toTellingMessage(schema, issue, input);
  const message = cutReceived(advice === undefined ? told : `${told}. ${advice}`, MAX_LENGTH);
  // What is too much is named already; the whole object beside it would hide it.
  const received = keys === undefined ? toReceived(input, steps) : UNSEEN;
  return received === UNSEEN ? { path, message, code } : { path, message, code, received };
}

/** Fields that were sent beside one that is missing: most likely one of them was meant. */
function toMisspelt(
  issues: readonly Issue[],
  { unknown, input }: { readonly unknown: readonly UnknownKey[]; readonly input: unknown },
): readonly FieldProblem[] {
  const isTold = (key: UnknownKey): boolean =>
    issues.some((issue) => isMissing(issue, input) && isAt(key, issue.path.slice(0, -1))) &&
    !issues.some((issue) => issue.keys?.includes(key.key) === true && isAt(key, issue.path));
  return unknown.filter(isTold).map((key) => toUnknownProblem(key, input));
}

function toUnknownProblem({ parent, key, advice }: UnknownKey, input: unknown): FieldProblem {
  const steps = [...parent, key];
  const path = cutReceived(steps.join('.'), MAX_LENGTH);
  const problem = { path, message: cutReceived(`There is no such field. ${advice}`, MAX_LENGTH), code: 'unknown_key' };
  const received = toReceived(input, steps);
  return received === UNSEEN ? problem : { ...problem, received };
}

/**
 * The fields of a valid input that its schema drops without a word, the first few of them. Most likely an optional field was meant and misspelt. An
 * input without any field has none: some clients send one that they made up.
 */
export function findDroppedFields(schema: Schema | undefined, input: unknown): readonly FieldProblem[] {
  if (findFieldNames(schema)?.size === 0) return [];
  return findUnknownKeys(schema, input).map((key) => toUnknownProblem(key, input));
}

/** 400 `BadRequest` for fields that a schema would drop. */
export function toDroppedFailure(fields: readonly FieldProblem[]): Failure {
  return failure(defaultErrors.BadRequest, 'Input validation failed', { issues: fields.map(toIssueText), fields });
}

function isMissing({ code, path }: Issue, input: unknown): boolean {
  return (
    (code === 'invalid_type' || code === 'invalid_value') && path.length > 0 && findSent(input, path) === undefined
  );
}

/** Whether the object that a field is in stands at that place. */
function isAt({ parent }: UnknownKey, path: readonly PropertyKey[]): boolean {
  return parent.length === path.length && parent.every((step, at) => step === String(path[at]));
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
