import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import { isSchemaObject, toTypeText } from './schema-type.ts';

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

/** The fields of an object schema in their order, those of an intersection together; empty for any other schema. */
export function toSchemaFields(json: unknown): readonly SchemaField[] {
  return toFields(json, { root: json, above: [] });
}

interface Place {
  readonly root: unknown;
  /** The schemas that this one is inside of: one that contains itself ends there. */
  readonly above: readonly unknown[];
}

function toFields(json: unknown, { root, above }: Place): readonly SchemaField[] {
  if (!isSchemaObject(json) || above.includes(json)) return [];
  const within = { root, above: [...above, json] };
  const target = resolveReference(json, root);
  if (target !== json) return toFields(target, within);
  const { properties, required, allOf, items, anyOf } = json;
  if (Array.isArray(allOf)) return allOf.flatMap((part) => toFields(part, within));
  if (Array.isArray(anyOf)) return toOnlyObject(anyOf).flatMap((part) => toFields(part, within));
  if (isSchemaObject(items)) return toFields(items, within);
  if (!isSchemaObject(properties)) return [];
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: toTypeText(field),
    required: names.includes(name),
    default: isSchemaObject(field) && 'default' in field ? JSON.stringify(field['default']) : undefined,
    constraints: toConstraints(field),
    description: isSchemaObject(field) && typeof field['description'] === 'string' ? field['description'] : undefined,
    fields: toFields(field, within),
  }));
}

/** Of `object | null` the object; of a union of objects none, since its fields are those of no one value. */
function toOnlyObject(branches: readonly unknown[]): readonly unknown[] {
  const values = branches.filter((branch) => !isSchemaObject(branch) || branch['type'] !== 'null');
  return values.length === 1 ? values : [];
}

/** What `$ref` points to in the same document; the schema itself without one. */
export function resolveReference(json: JsonSchema, root: unknown): unknown {
  const { $ref } = json;
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return json;
  return $ref
    .split('/')
    .slice(1)
    .reduce(
      (at, step) => (isSchemaObject(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      root,
    );
}

function toConstraints(json: unknown): readonly string[] {
  if (!isSchemaObject(json)) return [];
  const { pattern, format, contentEncoding, uniqueItems, prefixItems } = json;
  const read = (keyword: string): number | undefined => readNumber(json[keyword]);
  return [
    toRange(read('minLength'), read('maxLength'), 'characters'),
    prefixItems === undefined ? toRange(read('minItems'), read('maxItems'), 'items') : '',
    toRange(read('minimum'), read('maximum'), ''),
    toPhrase('more than', read('exclusiveMinimum')),
    toPhrase('less than', read('exclusiveMaximum')),
    toPhrase('a multiple of', read('multipleOf')),
    // A format says in one word what its pattern says in many.
    typeof pattern === 'string' && format === undefined ? `matches /${pattern}/` : '',
    typeof contentEncoding === 'string' && format !== 'binary' ? contentEncoding : '',
    uniqueItems === true ? 'unique' : '',
  ].filter((text) => text !== '');
}

/** zod writes the bounds of safe integers, which say nothing about the field. */
function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) !== Number.MAX_SAFE_INTEGER ? value : undefined;
}

function toPhrase(words: string, bound: number | undefined): string {
  return bound === undefined ? '' : `${words} ${bound}`;
}

function toRange(least: number | undefined, most: number | undefined, unit: string): string {
  const withUnit = (bound: number): string => `${bound} ${bound === 1 ? unit.replace(/s$/, '') : unit}`.trimEnd();
  if (least !== undefined && least === most) return `exactly ${withUnit(least)}`;
  if (least !== undefined && most !== undefined) return `${least} to ${withUnit(most)}`;
  if (least !== undefined) return `at least ${withUnit(least)}`;
  return most === undefined ? '' : `at most ${withUnit(most)}`;
}
