import type { SentField } from '../capability/http.ts';
import { findKeyRule, KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { MediaTypeObject, ParameterObject, RequestBodyObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import type { FileRules } from '../schema/find-file-rules.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { mapSubschemas, marksOf, withMarks } from '../schema/json-schema.ts';
import {
  findReferred,
  isObject,
  type JsonBranch,
  toJsonBranches,
  toObjectBranches,
  toOneObject,
} from '../schema/lens.ts';
import { toPascal } from './operation-id.ts';
import type { SchemaConverter } from './schema-converter.ts';

/** The places of an operation's input in a request. */
export interface RequestParts {
  readonly parameters: readonly ParameterObject[];
  readonly requestBody: RequestBodyObject | undefined;
}

/** Path parameters first; the other fields are query parameters of GET and DELETE, and the body of the rest. */
export function toRequestParts(
  { method, path, params, operation }: Route<Operation>,
  { describe, write }: SchemaConverter,
  name: string,
): RequestParts {
  const { schema } = operation.definition;
  const { $defs: parts, ...input } = schema === undefined ? {} : describe(schema);
  const place: InputPlace = {
    root: { ...input, $defs: parts },
    write: (json, part = {}) => (schema === undefined ? json : write(json, { schema, name, ...part })),
  };
  const fields = toOneObject(toObjectBranches(input, place.root));
  const inPath = params.map((each) => ({
    ...toPathParameter(each, fields, place),
    ...(path.endsWith(`/*${each}`) ? { 'x-wildcard': true as const } : {}),
  }));
  const { sent, form } = operation.definition.request;
  const elsewhere = new Set([...params, ...sent.map(({ field }) => field)]);
  const inHead = [
    ...inPath,
    ...sent.flatMap((each) => toSentParameter(each, fields, place)),
    ...toKeyParameter(operation),
  ];
  const others = [...fields.fields.keys()].filter((each) => !elsewhere.has(each));
  if (method === 'GET' || method === 'DELETE') {
    const inQuery = others
      .filter((each) => !isNever(fields.fields.get(each) ?? {}))
      .map((each) => toQueryParameter(each, fields, place));
    return { parameters: [...inHead, ...inQuery, ...toOpenQuery(fields, place)], requestBody: undefined };
  }
  if (schema === undefined) return { parameters: inHead, requestBody: anyBody };
  const isEmpty = operation.fields !== undefined && others.length === 0 && fields.rest === undefined;
  if (isEmpty) return { parameters: inHead, requestBody: undefined };
  const body = toRequestBody(omitFields(input, elsewhere, place.root), { fields, names: others, place });
  return { parameters: inHead, requestBody: form === true ? withForm(body, fields, place) : body };
}

/** The input that the schemas are parts of. */
interface InputPlace {
  /** The whole that its references point into. */
  readonly root: JsonSchema;
  readonly write: (json: JsonSchema, part?: { readonly name?: string; readonly isText?: boolean }) => JsonSchema;
}

function toPathParameter(name: string, fields: JsonBranch, place: InputPlace): ParameterObject {
  const { default: _none, ...schema } = fields.fields.get(name) ?? { type: 'string' };
  return { name, in: 'path', required: true, ...toAnnotated(name, schema, place) };
}

/** OpenAPI says how an object stands in a query, and of a list of objects nothing. */
function toQueryParameter(name: string, { fields, required }: JsonBranch, place: InputPlace): ParameterObject {
  const schema = fields.get(name) ?? {};
  const kinds = new Set(toJsonBranches(schema, place.root).map(({ kind }) => kind));
  const style = kinds.has('object') && !kinds.has('list') ? { style: 'deepObject', explode: true } : {};
  const told =
    holdsObjects(schema, place.root) && !('style' in style) ? withMarks(schema, { words: toPartWords(name) }) : schema;
  return {
    name,
    in: 'query',
    ...(required.has(name) ? { required: true } : {}),
    ...style,
    ...toAnnotated(name, told, place),
  };
}

function toPartWords(name: string): string {
  return `Each part is sent under a name of its own: \`${name}[0][…]\`.`;
}

/** Whether it is a list whose items have parts of their own. */
function holdsObjects(json: JsonSchema, root: JsonSchema): boolean {
  return toJsonBranches(json, root).some((branch) => {
    const items = branch.kind === 'list' ? [...branch.fields.values(), branch.rest ?? {}] : [];
    return items.some((item) => toJsonBranches(item, root).some(({ kind }) => kind === 'object' || kind === 'list'));
  });
}

function toSentParameter(
  { in: at, name, field }: SentField,
  fields: JsonBranch,
  place: InputPlace,
): readonly ParameterObject[] {
  const schema = fields.fields.get(field);
  if (schema === undefined) return [];
  return [
    { name, in: at, ...(fields.required.has(field) ? { required: true } : {}), ...toAnnotated(name, schema, place) },
  ];
}

/** The header of `withIdempotency`, unless the capability takes it as a field. */
function toKeyParameter(operation: Operation): readonly ParameterObject[] {
  const rule = findKeyRule(operation);
  const isField = operation.definition.request.sent.some(({ name }) => name.toLowerCase() === KEY_HEADER.toLowerCase());
  if (rule === undefined || isField) return [];
  return [
    {
      name: KEY_HEADER,
      in: 'header',
      ...(rule === 'required' ? { required: true } : {}),
      description: 'A new text for each call; who repeats a call with it, and the same input, gets the first answer.',
      schema: { type: 'string', minLength: 1, maxLength: 257, examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'] },
    },
  ];
}

/** The same body as `application/x-www-form-urlencoded`, with the objects in it as they stand in a query. */
function withForm(
  { required, content }: RequestBodyObject,
  { fields }: JsonBranch,
  place: InputPlace,
): RequestBodyObject {
  const json = content['application/json'];
  if (json === undefined) return { required, content };
  const parts = [...fields].filter(
    ([, schema]) => toObjectBranches(schema, place.root).length > 0 || holdsObjects(schema, place.root),
  );
  const encoding = Object.fromEntries(parts.map(([name]) => [name, { style: 'deepObject', explode: true }]));
  const form = parts.length === 0 ? json : { ...json, encoding };
  return { required, content: { ...content, 'application/x-www-form-urlencoded': form } };
}

/** A record in the query: any name may stand there. */
function toOpenQuery({ fields, rest }: JsonBranch, place: InputPlace): ParameterObject[] {
  if (rest === undefined) return [];
  const name = fields.has('fields') ? 'otherFields' : 'fields';
  const schema = { type: 'object', additionalProperties: place.write(rest, { isText: true }) };
  return [{ name, in: 'query', style: 'form', explode: true, schema }];
}

/** The texts of a schema for people belong to the parameter. */
function toAnnotated(
  name: string,
  json: JsonSchema,
  { write }: InputPlace,
): Pick<ParameterObject, 'description' | 'deprecated' | 'schema'> {
  const { description, deprecated, ...schema } = write(json, { name: toPascal(name), isText: true });
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    schema,
  };
}

const anyBody: RequestBodyObject = {
  required: false,
  content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
};

/** The input without the fields that arrive in another way. */
function omitFields(json: JsonSchema, names: ReadonlySet<string>, root: JsonSchema): JsonSchema {
  const { $ref, properties, required = [], ...rest } = json as JsonSchema & { readonly required?: readonly string[] };
  const isTouched = toObjectBranches(json, root).some(({ fields }) =>
    [...fields.keys()].some((name) => names.has(name)),
  );
  if (!isTouched) return json;
  if (typeof $ref === 'string') return omitFields(findReferred(root, $ref), names, root);
  const others = Object.entries((properties ?? {}) as Record<string, JsonSchema>).filter(([name]) => !names.has(name));
  const stillRequired = required.filter((name) => !names.has(name));
  const changed: JsonSchema = { ...rest };
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(changed[keyword]))
      changed[keyword] = (changed[keyword] as JsonSchema[]).map((branch) => omitFields(branch, names, root));
  return {
    ...changed,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(others) }),
    ...(stillRequired.length === 0 ? {} : { required: stillRequired }),
  };
}

