import { toSample } from '../../server-runtime/openapi/schema-words.ts';
import type { ApiSchema } from './branch.ts';
import { findNote, findOnlyBranch } from './read-branches.ts';
import { recordOf, textOf } from './schema-json.ts';
import { toConstraints, toTypeText } from './type-text.ts';

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
export function toSchemaFields(schema: ApiSchema, above: readonly object[] = []): readonly SchemaField[] {
  const { type, first, rest, fields, required, isRecord } = findOnlyBranch(schema) ?? {};
  if (type === 'array') return first?.length === 0 && rest !== undefined ? toSchemaFields(rest, above) : [];
  if (fields === undefined || isRecord === true || above.includes(fields) || above.length > MAX_DEPTH) return [];
  return [...fields].map(([name, field]) => ({
    name,
    type: toTypeText(field),
    required: required?.has(name) === true,
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

/** A value that looks like what a schema asks for: required fields, defaults, examples. Not every limit is kept. */
export function toSampleValue({ json, root }: ApiSchema): unknown {
  const { $defs, components } = recordOf(root);
  const schemas = { ...recordOf($defs), ...recordOf(recordOf(components)['schemas']) };
  return toSample(recordOf(json), schemas as Parameters<typeof toSample>[1]);
}
