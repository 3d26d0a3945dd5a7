import { toSingular } from '../routing/infer-route.ts';
import { createDescriber, describe } from '../schema/describe.ts';
import {
  type JsonSchema,
  type MarkedSchema,
  mapSubschemas,
  withoutMarks,
} from '../schema/json-schema.ts';
import { findReferred, Lens, toChoices, toReferredName } from '../schema/lens.ts';
import type { Schema, SchemaSide } from '../schema/schema.ts';
import type { OnNode } from '../schema/to-json-schema.ts';
import { addNamed } from './document-parts.ts';

/** On a schema, for the tool: a word for each of its rules that JSON Schema cannot express. */
export const CHECKS = 'x-capix-checks';

export interface SchemaConverter {
  readonly describe: (schema: Schema, io?: SchemaSide) => JsonSchema;
  readonly convert: (place: SchemaPlace) => JsonSchema;
  /** The same of a part of its description. */
  readonly write: (json: JsonSchema, place: SchemaPlace) => JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
  /**
   * The names of components without a name of their author: each comes from the place where the component occurs first.
   */
  readonly guessedNames: readonly string[];
}

/** A schema somewhere in the document; of an input where `io` does not say otherwise. */
export interface SchemaPlace {
  readonly schema: Schema;
  readonly io?: SchemaSide;
  /** The name of a component that its author gave none. */
  readonly name: string;
  /** Whether only texts stand there, as in a query. */
  readonly isText?: boolean;
}

/** Writes the schemas of one document. With `onNode`, which is called with every schema of zod, some marks stay. */
export function createSchemaConverter(onNode?: OnNode): SchemaConverter {
  const components: Record<string, JsonSchema> = {};
  const guessedNames: string[] = [];
  const names = new Map<string, string>();
  const taken = new Map([['Error', 'that of the envelope']]);
  const describer = onNode === undefined ? describe : createDescriber(onNode);
  const toSide = (schema: Schema, io: SchemaSide = 'input'): JsonSchema => describer(schema)[io];
  const marksToKeep = onNode === undefined ? [] : ['x-capix-kind', 'x-capix-file', CHECKS];

  /** The name of the component that a reference leads to. The first reference to it writes it. */
  const nameOf = (ref: string, place: SchemaPlace): string => {
    const root = toSide(place.schema, place.io);
    const subject = toSubject(ref, root, toSide(place.schema));
    const key = JSON.stringify(subject);
    const known = names.get(key);
    if (known !== undefined) return known;
    const { authored, isOutput } = subject;
    const wanted = toFormName(authored ?? place.name, isOutput);
    const name = addNamed(taken, wanted.replace(/[^\w.-]/g, '_'), key);
    names.set(key, name);
    if (authored === undefined) guessedNames.push(name);
    // Its place is taken first: it may refer to itself, and stands before the components that it refers to.
    components[name] = {};
    const json = toPart(root, ref);
    const component = write(json, { ...place, name, isText: false });
    components[name] = component;
    if (onNode === undefined || authored === undefined) return name;
    // The tool learns the author's name, where the component has a longer one because that name was taken.
    const id = toFormName(json['x-capix-id'] ?? authored, isOutput);
    if (id.length < name.length) component['x-capix-id'] = id;
    return name;
  };

  const write = (described: MarkedSchema, place: SchemaPlace): JsonSchema => {
    const original =
      place.isText === true ? { ...described, ...described['x-capix-texts'] } : described;
    const json = mapSubschemas(original, (inner, step) =>
      write(inner, { ...place, name: toName(place.name, step) }),
    );
    const { $ref: ref, ...plain } = toKnownConstant(withoutMarks(json, marksToKeep));
    if (typeof ref === 'string') plain['$ref'] = `#/components/schemas/${nameOf(ref, place)}`;
    if ('x-capix-tag' in described)
      addDiscriminator(plain, described, toSide(place.schema, place.io));
    return toShortNullable(plain);
  };

  const convert = (place: SchemaPlace): JsonSchema => {
    const { $defs: _parts, ...json } = toSide(place.schema, place.io);
    return write(JSON.stringify(json).includes('"$ref":"#"') ? { $ref: '#' } : json, place);
  };
  return { describe: toSide, convert, write, components, guessedNames };
}

