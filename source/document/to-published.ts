import type { OpenApiDocument } from '../../server-runtime/http/openapi-document.ts';

/** A document as callers get it: without `x-capix` and the keywords that begin with it, which only the tool reads. */
export function toPublished(document: OpenApiDocument): OpenApiDocument {
  return withoutNotes(document) as OpenApiDocument;
}

/** The same of a part. In a map of names, as of fields or headers, any name may stand. */
export function withoutNotes(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((inner) => withoutNotes(inner));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isMap || !notes.test(name))
      .map(([name, inner]) => [name, !isMap && data.has(name) ? inner : withoutNotes(inner, !isMap && maps.has(name))]),
  );
}

const notes = /^x-capix(-|$)/;

const maps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'dependentSchemas',
  'paths',
  'content',
  'encoding',
  'headers',
  'responses',
  'schemas',
  'securitySchemes',
  'x-jobs',
]);

/** Keywords that are given values of the application. */
const data: ReadonlySet<string> = new Set(['default', 'examples', 'example', 'const', 'enum']);
