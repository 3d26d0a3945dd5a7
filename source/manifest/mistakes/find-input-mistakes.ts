import { isFileSchema } from '../../../server-runtime/input/is-file-schema.ts';
import { findObjectFields, innerSchema } from '../../../server-runtime/schema/object-fields.ts';
import { definitionOf, type Schema } from '../../../server-runtime/schema/schema.ts';
import type { ManifestCapability } from '../manifest.ts';
import type { Problem } from '../problem.ts';
import { toMistake } from './to-mistake.ts';

/** What nobody can send, because of how it is sent: as a query, as a form, or under a name that never reaches a handler. */
export function findInputMistakes(capability: ManifestCapability, schema: Schema | undefined): readonly Problem[] {
  if (schema === undefined) return [];
  const fields = findObjectFields(schema);
  if (fields === undefined) return findShapeless(capability, schema);
  const isQuery = capability.method === 'GET' || capability.method === 'DELETE';
  const isForm = [...fields.values()].some((field) => isFileSchema(toItem(field)));
  return [...fields].flatMap(([name, field]) => [
    ...(unsafeNames.has(name) ? [toUnsafeField(capability, name)] : []),
    ...(isQuery && !capability.params.includes(name) ? findInQuery(capability, name, field) : []),
    ...(isForm && isStructured(field) ? [toFormObject(capability, name)] : []),
  ]);
}

/** Dropped from every input, at any depth. */
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Scalars, lists of them, and what is not an object alone. */
function findShapeless(capability: ManifestCapability, schema: Schema): readonly Problem[] {
  const type = toPlainType(schema);
  if (!scalars.has(type) && type !== 'array' && type !== 'tuple') return [];
  const message = `\`${capability.key}\` takes a \`${type}\` as its input, but input is always an object: nobody can send it.`;
  return [toMistake('input-not-object', capability, { message, hint: 'Give it a name: z.object({ value: … }).' })];
}

const scalars: ReadonlySet<string> = new Set([
  'string',
  'number',
  'boolean',
  'bigint',
  'enum',
  'literal',
  'date',
  'null',
]);

function toUnsafeField(capability: ManifestCapability, name: string): Problem {
  const message = `\`${capability.key}\` has the field \`${name}\`, which never reaches a handler: it is dropped from every input.`;
  return toMistake('unsafe-field', capability, { message, hint: 'Give the field another name.' });
}

function findInQuery(capability: ManifestCapability, name: string, field: Schema): readonly Problem[] {
  const { key, method } = capability;
  if (isFileSchema(toItem(field))) {
    const message = `\`${key}\` is ${method}, and \`${name}\` is a file: a query cannot carry one.`;
    const hint = `Rename the capability, or give it an override with POST: '${key}': { method: 'POST', path: '${capability.path}' }.`;
    return [toMistake('file-in-query', capability, { message, hint })];
  }
  if (!isStructured(field)) return [];
  const message = `\`${key}\` is ${method}, and \`${name}\` is an object or a list of lists: a query has no form of it that is taken.`;
  const hint = `Take its parts as fields of their own, or give the capability a body: '${key}': { method: 'POST', path: '${capability.path}' }.`;
  return [toMistake('object-in-query', capability, { message, hint })];
}

function toFormObject(capability: ManifestCapability, name: string): Problem {
  const message = `\`${capability.key}\` takes a file, so it is sent as a form, in which \`${name}\` cannot be sent: it is an object or a list of lists.`;
  return toMistake('object-in-form', capability, { message, hint: 'Take its parts as fields of their own.' });
}

function toPlainType(schema: Schema): string {
  const inner = innerSchema(schema);
  return inner === undefined ? definitionOf(schema).type : toPlainType(inner);
}

/** Of a list its elements. */
function toItem(schema: Schema): Schema {
  const definition = definitionOf(schema);
  if (definition.type === 'array' && definition.element !== undefined) return definition.element;
  const inner = innerSchema(schema);
  return inner === undefined ? schema : toItem(inner);
}

/** An object, or a list of objects or lists. */
function isStructured(field: Schema): boolean {
  const type = toPlainType(field);
  const own = type === 'array' ? toPlainType(toItem(field)) : type;
  return own === 'object' || own === 'record' || (type === 'array' && own === 'array');
}
