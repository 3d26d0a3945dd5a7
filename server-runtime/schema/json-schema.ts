import type { FileRules } from './find-file-rules.ts';

/** A JSON Schema of draft 2020-12, as a plain object. */
export type JsonSchema = { [keyword: string]: unknown };

/** Facts of a schema that JSON Schema cannot say, in no published document. The words are for people and models. */
export type MarkedSchema = JsonSchema & {
  'x-capix-file'?: FileRules | undefined;
  'x-capix-kind'?: string;
  'x-capix-tag'?: string | undefined;
  /** A function of the application gets the value unchanged, as the caller sent it. */
  'x-capix-raw'?: boolean;
  /** The type and the pattern of texts, where a value of several types is made one. */
  'x-capix-texts'?: JsonSchema;
  'x-capix-words'?: string | undefined;
  /** The name that its author gave, where another schema beside it has that one. */
  'x-capix-id'?: string;
  /** It may be undefined. */
  'x-capix-nothing'?: boolean;
};

/** The texts that stand in JSON for values which JSON lacks, by the kind of value, whose name all libraries share. */
export const textsOf: Readonly<Record<string, object>> = {
  date: { type: 'string', format: 'date-time' },
  bigint: { type: 'string', pattern: String.raw`^-?\d+$` },
};

/** One level of a JSON Schema for others: with its words, and without its marks except `marksToKeep`. */
export function withoutMarks(json: MarkedSchema, marksToKeep: readonly string[] = []): JsonSchema {
  const { 'x-capix-words': words, propertyNames } = json;
  const plain: JsonSchema = Object.fromEntries(
    Object.entries(json).filter(
      ([keyword]) => !keyword.startsWith('x-capix-') || marksToKeep.includes(keyword),
    ),
  );
  // The names in JSON are always texts.
  if (JSON.stringify(propertyNames) === '{"type":"string"}') delete plain['propertyNames'];
  if (words !== undefined) plain['description'] = joinWords(plain['description'], words);
  return plain;
}

export function joinWords(first: unknown, second: string): string {
  const text = typeof first === 'string' ? first.trimEnd().replace(/([^.!?])$/, '$1.') : '';
  return `${text} ${second}`.trimStart();
}

/** Describes an expression with flags, which JSON Schema does not have; undefined for others. */
export function toFlagWords(expression: RegExp | undefined): string | undefined {
  return /[imsv]/.test(expression?.flags ?? '') ? `Matches ${String(expression)}.` : undefined;
}

/** A copy with the schemas inside replaced; data stays. `step` is a field's name, `''` for others, `[]` for items. */
export function mapSubschemas(
  schema: JsonSchema,
  map: (inner: JsonSchema, step?: string) => JsonSchema,
): JsonSchema {
  const copy = { ...schema };
  // Only keywords that hold schemas are set again: a name such as `__proto__` is not among them.
  for (const [keyword, value] of Object.entries(schema) as [string, JsonSchema][]) {
    if (typeof value !== 'object' || value === null) continue;
    const step = toStep(keyword);
    if (ofFields.has(keyword)) {
      const fields = Object.entries(value) as [string, JsonSchema][];
      const isPlace = keyword !== '$defs';
      copy[keyword] = Object.fromEntries(
        fields.map(([name, field]) => [name, map(field, isPlace ? name : undefined)]),
      );
    } else if (step !== undefined || ofSchemas.has(keyword))
      copy[keyword] = Array.isArray(value)
        ? value.map((each: JsonSchema) => map(each, step))
        : map(value, step);
  }
  return copy;
}

/** The step into the schemas of a keyword, where they are items, or fields without a name. */
function toStep(keyword: string): string | undefined {
  if (ofItems.has(keyword)) return '[]';
  return /^(additional|unevaluated)Properties$/.test(keyword) ? '' : undefined;
}

/** The keywords that hold schemas: by names, of items, and one or a list of them. */
const ofFields: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'dependentSchemas',
]);
const ofItems: ReadonlySet<string> = new Set([
  'prefixItems',
  'items',
  'contains',
  'unevaluatedItems',
]);
const ofSchemas: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
