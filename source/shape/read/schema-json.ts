/** A JSON Schema that is an object. */
export type SchemaJson = Readonly<Record<string, unknown>>;

export function isSchemaObject(json: unknown): json is SchemaJson {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** The value of a keyword that takes a number; undefined where it was given something else. */
export function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The texts among the values of a keyword. */
export function toTexts(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}
