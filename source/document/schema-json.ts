import { decodePlain } from '../values/attempt.ts';
import { findValueAt } from '../values/json.ts';

/** A JSON Schema that is an object. */
export type SchemaJson = Readonly<Record<string, unknown>>;

export function isSchemaObject(json: unknown): json is SchemaJson {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** The value of a keyword that takes a number; undefined where the value is something else. */
export function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The texts of a keyword that has one or a list of them. */
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

/** Before OpenAPI 3.1 a schema with a reference is the reference alone, whatever stands beside it. */
export function isOpenApi30(document: unknown): boolean {
  return textOf(recordOf(document)['openapi'])?.startsWith('3.0') === true;
}

/** Finds what a reference (`#/$defs/a%20b`) points to in its document; undefined for nothing, or elsewhere. */
export function findTarget(reference: string, root: unknown): unknown {
  return reference === '#' || reference.startsWith('#/')
    ? findAtPointer(root, decodePlain(reference))
    : undefined;
}

/** The reference that stands in the place of a part of a document. */
export function findReference(value: unknown): string | undefined {
  return textOf(recordOf(value)['$ref']);
}

/** References that lead to references, one after the other; more of them lead in a circle. */
const MAX_STEPS = 20;

/** The target of a reference, or the object itself. */
export function follow(value: unknown, document: SchemaJson): SchemaJson {
  let target = value;
  for (let step = 0; step <= MAX_STEPS; step += 1) {
    const reference = findReference(target);
    if (reference === undefined) return recordOf(target);
    target = findTarget(reference, document);
  }
  return {};
}

/** The names on the way of a JSON Pointer, outermost first: `#/paths/~1users/get` leads by `paths`, `/users`, `get`. */
export function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Finds what a JSON Pointer leads to; undefined where it leads to nothing. */
export function findAtPointer(document: unknown, pointer: string): unknown {
  return findValueAt(document, parsePointer(pointer));
}

/** A value of JSON with the fields of its objects in one order, so that the same value is the same text. */
export function toSortedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSortedJson);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, toSortedJson(inner)]));
}

export function toSortedText(value: unknown): string {
  return JSON.stringify(toSortedJson(value));
}
