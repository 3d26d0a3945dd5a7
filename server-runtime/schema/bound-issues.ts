import * as zod from 'zod/v4/core';
import { definitionOf, type Schema } from './schema.ts';

/** The context of a parse, in which a bounded schema says how many issues it found besides those that it kept. */
export interface BoundedContext extends zod.ParseContextInternal {
  omitted?: number;
}

/** The issues that one parse kept and left out inside lists and records. */
interface Tally {
  kept: number;
  omitted: number;
}

/**
 * A copy of a schema that finds the same issues, and only counts those of items once `limit` of them are kept: a caller can send
 * wrong items by the hundred thousand, and keeping an issue for each costs ten times as much as finding it. What is left out
 * is in `omitted` of the context. Lists inside a union stay as they are, since a branch without its issues would be taken
 * for one that fits. The schema holds no code of the application: that could be given a list whose faults were left out.
 */
export function boundIssues(schema: zod.$ZodType, limit: number): zod.$ZodType {
  let tally: Tally = { kept: 0, omitted: 0 };
  const above = new Set<zod.$ZodType>();

  const copyOf = (inner: zod.$ZodType): zod.$ZodType => {
    // A schema that holds itself has no end.
    if (above.has(inner)) return inner;
    above.add(inner);
    const changed = toBoundedParts(inner);
    above.delete(inner);
    return changed === undefined ? inner : zod.clone(inner, { ...inner._zod.def, ...changed } as never);
  };

  const toBoundedParts = (inner: zod.$ZodType): Record<string, unknown> | undefined => {
    const { type, shape = {}, element, valueType, innerType } = definitionOf(inner) as PartsDefinition;
    switch (type) {
      case 'array':
        return { element: countedItem(element as zod.$ZodType) };
      case 'record':
        return { valueType: countedItem(valueType as zod.$ZodType) };
      case 'object': {
        const fields = Object.entries(shape).map(([name, field]) => [name, copyOf(field as zod.$ZodType)] as const);
        return fields.every(([name, field]) => field === shape[name])
          ? undefined
          : { shape: Object.fromEntries(fields) };
      }
      case 'optional':
      case 'nullable':
      case 'default':
      case 'readonly': {
        const copy = copyOf(innerType as zod.$ZodType);
        return copy === innerType ? undefined : { innerType: copy };
      }
      default:
        return undefined;
    }
  };

  const countedItem = (item: zod.$ZodType): zod.$ZodType => {
    const bounded = copyOf(item);
    return withRun(bounded, (payload, ctx) => {
      const before = tally.kept;
      const result = bounded._zod.run(payload, ctx) as zod.ParsePayload;
      if (before >= limit) {
        tally.omitted += result.issues.length;
        result.issues.length = 0;
      } else {
        // The items of a list inside this one are counted already.
        tally.kept += result.issues.length - (tally.kept - before);
      }
      return result;
    });
  };

  const bounded = copyOf(schema);
  if (bounded === schema) return schema;
  return withRun(bounded, (payload, ctx: BoundedContext) => {
    tally = { kept: 0, omitted: 0 };
    const result = bounded._zod.run(payload, ctx);
    ctx.omitted = tally.omitted;
    return result;
  });
}

interface PartsDefinition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly innerType?: Schema;
}

function withRun(schema: zod.$ZodType, run: zod.$ZodType['_zod']['run']): zod.$ZodType {
  const copy = zod.clone(schema);
  copy._zod.run = run;
  return copy;
}
