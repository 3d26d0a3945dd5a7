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

export function recordOf(value: unknown): SchemaJson {
  return isSchemaObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
