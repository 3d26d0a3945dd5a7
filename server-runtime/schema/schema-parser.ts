import * as zod from 'zod/v4/core';
import { andThen, type MaybePromise } from '../errors/failure.ts';
import { findSent } from './received.ts';
import { isZodSchema, type Schema, type StandardIssue, type StandardResult, type StandardSchema } from './schema.ts';

export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
  /** The issues of a key of a record. */
  readonly issues?: readonly Issue[] | undefined;
  /** The name of a format. */
  readonly format?: string | undefined;
  /** The fields that were sent to an object that takes no others. */
  readonly keys?: readonly string[] | undefined;
}

/** No more than the first {@link MAX_ISSUES} issues, and the number of the others. */
export type ParseResult =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly issues: readonly Issue[]; readonly omitted: number };

/** A caller can send faults by the hundred thousand in one body, and the text of each costs more than finding it. */
const MAX_ISSUES = 50;

/** A parser gives its result in the same turn, unless code in the schema returns a promise. */
export type ParseSchema = (input: unknown) => MaybePromise<ParseResult>;

/** The parser of a schema: what its library finds, in the words of the library, and no more of it than can be told. */
export function createSchemaParser(schema: Schema): ParseSchema {
  return isOfOurZod(schema) ? createZodParser(schema) : createStandardParser(schema);
}

/** Preparing a schema reaches inside it, so another version is left alone; another copy does not matter. */
function isOfOurZod(schema: Schema): schema is zod.$ZodType {
  if (!isZodSchema(schema)) return false;
  const { major, minor, patch } = (schema as zod.$ZodType)._zod.version;
  return major === zod.version.major && minor === zod.version.minor && patch === zod.version.patch;
}

/** The run of zod, without the error that it would make, and with texts for those issues alone that are told. */
function createZodParser(schema: zod.$ZodType): ParseSchema {
  const isAsync = holdsCode(schema);
  // At the first call: compiling the schemas of an application takes longer than the rest of its start.
  let compiled: ReturnType<typeof compile> | 'later' = isAsync ? undefined : 'later';
  let bounded: zod.$ZodType['_zod'] | undefined;
  return (input) => {
    if (compiled === 'later') compiled = compile(schema);
    if (compiled !== undefined) {
      const data = compiled(input);
      if (data !== zod.INVALID) return { success: true, data };
    }
    bounded ??= boundIssues(schema, MAX_ISSUES)._zod;
    return andThen(bounded.run({ value: input, issues: [] }, { async: isAsync }), ({ value, issues }) => {
      if (issues.length === 0) return { success: true, data: value };
      const told = issues.slice(0, MAX_ISSUES).map((issue) => zod.util.finalizeIssue(issue, undefined, zod.config()));
      return { success: false, issues: told, omitted: countIssues(issues) - told.length };
    });
  };
}

/**
 * Gives what the schema makes of a valid input, several times as fast. zod compiles from 4.6 on, and not every schema.
 * Code of the application would run twice on what is invalid.
 */
function compile(schema: zod.$ZodType): ((input: unknown) => unknown) | undefined {
  try {
    return 'compileFn' in zod ? zod.compileFn(schema) : undefined;
  } catch (error) {
    if (error instanceof zod.ZodCompileUnsupportedError) return undefined;
    throw error;
  }
}

/**
 * Whether a schema of zod holds code of the application (a refinement, a transform, a custom schema), which may return
 * a promise. Only running it would tell, and a parse that is given up when it does leaves a promise behind whose
 * failure ends the process.
 */
export function holdsCode(part: unknown, seen: Set<unknown> = new Set()): boolean {
  if (typeof part === 'function') return true;
  if (typeof part !== 'object' || part === null || seen.has(part)) return false;
  seen.add(part);
  const definition = (part as Partial<zod.$ZodType>)._zod?.def ?? part;
  // Not by their values: that of a default asks the application for one.
  return Object.keys(definition).some((name) => {
    if (quietParts.has(name)) return false;
    const inner: unknown = definition[name as keyof typeof definition];
    return holdsCode(name === 'getter' ? (inner as () => unknown)() : inner, seen);
  });
}

/** Parts that are asked for no value, values for missing ones, `.trim()`, and whether a check of zod's own runs. */
const quietParts: ReadonlySet<string> = new Set(
  'error when defaultValue catchValue values entries pattern tx _cachedInner'.split(' '),
);

/** The parser of valibot, arktype, or another version of zod. */
function createStandardParser(schema: Schema): ParseSchema {
  return (input) =>
    andThen(validate(schema as StandardSchema & ForeignZod, input), (result) => {
      if (result.issues === undefined) return { success: true, data: result.value };
      const told = result.issues.slice(0, MAX_ISSUES).map((issue) => toIssue(issue, input));
      return { success: false, issues: told, omitted: result.issues.length - told.length };
    });
}

/** The standard tries a schema of zod in the same turn, and leaves a promise of its code behind. */
function validate(schema: StandardSchema & ForeignZod, input: unknown): MaybePromise<StandardResult> {
  if (schema.safeParseAsync === undefined) return schema['~standard'].validate(input);
  return schema
    .safeParseAsync(input)
    .then(({ success, data, error }) => (success ? { value: data } : { issues: error?.issues ?? [] }));
}

