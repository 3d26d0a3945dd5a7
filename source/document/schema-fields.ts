import type { ApiSchema } from './branch.ts';
import { findNote, findOnlyBranch } from './read-branches.ts';
import {
  choicesOf,
  follow,
  listOf,
  recordOf,
  schemasOf,
  textOf,
  toDeclaredFields,
} from './schema-json.ts';
import { isTelling, toConstraints, toTypeText } from './type-text.ts';

/** A field of an object schema as a reader wants it. */
export interface SchemaField {
  readonly name: string;
  /** As `toTypeText` gives it. */
  readonly type: string;
  readonly required: boolean;
  /** As JSON: `"draft"`, `20`; missing without a default. */
  readonly default?: string | undefined;
  /** `1 to 20 characters`, `at least 0`, `matches /^a/`. */
  readonly constraints: readonly string[];
  readonly description?: string | undefined;
  /** The fields of an object, or of the objects in an array. */
  readonly fields: readonly SchemaField[];
}

/** An intersection that contains itself is merged anew at each level, so that it ends at this depth. */
const MAX_DEPTH = 12;

/**
 * The fields of an object in order; else none. A union of objects has none, since its fields are those of no one value.
 * `above`: the objects that it is in.
 */
export function toSchemaFields(
  schema: ApiSchema,
  above: readonly object[] = [],
): readonly SchemaField[] {
  const only = findOnlyBranch(schema);
  if (only?.type === 'array')
    return only.first.length === 0 && only.rest !== undefined
      ? toSchemaFields(only.rest, above)
      : [];
  if (only?.type !== 'object' || only.isRecord) return [];
  const { fields, required } = only;
  if (above.includes(fields) || above.length > MAX_DEPTH) return [];
  return [...fields].map(([name, field]) => ({
    name,
    type: toTypeText(field),
    required: required.has(name),
    default: toDefaultText(field),
    constraints: toConstraints(field),
    description: toDescription(field),
    fields: toSchemaFields(field, [...above, fields]),
  }));
}

/** As JSON; undefined without a default. */
export function toDefaultText(schema: ApiSchema): string | undefined {
  const value = findNote(schema, 'default');
  return value === undefined ? undefined : JSON.stringify(value);
}

export function toDescription(schema: ApiSchema): string | undefined {
  return textOf(findNote(schema, 'description'));
}

/** A sample goes this deep into objects, lists and references. */
const MAX_SAMPLE_DEPTH = 6;

/** A value that looks like what a schema asks for: required fields, defaults, examples. Not every limit is kept. */
export function toSampleValue({ json, root }: ApiSchema, depth = 0): unknown {
  if (depth > MAX_SAMPLE_DEPTH) return undefined;
  const schema = recordOf(json);
  const inside = (part: unknown): unknown => toSampleValue({ json: part, root }, depth + 1);
  const { type, format, pattern, minimum, exclusiveMinimum: above, prefixItems, items } = schema;
  if (typeof schema['$ref'] === 'string') return inside(follow(schema, recordOf(root)));
  const listed = [schema['examples'], schema['enum']].flatMap(listOf);
  const given: unknown = [schema['default'], schema['const'], ...listed].find(
    (value) => value !== undefined,
  );
  if (given !== undefined) return given;
  const choice = choicesOf(schema).find((each) => each['type'] !== 'null');
  if (choice !== undefined) return inside(choice);
  const all = schemasOf(schema['allOf']).map(inside);
  if (all.length > 0)
    return all.every((part) => Object(part) === part) ? Object.assign({}, ...all) : all[0];
  const kind: unknown = Array.isArray(type) ? type[0] : type;
  if (kind === 'object') {
    const needed = toDeclaredFields(schema).filter(({ isRequired }) => isRequired);
    return Object.fromEntries(needed.map(({ name, schema: field }) => [name, inside(field)]));
  }
  if (kind === 'array')
    return (Array.isArray(prefixItems) ? prefixItems : [items])
      .map(inside)
      .filter((item) => item !== undefined);
  if (kind === 'string') return samples[String(format)] ?? (pattern === '^-?\\d+$' ? '1' : 'text');
  if (kind === 'integer' || kind === 'number')
    return isTelling(minimum) ? minimum : isTelling(above) ? above + 1 : 1;
  return kind === 'boolean' ? true : kind === 'null' ? null : undefined;
}

const samples: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
};
