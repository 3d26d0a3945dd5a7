import { defaultErrors } from '../errors/default-errors.ts';
import { andThen, type Failure, failure, type MaybePromise, type Outcome } from '../errors/failure.ts';
import { describe } from './describe.ts';
import { cutReceived, findSent, toReceived, UNSEEN } from './received.ts';
import type { Schema } from './schema.ts';
import type { Issue, ParseResult } from './schema-parser.ts';
import { findUnknownKeys, toTellingMessage, type UnknownKey } from './to-telling-message.ts';

/** Gives the valid value, or the failure with each wrong field. Synchronous unless the schema is not. */
export type Validator = (input: unknown) => MaybePromise<Outcome>;

/** One wrong field: `{path: 'email', message, code: 'invalid_format', received: 'x'}`. The root's path is `''`. */
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

/** The part of the answer that the problems may take, bytes: with the envelope it stays below 64 KiB. */
const MAX_BYTES = 60 * 1024;
/** As many of the longest problems fit. Fewer are not measured, which would take as long as making them. */
const SURELY_FITTING = 4;
/** The longest path and message, characters: the names in an input are the caller's. */
const MAX_LENGTH = 500;

/** The validator of a schema; without a schema every input is valid as it is. Compiled when it is first used. */
export function createValidator(schema: Schema | undefined): Validator {
  if (schema === undefined) return (value) => ({ ok: true, value });
  const description = describe(schema);
  return (input) =>
    andThen(
      description.validate(input),
      (result): Outcome =>
        result.success
          ? { ok: true, value: result.data }
          : { ok: false, failure: toValidationFailure(result, { schema, input }) },
    );
}

/** An input, and the schema that it was sent to. */
interface Sent {
  readonly schema: Schema;
  readonly input: unknown;
}

/**
 * 400 `BadRequest` with `meta.issues` (`["email: Invalid email"]`) and `meta.fields` ({@link FieldProblem}), and in
 * `meta.omitted` how many more there are, where there are more.
 */
function toValidationFailure({ issues, omitted }: Invalid, { schema, input }: Sent): Failure {
  const missing = issues.filter((issue) => isMissing(issue, input));
  const isLookedFor = missing.length > 0 || issues.some(({ keys }) => keys !== undefined);
  const unknown = isLookedFor ? findUnknownKeys(schema, input) : [];
  const wrong = issues.map((issue) => {
    const { path, code = 'custom', keys } = issue;
    const told = toTellingMessage(schema, issue, input);
    const advice = keys && unknown.find((each) => keys.includes(each.key) && isAt(each, path))?.advice;
    const message = advice === undefined ? told : `${told}. ${advice}`;
    // What is too much is named already; the whole object beside it would hide it.
    return toProblem({ path, message, code, received: keys === undefined ? toReceived(input, path) : UNSEEN });
  });
  // A field that was sent beside one that is missing: most likely that one was meant.
  const misspelt = unknown.filter(
    (each) =>
      missing.some(({ path }) => isAt(each, path.slice(0, -1))) &&
      !issues.some(({ keys, path }) => keys?.includes(each.key) === true && isAt(each, path)),
  );
  const problems = toFitting(omitted > 0 ? wrong : [...wrong, ...misspelt.map((key) => toUnknownProblem(key, input))]);
  const rest = Math.max(0, issues.length - problems.length) + omitted;
  return toBadInput(problems, rest === 0 ? {} : { omitted: rest });
}

type Invalid = Extract<ParseResult, { readonly success: false }>;

/** 400 `BadRequest` for fields of an input. */
export function toBadInput(fields: readonly FieldProblem[], more: object = {}): Failure {
  return failure(defaultErrors.BadRequest, 'Input validation failed', {
    issues: fields.map(toIssueText),
    fields,
    ...more,
  });
}

/** `email: Invalid email`. */
export function toIssueText({ path, message }: FieldProblem): string {
  return path === '' ? message : `${path}: ${message}`;
}

/**
 * The fields of a valid input that its schema drops without a word, the first few of them. Most likely an optional
 * field was meant and misspelt. An input without any field has none: some clients send one that they made up.
 */
export function findDroppedFields(schema: Schema | undefined, input: unknown): readonly FieldProblem[] {
  return findUnknownKeys(schema, input)
    .filter(({ parent, names }) => parent.length > 0 || names > 0)
    .map((key) => toUnknownProblem(key, input));
}

function toUnknownProblem({ parent, key, advice }: UnknownKey, input: unknown): FieldProblem {
  const path = [...parent, key];
  const message = `There is no such field. ${advice}`;
  return toProblem({ path, message, code: 'unknown_key', received: toReceived(input, path) });
}

function toProblem({ path, message, code, received }: Omit<FieldProblem, 'path'> & Pick<Issue, 'path'>): FieldProblem {
  const name = cutReceived(path.map(String).join('.'), MAX_LENGTH);
  const text = cutReceived(message, MAX_LENGTH);
  return received === UNSEEN ? { path: name, message: text, code } : { path: name, message: text, code, received };
}

function isMissing({ code, path }: Issue, input: unknown): boolean {
  const isOfValue = code === 'invalid_type' || code === 'invalid_value';
  return isOfValue && path.length > 0 && findSent(input, path) === undefined;
}

/** Whether the object that a field is in stands at that place. */
function isAt({ parent }: UnknownKey, path: readonly PropertyKey[]): boolean {
  return parent.length === path.length && parent.every((step, at) => step === String(path[at]));
}

/** The first ones that fit into an answer together. */
function toFitting(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  if (problems.length <= SURELY_FITTING) return problems;
  let left = MAX_BYTES;
  const end = problems.findIndex((problem) => {
    left -= Buffer.byteLength(JSON.stringify([problem, toIssueText(problem)]));
    return left < 0;
  });
  return end === -1 ? problems : problems.slice(0, end);
}
