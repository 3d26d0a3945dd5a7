import { isFileSchema } from '../../input/is-file-schema.ts';
import { type FileRules, findFileRules } from '../../input/uploaded-file.ts';
import { mapSubschemas, visitSubschemas } from '../../schema/map-subschemas.ts';
import { definitionOf, type Schema } from '../../schema/schema.ts';
import { hasOutputForm } from '../../schema/sent/has-output-form.ts';
import type { JsonSchema, SchemaNode } from '../../schema/to-json-schema.ts';
import { toWireSchema } from '../../schema/to-wire-schema.ts';
import { tidyText } from './tidy-text.ts';

/** On a schema: which zod schema it came from, so that what is the same in the code becomes the same in the document. */
export const SOURCE = 'x-capix-source';
/** On a schema: it takes an uploaded file, by these rules ({@link FileRules}). */
export const FILE = 'x-capix-file';
/** On a text: the kind of value that it is in the program, `date` or `bigint`. */
export const KIND = 'x-capix-kind';
/** On a schema, where it is asked for: a word for each of its rules that JSON Schema cannot say. */
export const CHECKS = 'x-capix-checks';
/** On a choice: the field that tells its branches apart. */
export const TAG = 'x-capix-tag';
/** On a schema: it is that of what is given, and that of what is taken is another. */
export const FORM = 'x-capix-form';

/** The rules of a schema that takes a file, or several of them in an array. */
export function findFileMark(json: JsonSchema): FileRules | undefined {
  const items = json['type'] === 'array' ? (json['items'] as JsonSchema | undefined) : undefined;
  return (json[FILE] ?? items?.[FILE]) as FileRules | undefined;
}

/** Schemas that are referred to by name, by the text of the reference. */
export type Definitions = Map<string, Definition>;

export interface Definition {
  /** The name that the author gave by `.meta({id})`. */
  readonly id: string | undefined;
  readonly json: JsonSchema;
}

/** Converts the schemas of one document. */
export interface SchemaConverter {
  /** Marks every schema with `SOURCE`, files with `FILE`; references point into `definitions`. @default `io` 'input' */
  readonly convert: (schema: Schema, io?: 'input' | 'output') => JsonSchema;
  readonly definitions: Definitions;
}

/** `onNode` is told of every schema once it has its marks. */
export function createSchemaConverter(onNode?: (node: SchemaNode) => void): SchemaConverter {
  const definitions: Definitions = new Map();
  const ownMark = createMarker();
  const mark = (node: SchemaNode): void => {
    ownMark(node);
    onNode?.(node);
  };
  const markForm = (node: SchemaNode): void => {
    mark(node);
    if (hasOutputForm(node.schema)) node.json[FORM] = 'output';
  };
  const convert = (schema: Schema, io: 'input' | 'output' = 'input'): JsonSchema => {
    const hasForm = io === 'output' && hasOutputForm(schema);
    const options = hasForm ? { io, onNode: markForm } : { io: 'input' as const, onNode: mark };
    const { $defs = {}, ...root } = toWireSchema(schema, options);
    // The parts of other libraries' schemas do not say it.
    if (hasForm) root[FORM] = 'output';
    const named = Object.entries($defs as Record<string, JsonSchema>);
    if (named.length === 0 && !hasReference(root, () => true)) return root;
    const targets = new Map(named.map(([name, json]) => [`#/$defs/${toPointer(name)}`, toReference(json)]));
    targets.set('#', toReference(root));
    for (const [name, json] of named) {
      const id = /^__schema\d+$/.test(name) ? undefined : name;
      definitions.set(toReference(json), { id, json: redirect(json, targets) });
    }
    const json = redirect(root, targets);
    if (!hasReference(root, (reference) => reference === '#')) return json;
    definitions.set(toReference(root), { id: undefined, json });
    return { $ref: toReference(root) };
  };
  return { convert, definitions };
}

/** A wrapper (optional, readonly, a description) keeps the mark of the schema inside it, unless it has an id of its own. */
function createMarker(): (node: SchemaNode) => void {
  // Not a WeakMap, which every collection of garbage would walk: it lives no longer than the document is made.
  const sources = new Map<Schema, number>();
  return ({ schema, type, json }) => {
    const source = sources.get(schema) ?? sources.size + 1;
    sources.set(schema, source);
    json[SOURCE] = json['id'] === undefined ? (json[SOURCE] ?? source) : source;
    if (type === 'string') tidyText(json);
    if (type === 'date' || type === 'bigint') json[KIND] = type;
    if (type === 'union') markTag(schema, json);
    // Zod's `.readonly()` is about the program. In OpenAPI the word means that a field is not to be sent.
    if (type === 'readonly' && !saysReadOnly(schema)) delete json['readOnly'];
    if ((type === 'custom' || type === 'file') && isFileSchema(schema)) json[FILE] = findFileRules(schema) ?? {};
  };
}

function markTag(schema: Schema, json: JsonSchema): void {
  const { discriminator } = definitionOf(schema) as { readonly discriminator?: string };
  if (discriminator !== undefined) json[TAG] = discriminator;
}

/** Whether the author says it: `.meta({readOnly: true})`. */
function saysReadOnly(schema: Schema): boolean {
  const { meta } = schema as { readonly meta?: () => Readonly<Record<string, unknown>> | undefined };
  return meta?.call(schema)?.['readOnly'] === true;
}

/** A name as JSON Pointer writes it. */
function toPointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function toReference(json: JsonSchema): string {
  return `capix:${String(json[SOURCE])}${json[FORM] === undefined ? '' : ':output'}`;
}

function redirect(json: JsonSchema, targets: ReadonlyMap<string, string>): JsonSchema {
  const mapped = mapSubschemas(json, (inner) => redirect(inner, targets));
  const target = typeof mapped['$ref'] === 'string' ? targets.get(mapped['$ref']) : undefined;
  return target === undefined ? mapped : { ...mapped, $ref: target };
}

/** Whether there is such a reference in it. */
function hasReference(json: JsonSchema, isMeant: (reference: string) => boolean): boolean {
  const { $ref: reference } = json;
  let found = typeof reference === 'string' && isMeant(reference);
  visitSubschemas(json, (inner) => {
    found ||= hasReference(inner, isMeant);
  });
  return found;
}
