import { mergeShapes } from '../merge/merge-shapes.ts';
import { toPlainUnion } from '../merge/to-plain-union.ts';
import type { Shape, ShapeNotes } from '../shape.ts';
import { findTarget } from './find-target.ts';
import { isSchemaObject, type SchemaJson } from './schema-json.ts';
import { isListOfMediaTypes, toTypedShape } from './to-typed-shape.ts';
import { toUnionShape } from './to-union-shape.ts';

/**
 * The shape of a JSON Schema: of draft 2020-12, of draft 7, or of OpenAPI 3.0. `root` is the document that its references point into.
 * Never throws: a keyword that the model cannot say makes it `other`, and what is not a schema admits anything.
 */
export function toShape(json: unknown, root: unknown = json): Shape {
  return read(json, root);
}

/** The shapes of each document, by schema. */
const known = new WeakMap<object, WeakMap<object, Shape>>();

function read(json: unknown, root: unknown): Shape {
  if (!isSchemaObject(json)) return json === false ? never : any;
  const shapes = findShapes(root);
  const before = shapes.get(json);
  if (before !== undefined) return before;
  const shape = make(json, root);
  shapes.set(json, shape);
  return shape;
}

const any: Shape = { kind: 'any' };
const never: Shape = { kind: 'never' };

function findShapes(root: unknown): WeakMap<object, Shape> {
  if (!isSchemaObject(root)) return new WeakMap();
  const shapes = known.get(root) ?? new WeakMap<object, Shape>();
  known.set(root, shapes);
  return shapes;
}

function make(json: SchemaJson, root: unknown): Shape {
  const base = withNull(json, toParts(json, root).reduce(mergeShapes, any));
  const keywords = toUnsaid(json);
  const shape: Shape = keywords === undefined ? base : { kind: 'other', base, keywords };
  return { ...shape, ...toNotes(json) };
}

/** Shapes that all hold: what the schema itself says, what it refers to, its parts, its branches. */
function toParts(json: SchemaJson, root: unknown): readonly Shape[] {
  const { $ref, allOf, anyOf, oneOf, not } = json;
  const inner = (part: unknown): Shape => read(part, root);
  const toUnion = (branches: unknown, isExclusive: boolean): readonly Shape[] =>
    Array.isArray(branches) && !isListOfMediaTypes(json, branches)
      ? [toUnionShape(branches, { read: inner, root, isExclusive, discriminator: json['discriminator'] })]
      : [];
  return [
    ...(typeof $ref === 'string' ? [toReference($ref, root)] : []),
    toTypedShape(json, inner),
    ...(Array.isArray(allOf) ? allOf.map(inner) : []),
    ...toUnion(anyOf, false),
    ...toUnion(oneOf, true),
    ...(isEverything(not) ? [never] : []),
  ];
}

function toReference(reference: string, root: unknown): Shape {
  const missing: Shape = { kind: 'other', base: any, keywords: { $ref: reference } };
  return {
    kind: 'reference',
    reference,
    target: () => {
      const target = findTarget(reference, root);
      return target === undefined ? missing : read(target, root);
    },
  };
}

/** OpenAPI 3.0 adds `null` to a type (see `toTypedShape`); people write it beside a reference too. */
function withNull(json: SchemaJson, shape: Shape): Shape {
  if (json['nullable'] !== true || json['type'] !== undefined || shape.kind === 'any') return shape;
  return toPlainUnion([shape, { kind: 'null' }]);
}

/** Keywords that restrict values in ways of which the model has no word. */
const unsaidKeywords = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
] as const;

function toUnsaid(json: SchemaJson): SchemaJson | undefined {
  const unsaid = unsaidKeywords.filter(
    (keyword) =>
      json[keyword] !== undefined && !(keyword === 'not' && (json[keyword] === false || isEverything(json[keyword]))),
  );
  return unsaid.length === 0 ? undefined : Object.fromEntries(unsaid.map((keyword) => [keyword, json[keyword]]));
}

function isEverything(json: unknown): boolean {
  return json === true || (isSchemaObject(json) && Object.keys(json).length === 0);
}

/** Only what is said, so that it can be laid over what another schema says. */
function toNotes(json: SchemaJson): ShapeNotes {
  const { title, id, description, examples, example, deprecated, readOnly, writeOnly } = json;
  const notes: { -readonly [Note in keyof ShapeNotes]: ShapeNotes[Note] } = {};
  if (typeof title === 'string') notes.title = title;
  if (typeof id === 'string') notes.id = id;
  if (typeof description === 'string') notes.description = description;
  if (json['default'] !== undefined) notes.default = json['default'];
  if (Array.isArray(examples)) notes.examples = examples;
  else if (example !== undefined) notes.examples = [example];
  if (deprecated === true) notes.isDeprecated = true;
  if (readOnly === true) notes.isReadOnly = true;
  if (writeOnly === true) notes.isWriteOnly = true;
  return notes;
}
