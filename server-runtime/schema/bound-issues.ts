import * as zod from 'zod/v4/core';
import { andThen } from '../errors/failure.ts';

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
