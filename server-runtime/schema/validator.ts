import * as zod from 'zod/v4/core';
import { defaultErrors } from '../errors/default-errors.ts';
import { findNearest } from '../errors/expect-options.ts';
import { andThen, type Failure, failure, type MaybePromise, type Outcome } from '../errors/failure.ts';
import { describe } from './describe.ts';
import { isObject, isRaw, type JsonBranch, type Lens, toChoices } from './lens.ts';
import { cutReceived, type FieldProblem, findSent, toReceived } from './received.ts';
import { isZodSchema, type Schema } from './schema.ts';
import type { Issue, ParseResult } from './schema-parser.ts';

/** Gives the valid value, or the failure with each wrong field. Synchronous unless the schema is not. */
export type Validator = (input: unknown) => MaybePromise<Outcome>;

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
      (result): Outcome => (result.ok ? result : { ok: false, failure: toValidationFailure(result, schema, input) }),
    );
}

/** 400 with `meta.issues` (`["email: Invalid email"]`), `meta.fields`, and how many more, `meta.omitted`. */
function toValidationFailure(
  { issues, omitted }: Extract<ParseResult, { readonly ok: false }>,
  schema: Schema,
  input: unknown,
): Failure {
  // A field that nobody knows, beside one that is missing, was most likely meant for it.
  const places = issues.flatMap(({ path, code, keys }) => {
    const isMissing = ofKinds.has(code) && path.length > 0 && findSent(input, path) === undefined;
    return keys !== undefined ? [toPlace(path)] : isMissing ? [toPlace(path.slice(0, -1))] : [];
  });
  const unknown = places.length === 0 ? [] : findUnknown(describe(schema).lens, input);
  const meant = unknown.filter(({ path }) => places.includes(toPlace(path.slice(0, -1))));
  const all = [
    ...issues.map((issue) => ({ ...issue, message: toMessage(issue) + toOthers(issue, schema) })),
    ...meant,
  ].map((issue) => toProblem(issue, input));
  let bytesLeft = MAX_BYTES;
  const fitting =
    all.length <= SURELY_FITTING
      ? all
      : all.filter((each) => (bytesLeft -= Buffer.byteLength(JSON.stringify([each, toIssueText(each)]))) >= 0);
  const rest = Math.max(0, issues.length - fitting.length) + omitted;
  return toBadInput(fitting, rest === 0 ? {} : { omitted: rest });
}

export function toBadInput(fields: readonly FieldProblem[], more: object = {}): Failure {
  const issues = fields.map(toIssueText);
  return failure(defaultErrors.BadRequest, 'Input validation failed', { issues, fields, ...more });
}

/** `email: Invalid email`. */
export function toIssueText({ path, message }: Pick<FieldProblem, 'path' | 'message'>): string {
  return path === '' ? message : `${path}: ${message}`;
}

function toPlace(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function toProblem({ path, message, code = 'custom', keys }: Issue, input: unknown): FieldProblem {
  return {
    path: cutReceived(toPlace(path), MAX_LENGTH),
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
  const inner = [...(issue.errors ?? []), issue.issues].flatMap((each) => each?.[0] ?? []);
  if (issue.format === 'template_literal') return `${issue.message}: must match ${issue.pattern}`;
  if (inner.length === 0 || !isOfZod(issue)) return issue.message;
  const words = inner.map((each) => {
    const text = toMessage(each)
      .replace(/^Invalid input: /, '')
      .replace(/, received \w+$/, '')
      .replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
    return toIssueText({ path: toPlace(each.path), message: text });
  });
  return `${issue.message}: ${[...new Set(words)].join(' or ')}`;
}

/** The values that are taken besides: of a choice zod may tell the fault of the one branch whose type fits. */
function toOthers(issue: Issue, schema: Schema): string {
  if (!isZodSchema(schema) || !ofValues.has(issue.code) || !isOfZod(issue)) return '';
  const field = issue.path.reduce<Lens | undefined>((at, step) => at?.inside(String(step)), describe(schema).lens);
  const choices = new Set(field?.branches.flatMap(toChoices).map((each) => JSON.stringify(each)));
  return choices.size === 0 ? '' : `; otherwise expected ${[...choices].join(' or ')}`;
}

/** The codes of a value of the wrong type, and of one that is wrong though its type is right. */
const ofKinds: ReadonlySet<unknown> = new Set(['invalid_type', 'invalid_value']);
const ofValues: ReadonlySet<unknown> = new Set(['invalid_format', 'too_small', 'too_big', 'not_multiple_of']);

function isOfZod(issue: Issue): boolean {
  const text = zod.config().localeError?.(issue as zod.$ZodRawIssue);
  return (typeof text === 'string' ? text : text?.message) === issue.message;
}

/** The first few fields of a valid input that its schema drops without a word: one was most likely misspelt. */
export function findDroppedFields(schema: Schema | undefined, input: unknown): readonly FieldProblem[] {
  return schema === undefined ? [] : findUnknown(describe(schema).lens, input).map((issue) => toProblem(issue, input));
}

/** A caller can send any number of unknown fields and items; these are enough to see what is wrong. */
const MAX_KEYS = 5;
const MAX_LOOKED_AT = 20;

/** The fields of an input that no branch of its schema has, where an object has fields and takes no others. */
function findUnknown(root: Lens, input: unknown): readonly Issue[] {
  const found: Issue[] = [];
  look(root, input, []);
  return found;

  function look(lens: Lens | undefined, value: unknown, parent: readonly string[]): void {
    if (lens === undefined || typeof value !== 'object' || value === null || parent.length > MAX_LOOKED_AT) return;
    const isList = Array.isArray(value);
    const names = [...new Set(lens.branches.filter(isObject).flatMap(({ properties }) => Object.keys(properties)))];
    if (!isList && (names.length === 0 || lens.branches.some(takesAnyField))) return;
    for (const [key, inner] of Object.entries(isList ? value.slice(0, MAX_LOOKED_AT) : value)) {
      if (found.length >= MAX_KEYS) return;
      const path = [...parent, key];
      if (isList || names.includes(key)) look(lens.inside(key), inner, path);
      else found.push({ path, code: 'unknown_key', message: `There is no such field. ${toAdvice(key, names)}` });
    }
  }
}

function takesAnyField(branch: JsonBranch): boolean {
  const { type, additionalProperties = false } = branch;
  return isRaw(branch) || type === undefined || (isObject(branch) && additionalProperties !== false);
}

/** `Did you mean email?`, `The fields are id and name.` */
function toAdvice(key: string, names: readonly string[]): string {
  const nearest = findNearest(key, names);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  const more = names.length > MAX_LOOKED_AT ? ' and more' : '';
  return `The fields are ${names.slice(0, MAX_LOOKED_AT).join(', ')}${more}.`;
}
