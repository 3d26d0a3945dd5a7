import { mapSubschemas, visitSubschemas } from '../../schema/map-subschemas.ts';
import type { JsonSchema } from '../../schema/to-json-schema.ts';
import { findTaggedBranches, toDiscriminated } from './find-tagged-branches.ts';
import { CHECKS, type Definitions, FILE, FORM, KIND, SOURCE, TAG } from './schema-converter.ts';
import { toShortNullable } from './to-short-nullable.ts';

/** A schema somewhere in the document. */
export interface SchemaPlace {
  readonly json: JsonSchema;
  /** The name that it gets if it is shared: `User`. */
  readonly name: string;
  /** It is told of the document and no part of it: it refers to components, and makes none. @default false */
  readonly isNote?: boolean | undefined;
}

export interface SharedSchemas {
  /** The schemas of the places, in their order, without marks. */
  readonly schemas: readonly JsonSchema[];
  /** The schemas that they refer to as `#/components/schemas/<name>`. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** The names of components that nobody gave: made up from where they occur first. */
  readonly guessedNames: readonly string[];
}

/**
 * Makes a component of every object or enumeration that comes from one zod schema and occurs twice, of every one with an
 * id, and of every one that contains itself. What is said only of one occurrence (description, default, examples) stays there.
 */
export function shareSchemas(
  places: readonly SchemaPlace[],
  definitions: Definitions,
  { keepsNotes = false }: { readonly keepsNotes?: boolean } = {},
): SharedSchemas {
  const toPlain = keepsNotes ? toNotedPlain : toUnmarked;
  const counted = places.filter(({ isNote }) => isNote !== true);
  const uses = countUses(counted, definitions);
  const names = nameComponents(uses);
  const toFinal = (json: JsonSchema): JsonSchema => {
    const identity = identify(json);
    const use = identity === undefined ? undefined : uses.get(identity);
    const name = use === undefined ? undefined : names.get(use);
    const plain = toPlain(use === undefined ? toInline(json, definitions) : json, toFinal, definitions);
    if (use === undefined || name === undefined) return plain;
    return { $ref: `#/components/schemas/${name}`, ...differences(plain, use) };
  };
  return {
    schemas: places.map(({ json }) => toFinal(json)),
    components: Object.fromEntries([...names].map(([use, name]) => [name, toPlain(use.json, toFinal, definitions)])),
    guessedNames: [...names].flatMap(([use, name]) => (use.id === name ? [] : [name])),
  };
}

/** Only notes refer to schemas that no part of the document does, and that then have no component. */
function toInline(json: JsonSchema, definitions: Definitions): JsonSchema {
  const { $ref: reference, ...own } = json;
  const definition = typeof reference === 'string' ? definitions.get(reference) : undefined;
  return definition === undefined ? json : { ...definition.json, ...own };
}

type ToPlain = (json: JsonSchema, mapInner: (json: JsonSchema) => JsonSchema, definitions: Definitions) => JsonSchema;

/** With the marks that tell the tool of what JSON Schema has no word for. */
function toNotedPlain(...[json, mapInner, definitions]: Parameters<ToPlain>): JsonSchema {
  const plain = toUnmarked(json, mapInner, definitions);
  if (json[KIND] !== undefined) plain[KIND] = json[KIND];
  if (json[FILE] !== undefined) plain[FILE] = json[FILE];
  return plain;
}

/** Without marks; and without the remark that the names of a record are texts. */
function toUnmarked(...[json, mapInner, definitions]: Parameters<ToPlain>): JsonSchema {
  const mapped = toDiscriminated(mapSubschemas(json, mapInner), json, definitions);
  // Not by deleting the marks, which makes a hash table of the object.
  const { [SOURCE]: _source, [FILE]: _file, [FORM]: _form, [KIND]: _kind, [TAG]: _tag, ...plain } = mapped;
  const { propertyNames } = plain;
  if (propertyNames !== undefined && JSON.stringify(propertyNames) === '{"type":"string"}')
    delete plain['propertyNames'];
  return toShortNullable(plain);
}

