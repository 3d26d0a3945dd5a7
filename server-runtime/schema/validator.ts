import { defaultErrors } from '../errors/define-error.ts';
import { findNearest } from '../errors/expect-options.ts';
import { type Failure, failure, type Outcome } from '../errors/failure.ts';
import { andThen, type MaybePromise } from '../errors/maybe-promise.ts';
import { describe } from './describe.ts';
import type { Issue, ParseResult, ParseSchema } from './issues.ts';
import type { JsonBranch, Lens } from './lens.ts';
import {
  cutReceived,
  type FieldProblem,
  findSent,
  isDeclaredSecret,
  looksSecret,
  toReceived,
} from './received.ts';
import type { Schema } from './schema.ts';

/** Synchronous unless the schema is not. */
export type Validator = (input: unknown) => MaybePromise<Outcome>;

/** The part of the answer that the problems may take, bytes: with the envelope it stays below 64 KiB. */
const MAX_BYTES = 60 * 1024;
/** As many of the longest problems fit. Fewer are not measured, which would take as long as making them. */
const SURELY_FITTING = 4;
/** The longest path and message, characters: the names in an input are the caller's. */
const MAX_LENGTH = 500;

/**
 * `secrets` are fields of the input whose values are never sent back, besides those whose name or schema marks them.
 */
export function createValidator(
  schema: Schema | undefined,
  secrets: readonly string[] = [],
): Validator {
  if (schema === undefined) return (value) => ({ ok: true, value });
  let parse: ParseSchema | undefined;
  let facts: SchemaFacts | undefined;
  const finish = (result: ParseResult, input: unknown): MaybePromise<Outcome> => {
    if (result.ok) return result;
    facts ??= toFacts(schema);
    return facts.hasFieldOfMember
      ? andThen(describe(schema).validate(withoutMembers(input)), refuse, input)
      : refuse(result, input);
  };
  const refuse = (result: ParseResult, input: unknown): Outcome => {
    if (result.ok) return result;
    const checked = { schema, secrets, hasSecrets: facts?.hasSecrets ?? true };
    return { ok: false, failure: toInputFailure(result, checked, input) };
  };
  return (input) => {
    parse ??= describe(schema).validate;
    return andThen(parse(input), finish, input);
  };
}

/** What a schema holds anywhere: looked for once, at the first input that it refuses. */
interface SchemaFacts {
  /**
   * Whether a field is named as a member that every object has, such as `constructor`: libraries take that member for a
   * field that was sent. An input that such a schema refuses is parsed once more, without members.
   */
  readonly hasFieldOfMember: boolean;
  /** Whether it marks a value as a secret. */
  readonly hasSecrets: boolean;
}

function toFacts(schema: Schema): SchemaFacts {
  const text = JSON.stringify(describe(schema).input);
  return {
    hasFieldOfMember: memberNames.test(text),
    hasSecrets: text.includes('"secret":true') || text.includes('"format":"password"'),
  };
}

const memberNames = new RegExp(`"(${Object.getOwnPropertyNames(Object.prototype).join('|')})":`);

/** A copy whose objects have no members except their fields. */
function withoutMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMembers);
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withoutMembers(field)]);
  return Object.setPrototypeOf(Object.fromEntries(fields), null);
}

interface Checked {
  readonly schema: Schema;
  readonly secrets: readonly string[];
  /** Whether the schema itself marks a value as a secret. */
  readonly hasSecrets: boolean;
}

function toInputFailure(result: WrongResult, checked: Checked, input: unknown): Failure {
  const { issues, omitted } = result;
  const { schema } = checked;
  let all = issues.map((issue) => toProblem(issue, input, checked));
  // An unknown field beside a missing one was most likely meant to be that one.
  const isMissing = ({ code, path, keys }: Issue): boolean =>
    keys !== undefined ||
    ((code === 'invalid_type' || code === 'invalid_value') && findSent(input, path) === undefined);
  if (issues.some(isMissing)) all = [...all, ...findDroppedFields(schema, input)];
  if (all.length > SURELY_FITTING) all = toFitting(all);
  const rest = Math.max(0, issues.length - all.length) + omitted;
  return toBadInput(all, rest === 0 ? {} : { omitted: rest });
}

type WrongResult = Exclude<ParseResult, { readonly ok: true }>;

/** Leaves out the problems for which the answer has no room. */
function toFitting(problems: readonly FieldProblem[]): FieldProblem[] {
  let bytesLeft = MAX_BYTES;
  return problems.filter((problem) => {
    bytesLeft -= Buffer.byteLength(JSON.stringify([problem, toIssueText(problem)]));
    return bytesLeft >= 0;
  });
}

