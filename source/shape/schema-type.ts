import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';

/** zod's name of a kind of value that JSON Schema has no word for. */
export const KIND_KEYWORD = 'x-kind';

/**
 * A schema as a type that a reader knows: `string`, `integer`, `'a' | 'b'`, `string[]`, `record of number`, `date`, `file`, `string | null`;
 * `object` where it has fields of its own, `{ kind: 'card', number } | { kind: 'cash' }` where it is one of several. A reference is the
 * name of what it refers to; where that has no name, it is `object`.
 */
export function toTypeText(json: unknown): string {
  if (!isSchemaObject(json)) return json === false ? 'never' : 'any';
  const { $ref, type, enum: values, anyOf, oneOf, allOf, not } = json;
  if (typeof $ref === 'string') return toReferenceText($ref);
  if (Array.isArray(values)) return values.map(toLiteral).join(' | ');
  if ('const' in json) return toLiteral(json['const']);
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return toUnionText(branches);
  if (Array.isArray(allOf)) return allOf.map(toTypeText).join(' & ');
  if (Array.isArray(type)) return type.map((one) => toTypeText({ ...json, type: one as unknown })).join(' | ');
  if (not !== undefined && isEmpty(not)) return 'never';
  return toPlainType(json);
}

/** zod names a schema that contains itself `__schema0` where its author did not. */
function toReferenceText(reference: string): string {
  if (reference === '#') return 'itself';
  const name = reference.split('/').at(-1) ?? reference;
  return /^__schema\d+$/.test(name) ? 'object' : name;
}

/** Objects tell themselves apart by their fields; one beside `null` shows them elsewhere. */
function toUnionText(branches: readonly unknown[]): string {
  const objects = branches.filter((branch) => isSchemaObject(branch) && isSchemaObject(branch['properties']));
  const toText = objects.length > 1 ? toBranchText : toTypeText;
  return [...new Set(branches.map(toText))].join(' | ');
}

function toBranchText(json: unknown): string {
  if (!isSchemaObject(json) || !isSchemaObject(json['properties'])) return toTypeText(json);
  const required = Array.isArray(json['required']) ? json['required'] : [];
  const fields = Object.entries(json['properties']).map(([name, field]) => {
    const value = isSchemaObject(field) && 'const' in field ? `: ${toLiteral(field['const'])}` : '';
    return `${name}${required.includes(name) ? '' : '?'}${value}`;
  });
  return fields.length === 0 ? 'object' : `{ ${fields.join(', ')} }`;
}

function toPlainType(json: JsonSchema): string {
  const { type, format, items, prefixItems, additionalProperties, properties } = json;
  switch (type) {
    case 'array':
      if (Array.isArray(prefixItems)) return `[${prefixItems.map(toTypeText).join(', ')}]`;
      return toArrayType(toTypeText(items));
    case 'object':
      if (properties === undefined && isSchemaObject(additionalProperties))
        return `record of ${toTypeText(additionalProperties)}`;
      return 'object';
    case 'string':
      if (format === 'binary') return 'file';
      return typeof format === 'string' ? `string (${format})` : 'string';
    case undefined:
      return typeof json[KIND_KEYWORD] === 'string' ? json[KIND_KEYWORD] : 'any';
    default:
      return String(type);
  }
}

function toArrayType(element: string): string {
  return /^[\w]+$/.test(element) ? `${element}[]` : `(${element})[]`;
}

function toLiteral(value: unknown): string {
  return typeof value === 'string' && !value.includes("'") ? `'${value}'` : JSON.stringify(value);
}

function isEmpty(json: unknown): boolean {
  return isSchemaObject(json) && Object.keys(json).length === 0;
}

export function isSchemaObject(json: unknown): json is JsonSchema {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
