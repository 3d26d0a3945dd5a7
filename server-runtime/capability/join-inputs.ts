import { $ZodIntersection, type $ZodObject, util } from 'zod/v4/core';
import { describe, findFieldNames } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import {
  definitionOf,
  isZodSchema,
  type Schema,
  type SchemaSide,
  type StandardResult,
  type StandardSchema,
} from '../schema/schema.ts';

/** The schema of the fields of both. Unknown fields of two objects of zod are as the second says, where it says. */
export function joinInputs(one: Schema | undefined, other: Schema): Schema {
  if (one === undefined) return other;
  if (!isZodSchema(one) || !isZodSchema(other)) return toBoth(one, other);
  if (!isPlainObject(one) || !isPlainObject(other))
    return new $ZodIntersection({ type: 'intersection', left: one as never, right: other as never }) as never;
  const [first, second] = [one as unknown as $ZodObject, other as unknown as $ZodObject];
  const { catchall, shape } = second._zod.def;
  return (catchall === undefined ? util.extend(first, shape) : util.merge(first, second)) as unknown as Schema;
}

function isPlainObject(schema: Schema): boolean {
  const { type, checks = [] } = definitionOf(schema);
  return type === 'object' && checks.length === 0;
}

function toBoth(one: Schema, other: Schema): Schema {
  const [runOne, runOther] = [createRun(one, other), createRun(other, one)];
  const validate = async (value: unknown): Promise<StandardResult> => {
    const results = (await Promise.all([runOne(value), runOther(value)])) as readonly StandardResult[];
    const issues = results.flatMap((result) => result.issues ?? []);
    if (issues.length > 0) return { issues };
    return { value: Object.assign({}, ...results.map((result) => (result as { value?: unknown }).value)) as unknown };
  };
  const toJson = (side: SchemaSide) => () => toJoinedJson(describe(one)[side], describe(other)[side]);
  const jsonSchema = { input: toJson('input'), output: toJson('output') };
  return { '~standard': { version: 1, vendor: 'capix', validate, jsonSchema } } as StandardSchema;
}

/** Runs one without the fields that only the other one has, which it would refuse, or give as they were sent. */
function createRun(schema: Schema, other: Schema): (value: unknown) => unknown {
  let strange: ReadonlySet<string> | undefined;
  return (value) => {
    const own = findFieldNames(schema).names;
    strange ??= new Set([...findFieldNames(other).names].filter((name) => !own.has(name)));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const shown = isObject ? Object.entries(value).filter(([name]) => strange?.has(name) === false) : [];
    return (schema as StandardSchema)['~standard'].validate(isObject ? Object.fromEntries(shown) : value);
  };
}

interface ObjectJson extends JsonSchema {
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/**
 * One object where both are: of two that are closed, `allOf` would admit nothing. Libraries number the schemas that are
 * referred to, so that those of the second get names of their own.
 */
function toJoinedJson(one: JsonSchema, other: JsonSchema): JsonSchema {
  const { $defs: ofOne, ...first } = one as ObjectJson;
  const renamed = JSON.stringify(other).replaceAll('"#/$defs/', '"#/$defs/joined-');
  const { $defs: ofOther = {}, ...second } = JSON.parse(renamed) as ObjectJson;
  const joined = Object.entries(ofOther).map(([name, part]) => [`joined-${name}`, part]);
  const all = { ...ofOne, ...(Object.fromEntries(joined) as typeof ofOther) };
  const $defs = Object.keys(all).length === 0 ? {} : { $defs: all };
  if (first.properties === undefined || second.properties === undefined) return { allOf: [first, second], ...$defs };
  const properties = { ...first.properties, ...second.properties };
  const required = [...new Set([...(first.required ?? []), ...(second.required ?? [])])];
  return { ...first, ...second, properties, required, ...$defs };
}
