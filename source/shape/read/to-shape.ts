import { mergeShapes, toUnion } from '../merge-shapes.ts';
import type { Shape, ShapeNotes } from '../shape.ts';
import { findTarget, isSchemaObject, type SchemaJson, toTexts } from './schema-json.ts';
import { toTypedShape } from './to-typed-shape.ts';

/**
 * The shape of a JSON Schema: of draft 2020-12, of draft 7, or of OpenAPI 3.0. `root` is the document that its
 * references point into. Never throws: a keyword that the model cannot say makes it `unclear`, and what is not a schema
 * admits anything.
 */
export function toShape(json: unknown, root: unknown = json): Shape {
  if (json !== root) return read(json, findDocument(root, documents));
  const document: Document = { root, targets: new Map() };
  const shape = read(json, document);
  document.targets.set('#', shape);
  return shape;
}

/** The shape as its author declared it, where a server takes more: `z.coerce.number()` is a number. */
export function toDeclaredShape(json: unknown, root: unknown): Shape {
  return read(json, findDocument(root, declared));
}

interface Document {
  readonly root: unknown;
  readonly isDeclared?: boolean;
  /** The shapes that references lead to, by reference: a schema that contains itself is one object. */
  readonly targets: Map<string, Shape>;
}

/** Documents are read part by part; a schema of its own is read once, and kept by whoever asked. */
const documents = new WeakMap<object, Document>();
const declared = new WeakMap<object, Document>();

function findDocument(root: unknown, known: WeakMap<object, Document>): Document {
  const document: Document = (isSchemaObject(root) ? known.get(root) : undefined) ?? {
    root,
    isDeclared: known === declared,
    targets: new Map(),
  };
  if (isSchemaObject(root)) known.set(root, document);
  return document;
}

function read(given: unknown, document: Document): Shape {
  if (!isSchemaObject(given)) return given === false ? nothing : any;
  const json = document.isDeclared === true ? withoutCoercion(given) : given;
  const inner = (part: unknown): Shape => read(part, document);
  if (!Object.keys(json).some((keyword) => combining.has(keyword))) return withNotes(json, toTypedShape(json, inner));
  const base = withNull(json, toParts(json, document, inner).reduce(mergeShapes, any));
  const keywords = toUnsaid(json);
  return withNotes(json, keywords === undefined ? base : { kind: 'unclear', base, keywords });
}

/** `coerce boolean` says what texts become; of another one the first type is that which the author wrote. */
function withoutCoercion(json: SchemaJson): SchemaJson {
  const { 'x-capix-checks': checks, type } = json;
  const word = toTexts(checks).find((check) => /^coerce\b/.test(check));
  if (word === undefined) return json;
  return { ...json, type: Array.isArray(type) ? (type as readonly unknown[])[0] : (word.split(' ')[1] ?? type) };
}

const any: Shape = { kind: 'any' };
const nothing: Shape = { kind: 'union', variants: [], isExclusive: false };

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
  'patternProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
] as const;

/** Keywords by which a schema says more than one thing; most have none of them. */
const combining: ReadonlySet<string> = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'nullable', ...unsaidKeywords]);

/** Shapes that all hold: what the schema itself says, what it refers to, its parts, its branches. */
function toParts(json: SchemaJson, document: Document, inner: (json: unknown) => Shape): readonly Shape[] {
  const { $ref, allOf, anyOf, oneOf, not } = json;
  const read = (branches: unknown, isExclusive: boolean): readonly Shape[] =>
    Array.isArray(branches) && !isListOfMediaTypes(json, branches) ? [toUnion(branches.map(inner), isExclusive)] : [];
  return [
    ...(typeof $ref === 'string' ? [toReference($ref, document)] : []),
    toTypedShape(json, inner),
    ...(Array.isArray(allOf) ? allOf.map(inner) : []),
    ...read(anyOf, false),
    ...read(oneOf, true),
    ...(isEverything(not) ? [nothing] : []),
  ];
}

/** zod writes the media types of a file as branches that say nothing else. */
function isListOfMediaTypes({ format }: SchemaJson, branches: readonly unknown[]): boolean {
  return (
    format === 'binary' &&
    branches.every((branch) => isSchemaObject(branch) && Object.keys(branch).join() === 'contentMediaType')
  );
}

function toReference(reference: string, document: Document): Shape {
  return {
    kind: 'reference',
    reference,
    target: () => {
      const known = document.targets.get(reference);
      if (known !== undefined) return known;
      const target = findTarget(reference, document.root);
      const shape: Shape =
        target === undefined ? { kind: 'unclear', base: any, keywords: { $ref: reference } } : read(target, document);
      document.targets.set(reference, shape);
      return shape;
    },
  };
}

/** OpenAPI 3.0 adds `null` to a type (see `toTypedShape`); people write it beside a reference too. */
function withNull(json: SchemaJson, shape: Shape): Shape {
  if (json['nullable'] !== true || json['type'] !== undefined || shape.kind === 'any') return shape;
  return toUnion([shape, { kind: 'literal', values: [null] }]);
}

function toUnsaid(json: SchemaJson): SchemaJson | undefined {
  const unsaid = unsaidKeywords.filter(
    (keyword) =>
      json[keyword] !== undefined && !(keyword === 'not' && (json[keyword] === false || isEverything(json[keyword]))),
  );
  if (unsaid.length === 0) return undefined;
  const others = unsaid.includes('patternProperties') ? ['additionalProperties'] : [];
  return Object.fromEntries([...unsaid, ...others].map((keyword) => [keyword, json[keyword]]));
}

function isEverything(json: unknown): boolean {
  return json === true || (isSchemaObject(json) && Object.keys(json).length === 0);
}

/** Only what is said is laid over what another schema says. */
function withNotes(json: SchemaJson, shape: Shape): Shape {
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
  const checks = toTexts(json['x-capix-checks']);
  if (checks.length > 0) notes.checks = [...(shape.checks ?? []), ...checks];
  return Object.keys(notes).length === 0 ? shape : { ...shape, ...notes };
}
