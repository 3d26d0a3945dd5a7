import * as zod from 'zod/v4/core';
import { andThen, type MaybePromise, type Outcome } from '../errors/failure.ts';
import type { JsonSchema } from './json-schema.ts';
import { isObject, Lens } from './lens.ts';
import { findSent } from './received.ts';
import {
  definitionOf,
  isOfOurZod,
  type Schema,
  type StandardIssue,
  type StandardSchema,
} from './schema.ts';
import { type OnNode, toJsonSchema } from './to-json-schema.ts';

/** Describes schemas, each once. `onNode` is told of what is in them. */
export function createDescriber(
  onNode?: OnNode,
): (schema: Schema) => ReturnType<typeof toDescription> {
  const known = new WeakMap<Schema, ReturnType<typeof toDescription>>();
  return (schema) => {
    const description = known.get(schema) ?? toDescription(schema, onNode);
    known.set(schema, description);
    return description;
  };
}

export const describe = createDescriber();

/** All that the library knows of a schema. Each part is made when it is first asked for. */
function toDescription(schema: Schema, onNode: OnNode | undefined) {
  const made: { input?: JsonSchema; output?: JsonSchema; lens?: Lens; validate?: ParseSchema } = {};
  return {
    /** The JSON Schema of an input, with marks. Fields with a default are optional. */
    get input(): JsonSchema {
      return (made.input ??= toJsonSchema(schema, 'input', onNode));
    },
    /** The JSON Schema of an answer as it is sent, with marks. */
    get output(): JsonSchema {
      return (made.output ??= toJsonSchema(schema, 'output', onNode));
    },
    get lens(): Lens {
      return (made.lens ??= new Lens(this.input));
    },
    get validate(): ParseSchema {
      return (made.validate ??= createParser(schema));
    },
  };
}

/** The names of the fields of any object that is taken, and whether nothing else is. */
export function findFieldNames(schema: Schema | undefined): {
  names: ReadonlySet<string>;
  isOneObject: boolean;
} {
  if (schema === undefined) return { names: new Set(), isOneObject: false };
  // Servers ask at start, where describing every schema would take the most time.
  const { type, shape } = definitionOf(schema);
  if (type === 'object' && shape !== undefined)
    return { names: new Set(Object.keys(shape)), isOneObject: true };
  const { branches, object } = describe(schema).lens;
  const isRecord = object.fields.size === 0 && 'additionalProperties' in object.json;
  const isOneObject = branches.length === 1 && branches.every(isObject) && !isRecord;
  return { names: new Set(object.fields.keys()), isOneObject };
}

/** An issue of a library. It may have inner ones: those of the key of a record, or of each branch of a choice. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly errors?: readonly (readonly Issue[])[] | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  /** The fields that were sent to an object that takes no others. */
  readonly keys?: readonly string[] | undefined;
}

/** No more than the first {@link MAX_ISSUES} issues, and the number of the others. */
export type ParseResult =
  | Extract<Outcome, { readonly ok: true }>
  | { readonly ok: false; readonly issues: readonly Issue[]; readonly omitted: number };

/** A caller can send faults by the hundred thousand in one body. */
const MAX_ISSUES = 50;

export type ParseSchema = (input: unknown) => MaybePromise<ParseResult>;

/** A library takes the members of every object for fields that were sent, where there are fields of their names. */
function createParser(schema: Schema): ParseSchema {
  const parse =
    '_zod' in schema
      ? createZodParser(schema as zod.$ZodType)
      : createStandardParser(schema as StandardSchema);
  let isConfused: boolean | undefined;
  const parseAgain = (result: ParseResult, value: unknown): MaybePromise<ParseResult> => {
    if (result.ok) return result;
    isConfused ??= memberNames.test(JSON.stringify(describe(schema).input));
    return isConfused ? parse(withoutMembers(value)) : result;
  };
  return (value) => andThen(parse(value), parseAgain, value);
}

const memberNames = new RegExp(`"(${Object.getOwnPropertyNames(Object.prototype).join('|')})":`);

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

function createZodParser(schema: zod.$ZodType): ParseSchema {
  const parts = toParts(schema);
  // Only running it would tell whether code returns a promise, and of a run that is given up one is left behind.
  const holdsCode = [...parts].some((part) => typeof part === 'function');
  for (const part of parts) boundList(part);
  // A compiled schema is several times as fast, and would run code twice on what is invalid. zod compiles from 4.6 on.
  const { run } = (
    holdsCode || !isOfOurZod(schema) || !('compile' in zod) ? schema : zod.compile(schema)
  )._zod;
  const context = { async: holdsCode, [BOUNDED]: true };
  return (input) => andThen(run({ value: input, issues: [] }, context), toParseResult);
}

