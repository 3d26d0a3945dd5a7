import { $ZodIntersection, type $ZodObject, util } from 'zod/v4/core';
import { describe } from '../schema/describe.ts';
import { findAllFieldNames } from '../schema/find-field-names.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { mapSubschemas } from '../schema/json-schema.ts';
import {
  definitionOf,
  isZodSchema,
  type Schema,
  type SchemaSide,
  type StandardResult,
  type StandardSchema,
} from '../schema/schema.ts';

/**
 * The schema of the fields of both. Two objects of zod are one object, whose unknown fields are as the second says,
 * where it says.
 */
export function joinInputs(one: Schema | undefined, other: Schema): Schema {
  if (one === undefined) return other;
  if (!isZodSchema(one) || !isZodSchema(other)) return toBoth([one, other]);
  if (!isPlainObject(one) || !isPlainObject(other))
    return new $ZodIntersection({ type: 'intersection', left: one as never, right: other as never }) as never;
  const [first, second] = [one as unknown as $ZodObject, other as unknown as $ZodObject];
  return (second._zod.def.catchall === undefined
    ? util.extend(first, second._zod.def.shape)
    : util.merge(first, second)) as unknown as Schema;
}

function isPlainObject(schema: Schema): boolean {
  const { type, checks = [] } = definitionOf(schema);
  return type === 'object' && checks.length === 0;
}

/**
 * Runs both, and puts together what they make. Neither is shown the fields that only the other one has: it would refuse
 * them where it is strict, or give them as they were sent.
 */
function toBoth(schemas: readonly [Schema, Schema]): Schema {
  let names: readonly ReadonlySet<string>[] | undefined;
  const validate = async (value: unknown): Promise<StandardResult> => {
    const known = (names ??= schemas.map(findAllFieldNames));
    const results = await Promise.all(
      schemas.map(async (schema, at) => {
        const [own, others] = at === 0 ? [known[0], known[1]] : [known[1], known[0]];
        const shown = without(value, (name) => others?.has(name) === true && own?.has(name) !== true);
        return (schema as StandardSchema)['~standard'].validate(shown);
      }),
    );
    const issues = results.flatMap((result) => result.issues ?? []);
    if (issues.length > 0) return { issues };
    return { value: Object.assign({}, ...results.map((result) => (result as { value?: unknown }).value)) as unknown };
  };
  const jsonSchema = { input: () => toJoinedJson(schemas, 'input'), output: () => toJoinedJson(schemas, 'output') };
  return { '~standard': { version: 1, vendor: 'capix', validate, jsonSchema } } as StandardSchema;
}

function without(value: unknown, isStrange: (name: string) => boolean): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isStrange(name)));
}

/** One object where both are: of two that are closed, `allOf` would admit nothing. */
function toJoinedJson(schemas: readonly Schema[], side: SchemaSide): JsonSchema {
  const [one = {}, other = {}] = schemas.map((schema, at) => withOwnNames(describe(schema)[side] as ObjectJson, at));
  const { $defs: _one, ...first } = one;
  const { $defs: _other, ...second } = other;
  const names = { ...one.$defs, ...other.$defs };
  const $defs = Object.keys(names).length === 0 ? {} : { $defs: names };
  if (first.properties === undefined || second.properties === undefined) return { allOf: [first, second], ...$defs };
  return {
    ...first,
    ...second,
    properties: { ...first.properties, ...second.properties },
    required: [...new Set([...(first.required ?? []), ...(second.required ?? [])])],
    ...$defs,
  };
}

interface ObjectJson extends JsonSchema {
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Libraries number the schemas that are referred to, so that both have one of each number. */
function withOwnNames(json: ObjectJson, at: number): ObjectJson {
  if (json.$defs === undefined || at === 0) return json;
  const rename = (part: JsonSchema): JsonSchema => {
    const { $ref, ...rest } = mapSubschemas(part, rename) as JsonSchema & { readonly $ref?: string };
    return $ref === undefined ? rest : { ...rest, $ref: $ref.replace('#/$defs/', '#/$defs/joined-') };
  };
  const $defs = Object.entries(json.$defs).map(([name, part]) => [`joined-${name}`, rename(part)]);
  const { $defs: _, ...root } = json;
  return { ...rename(root), $defs: Object.fromEntries($defs) as Readonly<Record<string, JsonSchema>> };
}
