import type { ApiSchema } from './branch.ts';
import { toConstraints } from './constraints.ts';
import { findNote, findOnlyBranch } from './read-branches.ts';
import { textOf } from './schema-json.ts';
import { toTypeText } from './type-text.ts';

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
