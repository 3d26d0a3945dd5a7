import { isFileSchema } from '../../../server-runtime/input/is-file-schema.ts';
import { findObjectBranches } from '../../../server-runtime/input/plan/object-branch.ts';
import { toElements, toValueBranches } from '../../../server-runtime/input/plan/value-branches.ts';
import { findFileRules } from '../../../server-runtime/input/uploaded-file.ts';
import { findObjectFields, innerSchema, type ObjectFields } from '../../../server-runtime/schema/object-fields.ts';
import { definitionOf, type Schema } from '../../../server-runtime/schema/schema.ts';
import type { ManifestCapability } from '../manifest.ts';
import type { Problem } from '../problem.ts';
import { rememberByObject } from '../remember-by-object.ts';
import { toMistake } from './to-mistake.ts';

/** Finds inputs that nobody can send, because of how they are sent: as a query, as a form, or under a name that never reaches a handler. */
export function findInputMistakes(capability: ManifestCapability, schema: Schema | undefined): readonly Problem[] {
  if (schema === undefined) return [];
  const fields = findObjectFields(schema);
  const isQuery = capability.method === 'GET' || capability.method === 'DELETE';
  if (fields === undefined) return findShapeless(capability, schema, isQuery);
  const sent = new Map((capability.sent ?? []).map((each) => [each.field, each.in]));
  return [
    ...findSecondStream(capability, fields),
    ...[...fields].flatMap(([name, field]) => [
      ...(unsafeNames.has(name) ? [toUnsafeField(capability, name)] : []),
      ...findUnsafeInside(field).map((inside) => toUnsafeField(capability, inside, name)),
      ...findInPlace(capability, {
        name,
        field,
        isQuery,
        place: capability.params.includes(name) ? 'path' : sent.get(name),
      }),
    ]),
  ];
}

/** The input is validated when the first file begins, and the second one has not come then. */
function findSecondStream(capability: ManifestCapability, fields: ObjectFields): readonly Problem[] {
  const streamed = [...fields].filter(
    ([, field]) => findFileRules(field)?.stream === true && definitionOf(field).type === 'custom',
  );
  const [first, second] = streamed.map(([name]) => name);
  if (first === undefined || second === undefined) return [];
  const message = `\`${capability.key}\` must have \`${first}\` and \`${second}\`, which are both read as they arrive: when the first one does, the other is missing.`;
  const hint = 'Leave `stream: true` out of one of them, or make a capability of each.';
  return [toMistake('second-streamed-file', capability, { message, hint })];
}

/** Dropped from every input, at any depth. */
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Scalars, lists of them, and what is not an object alone; in a query also a record, whose values are texts there. */
function findShapeless(capability: ManifestCapability, schema: Schema, isQuery: boolean): readonly Problem[] {
  const { key, method } = capability;
  const type = toPlainType(schema);
  if (isQuery && type === 'record') {
    const [value] = findObjectBranches(schema).map(({ rest }) => rest);
    if (value === undefined || takesText(value)) return [];
    const message = `\`${key}\` is ${method}, and takes a record of other values than texts: the values of a query without names stay texts.`;
    const hint = 'Name the fields, or put the record into one: z.object({ filter: z.record(z.string(), z.number()) }).';
    return [toMistake('object-in-query', capability, { message, hint })];
  }
  if (!scalars.has(type) && type !== 'array' && type !== 'tuple') return [];
  const message = `\`${key}\` takes a \`${type}\` as its input, but input is always an object: nobody can send it.`;
  return [toMistake('input-not-object', capability, { message, hint: 'Give it a name: z.object({ value: … }).' })];
}