interface ForeignZod {
  readonly safeParseAsync?: (input: unknown) => Promise<{
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: { readonly issues: readonly StandardIssue[] };
  }>;
}

/** The fields by which valibot (`type`), zod and arktype (`code`, and `problem`, without the path) say more. */
type LibraryIssue = StandardIssue &
  Partial<Readonly<Record<'type' | 'code' | 'problem', unknown>>> &
  Pick<Issue, 'keys'>;

function toIssue(issue: LibraryIssue, input: unknown): Issue {
  const { code, type, problem, keys } = issue;
  const path = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
  const message = typeof problem === 'string' ? problem : issue.message;
  // A missing field has the same code whatever the library.
  const isMissing = path.length > 0 && findSent(input, path) === undefined;
  const told = [code, type].find((each) => typeof each === 'string') as string | undefined;
  return { path, message, code: isMissing ? 'invalid_type' : (told ?? 'custom'), keys };
}

/**
 * A copy of a schema whose lists and records keep the issues of their first wrong items, `limit` or a few more, and
 * count the others in `omitted` of their last issue: a caller can send wrong items by the hundred thousand, and keeping
 * an issue for each costs ten times as much as finding it.
 */
export function boundIssues(schema: zod.$ZodType, limit: number): zod.$ZodType {
  const copies = new Map<zod.$ZodType, zod.$ZodType>();
  return toCopy(schema);

  function toCopy(original: zod.$ZodType): zod.$ZodType {
    const before = copies.get(original);
    if (before !== undefined) return before;
    // A schema that holds itself is led to, once its copy is there.
    copies.set(original, new zod.$ZodLazy({ type: 'lazy', getter: () => copies.get(original) as zod.$ZodType }));
    const definition = original._zod.def as Definition;
    const isList = lists.has(definition.type);
    const parts = Object.keys(definition).flatMap((name) => {
      const copy = values.has(name) ? undefined : toCopiedPart(name, definition[name]);
      return copy === undefined ? [] : [[name, isList && isSchema(copy) ? toItem(copy) : copy] as const];
    });
    // A lazy schema keeps the one that it has led to.
    const changed = { ...Object.fromEntries(parts), ...('getter' in definition ? { _cachedInner: undefined } : {}) };
    const copy = parts.length === 0 ? original : zod.clone(original, zod.util.mergeDefs(definition, changed) as never);
    if (isList) countOmitted(copy);
    copies.set(original, copy);
    return copy;
  }

  /** The copy of a part that is a schema or holds some; undefined for others. */
  function toCopiedPart(name: string, part: unknown): unknown {
    if (name === 'getter') return () => toCopy((part as () => zod.$ZodType)());
    if (name === 'shape')
      return Object.fromEntries(Object.entries(part as object).map(([field, inner]) => [field, toCopy(inner)]));
    if (Array.isArray(part)) return part.length > 0 && part.every(isSchema) ? part.map(toCopy) : undefined;
    return isSchema(part) ? toCopy(part) : undefined;
  }

  function toItem(item: zod.$ZodType): zod.$ZodType {
    const copy = zod.clone(item);
    copy._zod.run = (payload, ctx) =>
      andThen(item._zod.run(payload, ctx), (result) => {
        const { list } = ctx as Context;
        if (list === undefined || result.issues.length === 0) return result;
        if (list.kept < limit) {
          list.kept += result.issues.length;
          list.last = result.issues.at(-1);
          return result;
        }
        // The issues that end a parse still do, so that no code of the application is given the item.
        if (list.last !== undefined && zod.util.aborted(result)) Object.assign(list.last, { continue: false });
        list.omitted += countIssues(result.issues);
        result.issues.length = 0;
        return result;
      }) as ReturnType<Run>;
    return copy;
  }
}

/** Makes of a list one whose items count together what they leave out, apart from those of other lists. */
function countOmitted({ _zod: inner }: zod.$ZodType): void {
  const { run } = inner;
  inner.run = (payload, ctx) => {
    const list: Tally = { kept: 0, omitted: 0, last: undefined };
    return andThen(run(payload, { ...ctx, list } as Context), (result) => {
      const last = result.issues.at(-1);
      if (last !== undefined && list.omitted > 0) last['omitted'] = Number(last['omitted'] ?? 0) + list.omitted;
      return result;
    }) as ReturnType<Run>;
  };
}

/** The number of issues, with those that lists have left out. */
export function countIssues(issues: readonly zod.$ZodRawIssue[]): number {
  return issues.reduce((sum, issue) => sum + 1 + Number(issue['omitted'] ?? 0), 0);
}

type Run = zod.$ZodType['_zod']['run'];
type Definition = Readonly<Record<string, unknown>> & { readonly type: string };
type Context = zod.ParseContextInternal & { readonly list?: Tally };

/** The issues of one list. */
interface Tally {
  kept: number;
  omitted: number;
  last: zod.$ZodRawIssue | undefined;
}

/** Parts that are no schemas, and may be asked of the application each time. */
const values: ReadonlySet<string> = new Set(['checks', 'defaultValue', 'catchValue']);
const lists: ReadonlySet<string> = new Set(['array', 'record', 'tuple']);

function isSchema(part: unknown): part is zod.$ZodType {
  return typeof part === 'object' && part !== null && '_zod' in part;
}
