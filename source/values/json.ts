import { attempt } from './attempt.ts';

/** The way to a value from the whole on: names of fields, and indexes. */
export type JsonPath = readonly (string | number)[];

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function findValueAt(whole: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as JsonObject)[step]
        : undefined,
    whole,
  );
}

/** The whole with another value at a path. Objects on the way there are made where the user has entered nothing yet. */
export function withValueAt(whole: unknown, [step, ...rest]: JsonPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const object = isJsonObject(whole) ? whole : {};
    return { ...object, [step]: withValueAt(findValueAt(object, [step]), rest, value) };
  }
  const list: readonly unknown[] = Array.isArray(whole) ? whole : [];
  return Array.from({ length: Math.max(list.length, step + 1) }, (_, index) =>
    index === step ? withValueAt(list[index], rest, value) : list[index],
  );
}

/** A value with others in place of those in it that are no objects and no lists. */
export function mapLeaves(
  value: unknown,
  toLeaf: (value: unknown, path: JsonPath) => unknown,
  path: JsonPath = [],
): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => mapLeaves(item, toLeaf, [...path, index]));
  if (!isJsonObject(value)) return toLeaf(value, path);
  const fields = Object.entries(value).map(
    ([name, inner]) => [name, mapLeaves(inner, toLeaf, [...path, name])] as const,
  );
  return Object.fromEntries(fields);
}

/** The object that a text is in JSON; undefined for any other text. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = attempt(() => JSON.parse(text) as unknown);
  return isJsonObject(value) ? value : undefined;
}

/** Some properties of an object, in the order of their names here. */
export function pick<Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  ...names: readonly Name[]
): Pick<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<Whole, Name>;
}
