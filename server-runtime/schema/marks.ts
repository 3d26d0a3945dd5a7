import type { FileRules } from './find-file-rules.ts';
import type { JsonSchema } from './to-json-schema.ts';

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
  /** The schema as texts see it, where a value of several types is made one. */
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

/** One level of a JSON Schema as others get it: without marks, with their words. */
export function withoutMarks(json: JsonSchema): JsonSchema {
  const { [MARKS]: marks, ...plain } = json;
  const { words } = (marks ?? {}) as Marks;
  return words === undefined ? plain : { ...plain, description: joinWords(plain['description'], words) };
}

/** Two texts of which the first may be missing. */
export function joinWords(first: unknown, second: string): string {
  return typeof first === 'string' && first !== ''
    ? `${first.trimEnd().replace(/([^.!?])$/, '$1.')} ${second}`
    : second;
}