interface BodyParts {
  readonly fields: JsonBranch;
  /** The fields that are in the body. */
  readonly names: readonly string[];
  readonly place: InputPlace;
}

function toRequestBody(body: JsonSchema, { fields, names, place }: BodyParts): RequestBodyObject {
  const files = new Map(
    names.flatMap((name) => {
      const rules = findFileMark(fields.fields.get(name) ?? {});
      return rules === undefined ? [] : [[name, rules] as const];
    }),
  );
  const branches = toJsonBranches(body, place.root);
  const required = !branches.some((branch) => !isObject(branch) || branch.required.size === 0);
  const json = (schema: JsonSchema) => ({ 'application/json': { schema: toWritten(schema, place) } });
  if (files.size === 0) return { required, content: json(body) };
  const content = { 'multipart/form-data': toMultipart(toWritten(toBinaryFiles(body), place), files) };
  if ([...files.keys()].some((name) => fields.required.has(name))) return { required, content };
  return { required, content: { ...content, ...json(omitFields(body, new Set(files.keys()), place.root)) } };
}

/** A body that holds itself is a component. */
function toWritten(body: JsonSchema, { root, write }: InputPlace): JsonSchema {
  const { $defs: _parts, ...whole } = root;
  const isWhole = JSON.stringify(body) === JSON.stringify(whole) && JSON.stringify(body).includes('"$ref":"#"');
  return write(isWhole ? { $ref: '#' } : body);
}

/** The rules of a schema that takes a file, or several of them in an array. */
function findFileMark(json: JsonSchema): FileRules | undefined {
  const { items } = json;
  return marksOf(json).file ?? (typeof items === 'object' ? marksOf(items as JsonSchema).file : undefined);
}

function toMultipart(schema: JsonSchema, files: ReadonlyMap<string, FileRules>): MediaTypeObject {
  const limited = [...files].flatMap(([name, { accept }]) =>
    accept === undefined ? [] : [[name, { contentType: accept.join(', ') }] as const],
  );
  return limited.length === 0 ? { schema } : { schema, encoding: Object.fromEntries(limited) };
}

/** A schema with its files as the texts that stand for bytes. */
export function toBinaryFiles(json: JsonSchema): JsonSchema {
  const { file } = marksOf(json);
  if (file === undefined) return mapSubschemas(json, toBinaryFiles);
  const size = file.maxSize === undefined ? {} : { maxLength: file.maxSize };
  return { ...json, type: 'string', format: 'binary', ...size };
}

/** `z.never()`: nothing can be sent there. */
function isNever({ not }: JsonSchema): boolean {
  return typeof not === 'object' && not !== null && Object.keys(not).length === 0;
}