/** Whether some text may fit: whatever is not a number, a boolean, a list or an object alone. */
function takesText(schema: Schema): boolean {
  const { arrays, objects, scalars: values } = toValueBranches([schema]);
  return (
    arrays.length + objects.length + values.length === 0 ||
    values.some((value) => !['number', 'boolean'].includes(definitionOf(value).type))
  );
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

function toUnsafeField(capability: ManifestCapability, name: string, outside?: string): Problem {
  const place = outside === undefined ? '' : ` inside \`${outside}\``;
  const message = `\`${capability.key}\` has the field \`${name}\`${place}, which never reaches a handler: it is dropped from every input.`;
  return toMistake('unsafe-field', capability, { message, hint: 'Give the field another name.' });
}

function findInQuery(capability: ManifestCapability, name: string, field: Schema): readonly Problem[] {
  const { key, method } = capability;
  if (isFileSchema(toItem(field))) {
    const message = `\`${key}\` is ${method}, and \`${name}\` is a file: a query cannot carry one.`;
    const hint = `Rename the capability, or give it an override with POST: '${key}': { method: 'POST', path: '${capability.path}' }.`;
    return [toMistake('file-in-query', capability, { message, hint })];
  }
  return findBracketsInside(field).map((unsendable) => {
    const message = `\`${key}\` is ${method}, and \`${name}\` has a field \`${unsendable}\`: between brackets of a query that name is two.`;
    return toMistake('object-in-query', capability, { message, hint: 'Give the field another name.' });
  });
}

interface PlacedField {
  readonly name: string;
  readonly field: Schema;
  readonly isQuery: boolean;
  /** Undefined in query or body. */
  readonly place: 'path' | 'header' | 'cookie' | undefined;
}

/** A segment of a path and a cookie are one text, a header may be a list of them. */
function findInPlace(capability: ManifestCapability, { name, field, isQuery, place }: PlacedField): readonly Problem[] {
  if (place === undefined) return isQuery ? findInQuery(capability, name, field) : [];
  const { arrays, objects, scalars: values } = toValueBranches([field]);
  const refused = place === 'header' ? objects : [...arrays, ...objects];
  const taken = place === 'header' ? [...values, ...arrays] : values;
  if (taken.length > 0 || refused.length === 0) return [];
  const message = `\`${capability.key}\` takes \`${name}\` from its ${place}, where ${place === 'header' ? 'an object' : 'a list or an object'} cannot be sent.`;
  return [
    toMistake('object-in-query', capability, {
      message,
      hint: 'Take a text there, or take the field from the query or the body.',
    }),
  ];
}

/** The first name of a field of a field, at any depth, that is one of those that are looked for: `filter[a][b]` of a query. */
function findNameInside(
  field: Schema,
  isLookedFor: (name: string) => boolean,
  seen = new Set<Schema>(),
): readonly string[] {
  if (seen.has(field) || seen.size > MAX_SCHEMAS) return [];
  seen.add(field);
  const { arrays, objects } = toValueBranches([field]);
  const branches = objects.flatMap((object) => findObjectBranches(object));
  const found = branches.flatMap(({ fields }) => [...fields.keys()]).find(isLookedFor);
  if (found !== undefined) return [found];
  const inside = [...toElements(arrays)(0), ...branches.flatMap(({ fields }) => [...fields.values()])];
  return inside.flatMap((each) => findNameInside(each, isLookedFor, seen)).slice(0, 1);
}

const findUnsafeInside = rememberByObject((field: Schema) => findNameInside(field, (name) => unsafeNames.has(name)));
const findBracketsInside = rememberByObject((field: Schema) => findNameInside(field, (name) => name.includes('][')));

/** A schema that makes itself anew at every level is given up after so many. */
const MAX_SCHEMAS = 1000;

function toPlainType(schema: Schema): string {
  const inner = innerSchema(schema);
  return inner === undefined ? definitionOf(schema).type : toPlainType(inner);
}

/** The elements of a list, or the schema itself. */
function toItem(schema: Schema): Schema {
  const definition = definitionOf(schema);
  if (definition.type === 'array' && definition.element !== undefined) return definition.element;
  const inner = innerSchema(schema);
  return inner === undefined ? schema : toItem(inner);
}
