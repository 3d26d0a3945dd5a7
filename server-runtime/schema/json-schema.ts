import type { FileRules } from './find-file-rules.ts';

/** A JSON Schema of draft 2020-12, as a plain object. */
export type JsonSchema = { [keyword: string]: unknown };

/** Facts of a schema that JSON Schema cannot say, by the keyword {@link MARKS}. They are in no document. */
export interface Marks {
  readonly file?: FileRules | undefined;
  /** The kind of value that a text stands for in the program. */
  readonly kind?: 'date' | 'bigint' | undefined;
  /** The field that tells the branches of a choice apart. */
  readonly tag?: string | undefined;
  /** A function of the application gets what was sent, as it was sent. */
  readonly isRaw?: boolean | undefined;
  /** The type and the pattern of texts, where a value of several types is made one. */
  readonly texts?: JsonSchema | undefined;
  /** The part that JSON Schema cannot say, for people and models. */
  readonly words?: string | undefined;
  /** The name that its author gave, where another schema beside it has that one. */
  readonly id?: string | undefined;
  /** It stands for undefined. */
  readonly isNothing?: boolean | undefined;
}

export const MARKS = 'x-capix';

export function marksOf(json: JsonSchema): Marks {
  return (json[MARKS] ?? {}) as Marks;
}

export function withMarks(json: JsonSchema, marks: Marks): JsonSchema {
  return addMarks({ ...json }, marks);
}

/** Adds to the marks of a schema, in place; one that is undefined is none. */
export function addMarks(json: JsonSchema, marks: Marks): JsonSchema {
  const given = Object.entries(marks).filter(([, value]) => value !== undefined);
  if (given.length > 0) json[MARKS] = { ...marksOf(json), ...Object.fromEntries(given) };
  return json;
}

/** One level of a JSON Schema as others get it: without marks, with their words. */
export function withoutMarks(json: JsonSchema): JsonSchema {
  const { [MARKS]: _marks, propertyNames: names, ...plain } = json;
  // The names in JSON are texts, whoever says so.
  if (names !== undefined && JSON.stringify(names) !== '{"type":"string"}') plain['propertyNames'] = names;
  const { words } = marksOf(json);
  return words === undefined ? plain : { ...plain, description: joinWords(plain['description'], words) };
}

/** Two texts of which the first may be missing. */
export function joinWords(first: unknown, second: string): string {
  const text = typeof first === 'string' ? first.trimEnd().replace(/([^.!?])$/, '$1.') : '';
  return `${text} ${second}`.trimStart();
}

/** The words for an expression with flags, which JSON Schema has not; undefined for others. */
export function toFlagWords(expression: RegExp | undefined): string | undefined {
  return /[imsv]/.test(expression?.flags ?? '') ? `Matches ${String(expression)}.` : undefined;
}

/**
 * A copy of a JSON Schema with the schemas directly inside replaced. Data such as defaults stays. `step` is the field's
 * name, `[]` for items, else undefined.
 */
export function mapSubschemas(
  schema: JsonSchema,
  map: (inner: JsonSchema, step: string | undefined) => JsonSchema,
): JsonSchema {
  const copy = { ...schema };
  // Only keywords that hold schemas are set again: a name such as `__proto__` is not one of them.
  for (const [keyword, value] of Object.entries(schema) as [string, JsonSchema][]) {
    if (typeof value !== 'object' || value === null) continue;
    const step = ofItems.has(keyword) ? '[]' : undefined;
    if (ofFields.has(keyword)) {
      const fields = Object.entries(value) as [string, JsonSchema][];
      copy[keyword] = Object.fromEntries(fields.map(([name, field]) => [name, map(field, name)]));
    } else if (step !== undefined || ofSchemas.has(keyword))
      copy[keyword] = Array.isArray(value) ? value.map((each: JsonSchema) => map(each, step)) : map(value, step);
  }
  return copy;
}

/** The keywords that hold schemas: by names, of items, and one or a list of them. */
const ofFields: ReadonlySet<string> = new Set('properties patternProperties $defs dependentSchemas'.split(' '));
const ofItems: ReadonlySet<string> = new Set('prefixItems items contains unevaluatedItems'.split(' '));
const ofSchemas: ReadonlySet<string> = new Set(
  'anyOf oneOf allOf additionalProperties propertyNames unevaluatedProperties not if then else contentSchema'.split(
    ' ',
  ),
);
