import { $ZodIntersection, type $ZodObject, util } from 'zod/v4/core';
import { describe, findFieldNames } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import {
  definitionOf,
  isZodSchema,
  type Schema,
  type SchemaDefinition,
  type SchemaSide,
  type StandardResult,
  type StandardSchema,
} from '../schema/schema.ts';

/**
 * The schema with the fields of both. For two objects of zod, the second decides about unknown fields, if it does at
 * all.
 */
export function joinInputs(one: Schema | undefined, other: Schema): Schema {
  if (one === undefined) return other;
  if (!isZodSchema(one) || !isZodSchema(other)) return toBoth(one, other);
  const isPlain = ({ type, checks = [] }: SchemaDefinition): boolean =>
    type === 'object' && checks.length === 0;
  if (!isPlain(definitionOf(one)) || !isPlain(definitionOf(other)))
    return new $ZodIntersection({
      type: 'intersection',
      left: one as never,
      right: other as never,
    }) as never;
  const [first, second] = [one as unknown as $ZodObject, other as unknown as $ZodObject];
  const { catchall, shape } = second._zod.def;
  return (catchall === undefined
    ? util.extend(first, shape)
    : util.merge(first, second)) as unknown as Schema;
}

function toBoth(one: Schema, other: Schema): Schema {
  const validate = async (value: unknown): Promise<StandardResult> => {
    const results = await Promise.all([runOwn(one, other, value), runOwn(other, one, value)]);
    const issues = results.flatMap((result) => result.issues ?? []);
    const values = results.map((result) => 'value' in result && result.value);
    return issues.length > 0 ? { issues } : { value: Object.assign({}, ...values) };
  };
  const toJson = (side: SchemaSide) => () =>
    toJoinedJson(describe(one)[side], describe(other)[side]);
  const jsonSchema = { input: toJson('input'), output: toJson('output') };
  return { '~standard': { version: 1, vendor: 'capix', validate, jsonSchema } } as StandardSchema;
}

/** Runs one without the fields that only the other one has, which it would refuse, or give as they were sent. */
async function runOwn(schema: Schema, other: Schema, value: unknown): Promise<StandardResult> {
  const { validate } = (schema as StandardSchema)['~standard'];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return validate(value);
  const [own, strange] = [findFieldNames(schema).names, findFieldNames(other).names];
  const shown = Object.entries(value).filter(([name]) => own.has(name) || !strange.has(name));
  return validate(Object.fromEntries(shown));
}

type Parts = Readonly<Record<string, JsonSchema>>;
type ObjectJson = JsonSchema & {
  readonly $defs?: Parts;
  readonly properties?: Parts;
  readonly required?: string[];
};

/** One object where both are: `allOf` of two closed ones would admit nothing. Names of `$defs` may be numbers. */
function toJoinedJson(one: JsonSchema, other: JsonSchema): JsonSchema {
  const renamed = JSON.stringify(other).replaceAll('"#/$defs/', '"#/$defs/joined-');
  const { $defs: ofOne, ...first } = one as ObjectJson;
  const { $defs: ofOther = {}, ...second } = JSON.parse(renamed) as ObjectJson;
  const joined = Object.entries(ofOther).map(([name, part]) => [`joined-${name}`, part]);
  const $defs = { ...ofOne, ...Object.fromEntries(joined) };
  const refs = Object.keys($defs).length === 0 ? {} : { $defs };
  if (first.properties === undefined || second.properties === undefined)
    return { allOf: [first, second], ...refs };
  const properties = { ...first.properties, ...second.properties };
  const required = [...new Set([...(first.required ?? []), ...(second.required ?? [])])];
  return { ...first, ...second, properties, required, ...refs };
}
