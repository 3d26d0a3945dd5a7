import type { OpenApi, Schema } from './document-types.ts';
import type { EditKind } from './edit-kind.ts';

type Entry = readonly [name: string, value: unknown];

/** A document with each of its schemas given anew, from the inside out; values of the application stay. */
export function mapSchemas(value: unknown, map: (schema: Schema) => Schema, name = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => mapSchemas(inner, map, name));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): Entry => {
    const isMapOfNames = holders.has(name);
    if (!isMapOfNames && (values.has(key) || key.startsWith('x-'))) return [key, inner];
    return [key, mapSchemas(inner, map, isMapOfNames ? '' : key)];
  });
  const made = Object.fromEntries(entries) as Schema;
  return holders.has(name) ? made : map(made);
}

const holders: ReadonlySet<string> = new Set(['properties', 'schemas', 'patternProperties']);
const values: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** What OpenAPI 3.0 writes in one way and 3.1 in another. */
function toSchemaOf31(schema: Schema): Schema {
  const { nullable, example, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  if (schema.$ref !== undefined) return { $ref: schema.$ref };
  const made: Schema = { ...rest };
  // A part of an intersection may refuse null, and means it.
  if (rest.allOf !== undefined && nullable === true) return { anyOf: [rest, { type: 'null' }] };
  if (typeof rest.type === 'string' && nullable === true) {
    made.type = [rest.type, 'null'];
    if (Array.isArray(made.enum) && !made.enum.includes(null)) made.enum = [...made.enum, null];
  }
  for (const [word, bound, isExclusive] of [
    ['exclusiveMinimum', 'minimum', exclusiveMinimum],
    ['exclusiveMaximum', 'maximum', exclusiveMaximum],
  ] as const) {
    if (isExclusive === true && typeof made[bound] === 'number') {
      made[word] = made[bound];
      delete made[bound];
    } else if (typeof isExclusive === 'number') made[word] = isExclusive;
  }
  if (rest.type === 'string' && rest['format'] === 'byte' && rest['pattern'] === undefined) {
    delete made['format'];
    made['contentEncoding'] = 'base64';
  }
  if (rest.type === 'string' && rest['format'] === 'binary') {
    delete made['format'];
    made['contentMediaType'] = 'application/octet-stream';
  }
  if (Array.isArray(made.enum) && made.enum.length === 1) {
    made['const'] = made.enum[0];
    delete made.enum;
  }
  return made;
}

const words = 'the same values in other words';
const isOf30 = ({ openapi }: OpenApi): boolean => openapi.startsWith('3.0');

function toKind(
  name: string,
  toAfter: (document: OpenApi) => OpenApi,
  fits: (document: OpenApi) => boolean = () => true,
): EditKind {
  return {
    name,
    effect: 'none',
    reason: words,
    isUnclear: false,
    make: (document) =>
      fits(document) ? { before: document, after: toAfter(structuredClone(document)) } : undefined,
  };
}

/** All components under other names. */
function withOtherNames(document: OpenApi): OpenApi {
  const schemas = document.components?.['schemas'] ?? {};
  // The text of a reference may stand in the mapping of a discriminator, too.
  const texts = new Map(
    Object.keys(schemas).map((name) => [
      `#/components/schemas/${name}`,
      `#/components/schemas/${name}Zz`,
    ]),
  );
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return texts.get(value) ?? value;
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rename(inner)]));
  };
  const renamed = rename(document) as OpenApi;
  const own = Object.entries(renamed.components?.['schemas'] ?? {});
  renamed.components = {
    ...renamed.components,
    schemas: Object.fromEntries(own.map(([name, schema]) => [`${name}Zz`, schema])),
  };
  return renamed;
}

function hasPlainNames({ components, paths }: OpenApi): boolean {
  const names = Object.keys(components?.['schemas'] ?? {});
  // A mapping may give a bare name, and a bare name of a variant is its value.
  const text = JSON.stringify([components, paths]);
  return names.length > 0 && names.every((name) => /^\w+$/.test(name)) && !text.includes('mapping');
}

/** Edits of a whole document that say the same in other words. */
export const wordEdits: readonly EditKind[] = [
  toKind(
    'the words of OpenAPI 3.1',
    (document) => ({ ...(mapSchemas(document, toSchemaOf31) as OpenApi), openapi: '3.1.0' }),
    isOf30,
  ),
  toKind(
    'the number of OpenAPI 3.2',
    (document) => ({
      ...(mapSchemas(document, toSchemaOf31) as OpenApi),
      openapi: '3.2.0',
    }),
    isOf30,
  ),
  toKind('components with other names', withOtherNames, hasPlainNames),
  toKind(
    'references with a component between',
    (document) => {
      const schemas = document.components?.['schemas'] ?? {};
      const inner = Object.entries(schemas).map(([name, schema]) => [`${name}Zz`, schema] as const);
      const outer = Object.keys(schemas).map(
        (name) => [name, { $ref: `#/components/schemas/${name}Zz` }] as const,
      );
      document.components!['schemas'] = Object.fromEntries([...outer, ...inner]);
      return document;
    },
    hasPlainNames,
  ),
  toKind('another title and version of the API', (document) => ({
    ...document,
    info: { title: 'Another', version: '99', description: 'Another one.' },
    tags: [{ name: 'zz' }],
  })),
];