function toParseResult({ value, issues }: zod.ParsePayload): ParseResult {
  if (issues.length === 0) return { ok: true, value };
  const told = issues.slice(0, MAX_ISSUES).map(finishIssue);
  return {
    ok: false,
    issues: told,
    omitted: issues.reduce((sum, issue) => sum + countOf(issue), -told.length),
  };
}

/** Gives an issue its text. Where the locale alone has a say in that, the copy of zod takes longer than the fault. */
function finishIssue(issue: zod.$ZodRawIssue & { schema?: zod.$ZodType | undefined }): Issue {
  const { customError, localeError } = zod.config();
  issue.schema ??= issue.inst as zod.$ZodType | undefined;
  const isOwn =
    issue.message || customError || issue.inst?._zod.def.error || issue.schema?._zod.def.error;
  const text = isOwn ? undefined : localeError?.(issue);
  if (typeof text !== 'string') return zod.util.finalizeIssue(issue, undefined, zod.config());
  return Object.assign(issue, { path: issue.path ?? [], message: text });
}

/** A schema and all functions and objects that its definition holds, at every depth. */
function toParts(part: unknown, found = new Set<unknown>()): ReadonlySet<unknown> {
  if ((typeof part !== 'object' && typeof part !== 'function') || part === null || found.has(part))
    return found;
  found.add(part);
  const definition = ((part as Partial<zod.$ZodType>)._zod?.def ?? part) as Readonly<
    Record<string, unknown>
  >;
  // Not by their values: that of a default asks the application for one.
  for (const name of Object.keys(definition).filter((each) => !quietParts.test(each)))
    toParts(name === 'getter' ? (definition[name] as () => unknown)() : definition[name], found);
  return found;
}

/** Parts with values or code of zod's own. */
const quietParts = /^(error|when|defaultValue|catchValue|values|entries|pattern|tx|_cachedInner)$/;

/** Lets a list or a record keep the issues of its first wrong items, in our runs alone. */
function boundList(part: unknown): void {
  const inner = (part as Partial<zod.$ZodType>)._zod;
  if (
    !/^(array|record|tuple)$/.test(inner?.def?.type ?? '') ||
    inner === undefined ||
    bounded.has(inner)
  )
    return;
  bounded.add(inner);
  const { run } = inner;
  inner.run = (payload, context) => {
    if (BOUNDED in context) Object.assign(payload.issues, { push: pushFirst });
    return run(payload, context);
  };
}

const BOUNDED = Symbol('capix.bounded');
const bounded = new WeakSet<object>();

/** Keeps the first {@link MAX_ISSUES} issues; the last one of them counts the others. */
function pushFirst(this: zod.$ZodRawIssue[], ...issues: readonly zod.$ZodRawIssue[]): number {
  for (const issue of issues) {
    const last = this[MAX_ISSUES - 1];
    if (last === undefined) this[this.length] = issue;
    else {
      // An issue that ends a parse still does, so that no code of the application is given the list.
      const isGoingOn = last.continue === true && issue.continue === true;
      Object.assign(last, { omitted: countOf(last) - 1 + countOf(issue), continue: isGoingOn });
    }
  }
  return this.length;
}

function countOf(issue: zod.$ZodRawIssue): number {
  return 1 + Number(issue['omitted'] ?? 0);
}

function createStandardParser({ '~standard': { validate } }: StandardSchema): ParseSchema {
  return (input) =>
    andThen(validate(input), (result) => {
      if (result.issues === undefined) return { ok: true, value: result.value };
      const told = result.issues.slice(0, MAX_ISSUES).map((issue) => toIssue(issue, input));
      return { ok: false, issues: told, omitted: result.issues.length - told.length };
    });
}

/** The fields by which valibot (`type`), zod and arktype (`code`, and `problem`, without the path) say more. */
type LibraryIssue = StandardIssue &
  Partial<Record<'type' | 'code' | 'problem', string>> &
  Pick<Issue, 'keys'>;

function toIssue({ code, type, problem, keys, ...issue }: LibraryIssue, input: unknown): Issue {
  const path = Array.from(issue.path ?? [], (step) => (typeof step === 'object' ? step.key : step));
  // A missing field has the same code whatever the library.
  const isMissing = path.length > 0 && findSent(input, path) === undefined;
  return {
    path,
    message: problem ?? issue.message,
    code: isMissing ? 'invalid_type' : (code ?? type),
    keys,
  };
}