/** The facts by which two references lead to one component, or to two. */
interface Subject {
  /** A text that is equal for schemas that say the same. */
  readonly identity: string;
  /** Whether it is the form in answers of a schema that is taken in another form. */
  readonly isOutput: boolean;
  /** The name that its author gave. A schema that refers to itself, and one that zod numbers, have none. */
  readonly authored: string | undefined;
}

function toSubject(ref: string, root: JsonSchema, input: JsonSchema): Subject {
  const identity = toIdentity(ref, root);
  const asInput = toIdentity(ref, input);
  const isNumbered = ref === '#' || /\/__schema\d+$/.test(ref);
  return {
    identity,
    isOutput: asInput !== '{}' && asInput !== identity,
    authored: isNumbered ? undefined : toReferredName(ref),
  };
}

/**
 * A text or number that is constant, such as the tag of a union, is an enum of one: `const` is new in
 * OpenAPI 3.1, and readers that pass over it take any text for the tag, or throw.
 */
function toKnownConstant(json: JsonSchema): JsonSchema {
  const { const: value, ...rest } = json;
  const isKnown = typeof value === 'string' || typeof value === 'number';
  return isKnown ? { ...rest, enum: [value] } : json;
}

/** `type: ['string', 'null']`, which generators read best. The keywords of the choice win over those of its branch. */
function toShortNullable(json: JsonSchema): JsonSchema {
  const { anyOf = [], ...rest } = json as { readonly anyOf?: readonly JsonSchema[] };
  const [other = {}, ...more] = anyOf.filter(({ type }) => type !== 'null');
  const isPlain =
    typeof other['type'] === 'string' && !['enum', 'const', 'allOf'].some((word) => word in other);
  if (!isPlain || anyOf.length !== 2 || more.length > 0) return json;
  return { ...other, type: [other['type'], 'null'], ...rest };
}

/** The part of a description that a reference names, by default its own; without those that it refers to. */
export function toPart(root: JsonSchema, ref = (root['$ref'] ?? '#') as string): MarkedSchema {
  const { $defs: _others, ...part } = findReferred(root, ref);
  return part;
}

/** A text that is equal for equal schemas, whatever names their libraries use in references. */
function toIdentity(ref: string, root: JsonSchema): string {
  const refs = [ref];
  let identity = '';
  for (const each of refs) {
    // A mark that only the tool gets makes no other component.
    identity += JSON.stringify(toPart(root, each), (keyword, value: unknown) => {
      if (keyword !== '$ref' || typeof value !== 'string')
        return keyword === CHECKS ? undefined : value;
      if (!refs.includes(value)) refs.push(value);
      return refs.indexOf(value);
    });
  }
  return identity;
}

/** A discriminator can only tell components apart. */
function addDiscriminator(written: JsonSchema, original: MarkedSchema, root: JsonSchema): void {
  const { 'x-capix-tag': propertyName = '' } = original;
  // Older versions of zod write `anyOf`.
  const toList = ({ oneOf, anyOf }: JsonSchema): readonly JsonSchema[] =>
    (oneOf ?? anyOf ?? []) as JsonSchema[];
  const targets = toList(written).map(({ $ref }) => $ref);
  const pairs = toList(original).flatMap((branch, at) => {
    const [value, ...more] = toChoices(
      new Lens(branch, root).object.fields.get(propertyName) ?? {},
    );
    return [value, ...more].map((each) => [each, targets[at]] as const);
  });
  if (pairs.flat().every((part) => typeof part === 'string'))
    written['discriminator'] = { propertyName, mapping: Object.fromEntries(pairs) };
}

/** The form in answers of a `User` that is taken in another one is a `UserOutput`. */
function toFormName(name: string, isOutput: boolean): string {
  return isOutput && !name.endsWith('Output') ? `${name}Output` : name;
}

/** `shippingAddress` is a `ShippingAddress`; the items of `tags` are a `Tag`. */
function toName(parent: string, step: string | undefined): string {
  if (!step) return parent;
  return step === '[]' ? toSingular(parent) : step.charAt(0).toUpperCase() + step.slice(1);
}
