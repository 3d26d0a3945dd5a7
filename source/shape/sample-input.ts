import { resolveReference } from './schema-fields.ts';
import { isSchemaObject } from './schema-type.ts';

/** How deep a sample goes into objects and arrays. */
const MAX_DEPTH = 4;

/** A value that looks like what a schema asks for: required fields, defaults, the first of several. Not every constraint is kept. */
export function toSampleValue(
  json: unknown,
  { root = json, depth = 0 }: { readonly root?: unknown; readonly depth?: number } = {},
): unknown {
  if (!isSchemaObject(json) || depth > MAX_DEPTH) return undefined;
  const target = resolveReference(json, root);
  const inside = { root, depth: depth + 1 };
  if (target !== json) return toSampleValue(target, inside);
  const { enum: values, anyOf, oneOf, allOf, type, properties, required, items, format, minimum } = json;
  if ('default' in json) return json['default'];
  if ('const' in json) return json['const'];
  if (Array.isArray(values)) return values[0];
  const [branch] = (anyOf ?? oneOf ?? []) as readonly unknown[];
  if (branch !== undefined) return toSampleValue(branch, inside);
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map((part) => toSampleValue(part, inside) ?? {}));
  switch (Array.isArray(type) ? (type[0] as unknown) : type) {
    case 'string':
      return samples[String(format)] ?? 'text';
    case 'integer':
    case 'number':
      return typeof minimum === 'number' && Math.abs(minimum) !== Number.MAX_SAFE_INTEGER ? minimum : 1;
    case 'boolean':
      return true;
    case 'array':
      return [toSampleValue(items, inside)].filter((item) => item !== undefined);
    case 'object': {
      const names = Array.isArray(required) ? required : [];
      const fields = Object.entries(isSchemaObject(properties) ? properties : {});
      return Object.fromEntries(
        fields.filter(([name]) => names.includes(name)).map(([name, field]) => [name, toSampleValue(field, inside)]),
      );
    }
  }
  return undefined;
}

const samples: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
};
