import { findTarget } from '../shape/read/find-target.ts';
import { isSchemaObject, type SchemaJson } from '../shape/read/schema-json.ts';

/** The target of a reference, or the object itself. */
export function follow(value: unknown, document: SchemaJson): SchemaJson {
  const reference = recordOf(value)['$ref'];
  return recordOf(typeof reference === 'string' ? findTarget(reference, document) : value);
}

export function recordOf(value: unknown): SchemaJson {
  return isSchemaObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
