import { findTarget } from '../../shape/read/find-target.ts';
import { isSchemaObject, type SchemaJson } from '../../shape/read/schema-json.ts';

/** One operation of a document, with its references into the document followed. */
export interface DocumentOperation {
  readonly document: SchemaJson;
  readonly method: string;
  /** `/users/{id}` */
  readonly path: string;
  readonly operation: SchemaJson;
  /** The parameters of the path, and those of the operation. */
  readonly parameters: readonly SchemaJson[];
}

export function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The target of a reference, or the object itself. */
export function followReference(value: unknown, document: SchemaJson): SchemaJson {
  if (!isSchemaObject(value)) return {};
  const { $ref } = value;
  const target = typeof $ref === 'string' ? findTarget($ref, document) : value;
  return isSchemaObject(target) ? target : {};
}