export function toBadInput(fields: readonly FieldProblem[], more: object = {}): Failure {
  const issues = fields.map(toIssueText);
  return failure(defaultErrors.BadRequest, 'Input validation failed', { issues, fields, ...more });
}

export function toIssueText({ path, message }: Pick<FieldProblem, 'path' | 'message'>): string {
  return path === '' ? message : `${path}: ${message}`;
}

export function toPlace(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step, at) => (at === 0 ? String(step) : `${text}.${String(step)}`),
    '',
  );
}

function toProblem(issue: Issue, input: unknown, checked?: Checked): FieldProblem {
  const { path: steps, code = 'custom' } = issue;
  const path = cutReceived(toPlace(steps), MAX_LENGTH);
  const message = cutReceived(toMessage(issue), MAX_LENGTH);
  const isSecret = looksSecret(path) || (checked !== undefined && isMarkedSecret(checked, steps));
  const isShown = path.length < MAX_LENGTH && !isSecret;
  const received = isShown ? toReceived(findSent(input, steps)) : undefined;
  return received === undefined ? { path, message, code } : { path, message, code, received };
}

/** Whether a schema on the way to a value, or at its origin, marks the value as a secret. */
function isMarkedSecret(
  { schema, secrets, hasSecrets }: Checked,
  steps: readonly PropertyKey[],
): boolean {
  if (secrets.includes(String(steps[0]))) return true;
  if (!hasSecrets) return false;
  let lens: Lens | undefined = describe(schema).lens;
  for (const step of steps) {
    lens = lens?.inside(String(step));
    if (lens?.branches.some(isDeclaredSecret) === true) return true;
  }
  // A text may stand where a list of secrets is expected.
  return lens?.inside('0')?.branches.some(isDeclaredSecret) === true;
}

/** The message of zod, with those of each branch of a choice and of a key of a record, which it leaves out. */
function toMessage({ message, errors, issues, format, pattern }: Issue): string {
  if (format === 'template_literal') return `${message}: must match ${pattern}`;
  const inner = errors?.flatMap((each) => each[0] ?? []) ?? issues?.slice(0, 1);
  const isSilent = message === 'Invalid input' || message === 'Invalid key in record';
  if (inner === undefined || inner.length === 0 || !isSilent) return message;
  const words = inner.map((each) => {
    const rest = /^Invalid input: |, received \w+$|^[A-Z](?=[a-z ])/g;
    const text = toMessage(each).replace(rest, (part) =>
      part.length === 1 ? part.toLowerCase() : '',
    );
    return toIssueText({ path: toPlace(each.path), message: text });
  });
  return `${message}: ${[...new Set(words)].join(' or ')}`;
}

/** A caller can send any number of unknown fields and items; these are enough to recognise the mistake. */
const MAX_KEYS = 5;
const MAX_LOOKED_AT = 20;

/** The first few fields of an input that no branch of its schema has: one was most likely misspelt. */
export function findDroppedFields(
  schema: Schema | undefined,
  input: unknown,
): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  if (schema !== undefined) look(describe(schema).lens, input, []);
  return found;

  function look(lens: Lens | undefined, value: unknown, parent: readonly string[]): void {
    if (lens === undefined || !isHolder(value)) return;
    if (found.length >= MAX_KEYS || parent.length > MAX_LOOKED_AT) return;
    const isList = Array.isArray(value);
    if (!isList && takesAnyField(lens)) return;
    const { fields } = lens.object;
    const parts = Object.entries(isList ? value.slice(0, MAX_LOOKED_AT) : value);
    for (const [key, inner] of parts) {
      const path = [...parent, key];
      if (isList || fields.has(key)) look(lens.inside(key), inner, path);
      else if (found.length < MAX_KEYS) found.push(toUnknownKey(path, [...fields.keys()]));
    }
  }

  function toUnknownKey(path: readonly string[], names: readonly string[]): FieldProblem {
    const message = toAdvice(path[path.length - 1] ?? '', names);
    return toProblem({ path, code: 'unknown_key', message }, input);
  }
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function takesAnyField({ object, branches }: Lens): boolean {
  return object.fields.size === 0 || branches.some(isOpen);
}

function isOpen({ type, additionalProperties: rest, 'x-capix-raw': isRaw }: JsonBranch): boolean {
  if (isRaw === true || type === undefined) return true;
  return type === 'object' && rest !== undefined && rest !== false;
}

function toAdvice(key: string, names: readonly string[]): string {
  const nearest = findNearest(key, names);
  if (nearest !== undefined) return `There is no such field. Did you mean ${nearest}?`;
  const more = names.length > MAX_LOOKED_AT ? ' and more' : '';
  return `There is no such field. The fields are ${names.slice(0, MAX_LOOKED_AT).join(', ')}${more}.`;
}
