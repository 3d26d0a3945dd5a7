import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';

/** A document as callers get it: without `x-capix` and the keywords that begin with it, which only the tool reads. */
export function toPublished(document: OpenApiDocument): OpenApiDocument {
  return withoutNotes(document) as OpenApiDocument;
}

/** The same of a part. */
export function withoutNotes(part: unknown): unknown {
  return editDocument(part, (entries, isMap) =>
    entries.filter(([name, inner]) =>
      isMap ? !Object.hasOwn(Object(inner), 'x-capix-note') : !/^x-capix(-|$)/.test(name),
    ),
  );
}

type Entry = readonly [name: string, value: unknown];

/** Gives the entries of an object of a document anew. In a map of names, as of fields or headers, any name stands. */
type EditEntries = (entries: readonly Entry[], isMap: boolean) => readonly Entry[];

/** A document with all of its objects edited, but for the values of the application, from the outside in. */
export function editDocument(part: unknown, edit: EditEntries, isMap = false): unknown {
  if (Array.isArray(part)) return part.map((inner) => editDocument(inner, edit));
  if (typeof part !== 'object' || part === null) return part;
  const entries = edit(Object.entries(part), isMap).map(([name, inner]) => {
    const isValue = !isMap && valueKeywords.has(name);
    return [
      name,
      isValue ? inner : editDocument(inner, edit, !isMap && mapKeywords.has(name)),
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** Keywords whose names anybody chooses. */
export const mapKeywords: ReadonlySet<string> = new Set(
  `properties patternProperties $defs dependentSchemas paths content encoding headers responses schemas securitySchemes
  settings x-jobs`.split(/\s+/),
);

/** Keywords whose values are the application's own. */
export const valueKeywords: ReadonlySet<string> = new Set([
  'default',
  'examples',
  'example',
  'const',
  'enum',
]);