/** One schema, wherever it occurs. */
interface SchemaUse {
  readonly json: JsonSchema;
  readonly name: string;
  /** The name that its author gave. */
  readonly id: string | undefined;
  /** Named by its author, or needed by a reference: a component however often it occurs. */
  isNamed: boolean;
  count: number;
}

/** Counts without looking twice into the same schema: what is inside a shared one occurs once, there. */
function countUses(places: readonly SchemaPlace[], definitions: Definitions): Map<string, SchemaUse> {
  const uses = new Map<string, SchemaUse>();
  const visit = (json: JsonSchema, name: string, isBranch = false): void => {
    const identity = identify(json);
    const known = identity === undefined ? undefined : uses.get(identity);
    if (known !== undefined) {
      known.count++;
      known.isNamed ||= isBranch;
      return;
    }
    const definition = identity === undefined ? undefined : definitions.get(identity);
    const content = definition?.json ?? json;
    if (identity !== undefined && (definition !== undefined || isShareable(json))) {
      const id = definition?.id === undefined ? undefined : toFormName(definition.id, content);
      uses.set(identity, {
        json: content,
        name: id ?? toFormName(name, content),
        id,
        isNamed: definition !== undefined || isBranch,
        count: 1,
      });
    }
    // A discriminator can only tell components apart.
    for (const { branch, values } of findTaggedBranches(content, definitions))
      visit(branch, `${name}${toUpperFirst(values[0])}`, true);
    visitSubschemas(content, (inner, step) => visit(inner, toName(name, step)));
  };
  for (const { json, name } of places) visit(json, name);
  return uses;
}

function isShareable(json: JsonSchema): boolean {
  const { type, properties, enum: values } = json;
  if (json[SOURCE] === undefined) return false;
  return (
    (type === 'object' && Object.keys(properties ?? {}).length > 0) || (Array.isArray(values) && values.length > 1)
  );
}

const annotationKeywords = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  CHECKS,
] as const;

/** Equal for occurrences of one schema that differ in annotations alone; undefined for what is written wherever it occurs. */
function identify(json: JsonSchema): string | undefined {
  if (typeof json['$ref'] === 'string') return json['$ref'];
  if (!isShareable(json)) return undefined;
  const content = { ...json };
  for (const keyword of annotationKeywords) delete content[keyword];
  return JSON.stringify(content);
}

function differences(plain: JsonSchema, { json }: SchemaUse): JsonSchema {
  const own = annotationKeywords.filter(
    (keyword) => plain[keyword] !== undefined && JSON.stringify(plain[keyword]) !== JSON.stringify(json[keyword]),
  );
  return Object.fromEntries(own.map((keyword) => [keyword, plain[keyword]]));
}

function nameComponents(uses: ReadonlyMap<string, SchemaUse>): Map<SchemaUse, string> {
  const shared = [...uses.values()].filter((use) => use.isNamed || use.count > 1);
  const taken = new Set<string>(['Error']);
  const names = new Map<SchemaUse, string>();
  // `Error` is the envelope. Names that authors gave come first, so that no made-up one takes them.
  for (const use of [...shared.filter((each) => each.isNamed), ...shared.filter((each) => !each.isNamed)]) {
    names.set(use, toFreeName(use.name, taken));
  }
  return new Map(shared.map((use) => [use, names.get(use) ?? use.name]));
}

function toFreeName(wanted: string, taken: Set<string>): string {
  const name = wanted.replace(/[^\w.-]/g, '_');
  for (let attempt = 1; ; attempt++) {
    const free = attempt === 1 ? name : `${name}${attempt}`;
    if (taken.has(free)) continue;
    taken.add(free);
    return free;
  }
}

/** The form in answers of a `User` that is taken in another one is a `UserOutput`. */
function toFormName(name: string, json: JsonSchema): string {
  return json[FORM] === undefined || name.endsWith('Output') ? name : `${name}Output`;
}

/** `shippingAddress` is a `ShippingAddress`; the items of `tags` are a `Tag`. */
function toName(parent: string, step: string | undefined): string {
  if (step === undefined) return parent;
  if (step === '[]') return toSingular(parent);
  return toUpperFirst(step);
}

function toUpperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The singular is found by `s` and `ies` alone; a word that ends in `ss` or `us` is left. */
export function toSingular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(sses|shes|ches|xes)$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
