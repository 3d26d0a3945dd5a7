/** A JSON Schema that is an object. */
export type SchemaJson = Readonly<Record<string, unknown>>;

export function isSchemaObject(json: unknown): json is SchemaJson {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** The value of a keyword that takes a number; undefined where it was given something else. */
export function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The texts that a keyword was given, one or a list of them. */
export function toTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : none;
}

const none: readonly string[] = [];

/** zod's name of a kind of value that JSON Schema has no word for. */
export const KIND_KEYWORD = 'x-kind';

/** The keyword for rules of a file that JSON Schema has no word for, `{"maxSize": 1000, "accept": ["image/png"]}`. */
export const FILE_KEYWORD = 'x-file';

/** The keyword of a JSON Schema under which its checks stand that are code. */
export const CHECKS_KEYWORD = 'x-checks';
