import type { FileRules } from './find-file-rules.ts';

/** A JSON Schema of draft 2020-12, as a plain object. */
export type JsonSchema = {
  /** The value of a keyword. */
  [keyword: string]: unknown;
};

/** Facts of a schema that JSON Schema cannot say, by the keyword {@link MARKS}. They are in no document. */
export interface Marks {
  /** It takes an uploaded file, by these rules. */
  readonly file?: FileRules;
  /** The kind of value that a text stands for in the program. */
  readonly kind?: 'date' | 'bigint';
  /** The field that tells the branches of a choice apart. */
  readonly tag?: string;
  /** A function of the application gets what was sent, as it was sent. */
  readonly isRaw?: boolean;
  /** The type and the pattern of texts, where a value of several types is made one. */
  readonly texts?: JsonSchema;
  /** The part that JSON Schema cannot say, for people and models. */
  readonly words?: string;
  /** The name that its author gave, where another schema beside it has that one. */
  readonly id?: string;
  /** It stands for undefined. */
  readonly isNothing?: boolean;
}

export const MARKS = 'x-capix';

export function withMarks(json: JsonSchema, marks: Marks): JsonSchema {
  return { ...json, [MARKS]: { ...marksOf(json), ...marks } };
}

export function marksOf(json: JsonSchema): Marks {
  return (json[MARKS] ?? {}) as Marks;
}

/** Adds to the marks of a schema, in place; one that is undefined is none. */
export function addMarks(json: JsonSchema, marks: { readonly [Name in keyof Marks]: Marks[Name] | undefined }): void {
  const given = Object.entries(marks).filter(([, value]) => value !== undefined);
  if (given.length > 0) json[MARKS] = { ...marksOf(json), ...Object.fromEntries(given) };
}

/** One level of a JSON Schema as others get it: without marks, with their words. */
export function withoutMarks(json: JsonSchema): JsonSchema {
  const { [MARKS]: marks, propertyNames: names, ...plain } = json;
  // The names in JSON are texts, whoever says so.
  if (names !== undefined && JSON.stringify(names) !== '{"type":"string"}') plain['propertyNames'] = names;
  const { words } = (marks ?? {}) as Marks;
  return words === undefined ? plain : { ...plain, description: joinWords(plain['description'], words) };
}

/** Two texts of which the first may be missing. */
export function joinWords(first: unknown, second: string): string {
  const text = typeof first === 'string' ? first.trimEnd().replace(/([^.!?])$/, '$1.') : '';
  return `${text} ${second}`.trimStart();
}

/** Gives what replaces a schema in another. `step` is the field's name, `[]` for items, else undefined. */
export type MapSubschema = (schema: JsonSchema, step: string | undefined) => JsonSchema;

/** A copy of a JSON Schema with the schemas directly inside replaced. Data such as defaults stays. */
export function mapSubschemas(schema: JsonSchema, map: MapSubschema): JsonSchema {
  const copy = { ...schema };
  // Only keywords that hold schemas are set again: a name such as `__proto__` is not one of them.
  for (const [keyword, value] of Object.entries(schema) as [string, JsonSchema][]) {
    if (typeof value !== 'object' || value === null) continue;
    const step = ofItems.has(keyword) ? '[]' : undefined;
    if (ofFields.has(keyword))
      copy[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, map(field as JsonSchema, name)]),
      );
    else if (ofSchemas.has(keyword))
      copy[keyword] = Array.isArray(value) ? value.map((each: JsonSchema) => map(each, step)) : map(value, step);
  }
  return copy;
}

/** The keywords that hold schemas: by names, of items, and one or a list of them. */
const ofFields: ReadonlySet<string> = new Set('properties patternProperties $defs dependentSchemas'.split(' '));
const ofItems: ReadonlySet<string> = new Set('prefixItems items contains unevaluatedItems'.split(' '));
const others = 'anyOf oneOf allOf additionalProperties propertyNames unevaluatedProperties not if then else';
const ofSchemas: ReadonlySet<string> = new Set([...ofItems, ...others.split(' '), 'contentSchema']);
