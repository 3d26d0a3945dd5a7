import * as zod from 'zod/v4/core';
import { defaultErrors } from '../errors/default-errors.ts';
import { andThen, type Failure, failure, type MaybePromise, type Outcome } from '../errors/failure.ts';
import { describe } from './describe.ts';
import { type Lens, toChoices } from './lens.ts';
import { cutReceived, findSent, toReceived } from './received.ts';
import { isZodSchema, type Schema } from './schema.ts';
import type { Issue, ParseResult } from './schema-parser.ts';
import { findUnknownKeys, type UnknownKey } from './unknown-keys.ts';

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
          : { ok: false, failure: toValidationFailure(result, schema, input) },
    );
}

type Invalid = Extract<ParseResult, { readonly success: false }>;

/**
 * 400 `BadRequest` with `meta.issues` (`["email: Invalid email"]`) and `meta.fields` ({@link FieldProblem}), and in
 * `meta.omitted` how many more there are, where there are more.
 */
function toValidationFailure({ issues, omitted }: Invalid, schema: Schema, input: unknown): Failure {
  // A field that nobody knows, beside one that is missing, was most likely meant for it.
  const places = issues.flatMap(({ path, code, keys }) => {
    const isMissing = ofKinds.has(code) && path.length > 0 && findSent(input, path) === undefined;
    return keys !== undefined ? [path] : isMissing ? [path.slice(0, -1)] : [];
  });
  const unknown = places.length === 0 || omitted > 0 ? [] : findUnknownKeys(schema, input);
  const meant = unknown.filter(({ parent }) => places.some((path) => path.map(String).join() === parent.join()));
  const all = [
    ...issues.map((issue) => toProblem({ ...issue, message: toMessage(issue) + toOthers(issue, schema) }, input)),
    ...meant.map((key) => toUnknownProblem(key, input)),
  ];
  let bytesLeft = MAX_BYTES;
  const fitting =
    all.length <= SURELY_FITTING
      ? all
      : all.filter((each) => (bytesLeft -= Buffer.byteLength(JSON.stringify([each, toIssueText(each)]))) >= 0);
  const rest = Math.max(0, issues.length - fitting.length) + omitted;
  return toBadInput(fitting, rest === 0 ? {} : { omitted: rest });
}

/** 400 `BadRequest` for fields of an input. */
export function toBadInput(fields: readonly FieldProblem[], more: object = {}): Failure {
  return failure(defaultErrors.BadRequest, 'Input validation failed', {
    issues: fields.map(toIssueText),
    fields,
    ...more,
  });
}

/** `email: Invalid email`. */
export function toIssueText({ path, message }: Pick<FieldProblem, 'path' | 'message'>): string {
  return path === '' ? message : `${path}: ${message}`;
}

/**
 * The fields of a valid input that its schema drops without a word, the first few of them. Most likely an optional
 * field was meant and misspelt. An input without any field has none: some clients send one that they made up.
 */
export function findDroppedFields(schema: Schema | undefined, input: unknown): readonly FieldProblem[] {
  return findUnknownKeys(schema, input).map((key) => toUnknownProblem(key, input));
}

function toUnknownProblem({ parent, key, advice }: UnknownKey, input: unknown): FieldProblem {
  const message = `There is no such field. ${advice}`;
  return toProblem({ path: [...parent, key], message, code: 'unknown_key' }, input);
}

function toProblem({ path, message, code = 'custom', keys }: Issue, input: unknown): FieldProblem {
  return {
    path: cutReceived(path.map(String).join('.'), MAX_LENGTH),
    message: cutReceived(message, MAX_LENGTH),
    code,
    // Fields that are too many are named; the whole object beside them would hide it.
    ...(keys === undefined && toReceived(input, path)),
  };
}

/**
 * The message of the library, with those of each branch of a choice and of a key of a record, which zod leaves out:
 * `Invalid input: expected number or expected "me"`. A message of the application's own is left as it is.
 */
function toMessage(issue: Issue): string {
  const { message, format, pattern, errors = [], issues = [] } = issue;
  if (format === 'template_literal') return `${message}: must match ${pattern}`;
  const inner = [...errors, issues].flatMap(([first]) => first ?? []);
  if (inner.length === 0) return message;
  if (!isOfZod(issue)) return message;
  const words = inner.map((each) => {
    const text = toMessage(each)
      .replace(/^Invalid input: /, '')
      .replace(/, received \w+$/, '');
    return [each.path.map(String).join('.'), text].filter(Boolean).join(': ');
  });
  return `${message}: ${[...new Set(words)].join(' or ')}`;
}

/** The values that are taken besides: of a choice zod may tell the fault of the one branch whose type fits. */
function toOthers(issue: Issue, schema: Schema): string {
  if (!isZodSchema(schema) || !ofValues.has(issue.code) || !isOfZod(issue)) return '';
  const lens = issue.path.reduce<Lens | undefined>((at, step) => at?.inside(String(step)), describe(schema).lens);
  const choices = new Set(lens?.branches.flatMap(toChoices).map((each) => JSON.stringify(each)));
  return choices.size === 0 ? '' : `; otherwise expected ${[...choices].join(' or ')}`;
}

function isOfZod(issue: Issue): boolean {
  const text = zod.config().localeError?.(issue as zod.$ZodRawIssue);
  return (typeof text === 'string' ? text : text?.message) === issue.message;
}

/** The codes of a value of the wrong type, and of one that is wrong though its type is right. */
const ofKinds: ReadonlySet<unknown> = new Set(['invalid_type', 'invalid_value']);
const ofValues: ReadonlySet<unknown> = new Set(['invalid_format', 'too_small', 'too_big', 'not_multiple_of']);
