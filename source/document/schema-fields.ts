import { type ApiSchema, type Branch, toTarget } from './branch.ts';
import { toConstraints } from './constraints.ts';
import { findNote, toValueBranches } from './read-branches.ts';
import { textOf } from './schema-json.ts';
import { toTypeText, toVariantLabels } from './type-text.ts';

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
  /** The fields of an object, or of the objects in an array; of a union with objects, each value that it may be. */
  readonly fields: readonly SchemaField[];
  /** Whether it is not a field, but one of the values that what is above may be: `name` tells it from the others. */
  readonly isVariant?: boolean;
}

/** An intersection that contains itself is merged anew at each level, so that it ends at this depth. */
const MAX_DEPTH = 12;

/** The fields of an object in order, or the variants of a union with objects; else none. `above`: what it is in. */
export function toSchemaFields(
  schema: ApiSchema,
  above: readonly unknown[] = [],
): readonly SchemaField[] {
  const branches = toValueBranches(schema);
  const [only, ...others] = branches;
  if (only === undefined || above.length > MAX_DEPTH) return [];
  if (others.length === 0) return toBranchFields(only, above);
  const target = toTarget(schema);
  if (above.includes(target)) return [];
  const labels = toVariantLabels(branches);
  const variants = branches.map((branch, at): SchemaField => {
    const type = toTypeText(branch.schema).replace(/^\((.*)\)$/, '$1');
    return {
      name: branch.type === 'object' ? (labels[at] ?? '') : type,
      type: '',
      required: false,
      isVariant: true,
      constraints: toConstraints(branch.schema),
      description: toDescription(branch.schema),
      fields: toBranchFields(branch, [...above, target]),
    };
  });
  return variants.some(({ fields }) => fields.length > 0) ? variants : [];
}

function toBranchFields(branch: Branch, above: readonly unknown[]): readonly SchemaField[] {
  if (branch.type === 'array')
    return branch.first.length === 0 && branch.rest !== undefined
      ? toSchemaFields(branch.rest, above)
      : [];
  if (branch.type !== 'object' || branch.isRecord) return [];
  const { fields, required } = branch;
  if (above.includes(fields)) return [];
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
