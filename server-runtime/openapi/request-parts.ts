import { findKeyRule, KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { MediaTypeObject, ParameterObject, RequestBodyObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { mapSubschemas, marksOf, withMarks } from '../schema/json-schema.ts';
import {
  findReferred,
  findRest,
  isObject,
  type OneObject,
  partsOf,
  toJsonBranches,
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
  const { schema, request } = operation.definition;
  const { $defs: parts, ...input } = schema === undefined ? {} : describe(schema);
  const root = { ...input, $defs: parts };
  const { fields, required, rest } = toOneObject(toJsonBranches(input, root));
  const place: InputPlace = {
    root,
    fields,
    required,
    write: (json, part = {}) => (schema === undefined ? json : write(json, { schema, name, ...part })),
  };
  const inHead = [
    ...params.map((each): ParameterObject => {
      const { default: _none, ...json } = fields.get(each) ?? { type: 'string' };
      const parameter = { ...toParameter({ field: each, in: 'path', name: each }, place, json), required: true };
      return path.endsWith(`/*${each}`) ? { ...parameter, 'x-wildcard': true } : parameter;
    }),
    ...request.sent.flatMap((each) => (fields.has(each.field) ? [toParameter(each, place)] : [])),
    ...toKeyParameter(operation),
  ];
  const elsewhere = new Set([...params, ...request.sent.map(({ field }) => field)]);
  const others = [...fields.keys()].filter((each) => !elsewhere.has(each));
  if (method === 'GET' || method === 'DELETE') {
    const inQuery = others.filter((each) => !isNever(fields.get(each) ?? {}));
    const all = [...inHead, ...inQuery.map((each) => toQueryParameter(each, place)), ...toOpenQuery(rest, place)];
    return { parameters: all, requestBody: undefined };
  }
  if (schema === undefined) return { parameters: inHead, requestBody: anyBody };
  const isEmpty = operation.fields !== undefined && others.length === 0 && rest === undefined;
  if (isEmpty) return { parameters: inHead, requestBody: undefined };
  const body = toRequestBody(omitFields(input, elsewhere, root), others, place);
  return { parameters: inHead, requestBody: request.form === true ? withForm(body, place) : body };
}

/** The input that the schemas are parts of. */
interface InputPlace extends Pick<OneObject, 'fields' | 'required'> {
  /** The whole that its references point into. */
  readonly root: JsonSchema;
  readonly write: (json: JsonSchema, part?: { readonly name?: string; readonly isText?: boolean }) => JsonSchema;
}

/** OpenAPI says how an object stands in a query, and of a list of objects nothing. */
function toQueryParameter(name: string, place: InputPlace): ParameterObject {
  const schema = place.fields.get(name) ?? {};
  const types = new Set(toJsonBranches(schema, place.root).map(({ type }) => type));
  const isDeep = types.has('object') && !types.has('array');
  const words = `Each part is sent under a name of its own: \`${name}[0][…]\`.`;
  const told = !isDeep && holdsObjects(schema, place.root) ? withMarks(schema, { words }) : schema;
  return { ...toParameter({ field: name, in: 'query', name }, place, told), ...(isDeep && deepObject) };
}

/** The texts of a schema for people belong to the parameter. */
function toParameter(
  { field, in: at, name }: { readonly field: string; readonly in: ParameterObject['in']; readonly name: string },
  { fields, required, write }: InputPlace,
  json: JsonSchema = fields.get(field) ?? { type: 'string' },
): ParameterObject {
  const { description, deprecated, ...schema } = write(json, { name: toPascal(field), isText: true });
  return {
    name,
    in: at,
    ...(required.has(field) && { required: true }),
    ...(typeof description === 'string' && { description }),
    ...(deprecated === true && { deprecated }),
    schema,
  };
}

const deepObject = { style: 'deepObject', explode: true };

/** Whether it is a list whose items have parts of their own. */
function holdsObjects(json: JsonSchema, root: JsonSchema): boolean {
  return toJsonBranches(json, root).some((branch) => {
    const items = branch.type === 'array' ? [...Object.values(partsOf(branch)), findRest(branch) ?? {}] : [];
    return items.some((item) => toJsonBranches(item, root).some(({ type }) => type === 'object' || type === 'array'));
  });
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
      ...(rule === 'required' && { required: true }),
      description: 'A new text for each call; who repeats a call with it, and the same input, gets the first answer.',
      schema: { type: 'string', minLength: 1, maxLength: 257, examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'] },
    },
  ];
}

/** A record in the query: any name may stand there. */
function toOpenQuery(rest: JsonSchema | undefined, { fields, write }: InputPlace): readonly ParameterObject[] {
  if (rest === undefined) return [];
  const name = fields.has('fields') ? 'otherFields' : 'fields';
  const schema = { type: 'object', additionalProperties: write(rest, { isText: true }) };
  return [{ name, in: 'query', style: 'form', explode: true, schema }];
}

const anyBody: RequestBodyObject = {
  required: false,
  content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
};

/** The input without the fields that arrive in another way. */
function omitFields(json: JsonSchema, names: ReadonlySet<string>, root: JsonSchema): JsonSchema {
  const { $ref, properties, required = [], ...rest } = json as JsonSchema & { readonly required?: readonly string[] };
  const isTouched = [...toOneObject(toJsonBranches(json, root)).fields.keys()].some((name) => names.has(name));
  if (!isTouched) return json;
  if (typeof $ref === 'string') return omitFields(findReferred(root, $ref), names, root);
  const changed: JsonSchema = { ...rest };
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(changed[keyword]))
      changed[keyword] = (changed[keyword] as JsonSchema[]).map((branch) => omitFields(branch, names, root));
  const others = Object.entries((properties ?? {}) as Record<string, JsonSchema>).filter(([name]) => !names.has(name));
  const needed = required.filter((name) => !names.has(name));
  return {
    ...changed,
    ...(properties !== undefined && { properties: Object.fromEntries(others) }),
    ...(needed.length > 0 && { required: needed }),
  };
}

function toRequestBody(body: JsonSchema, names: readonly string[], place: InputPlace): RequestBodyObject {
  const { root, fields } = place;
  const required = toJsonBranches(body, root).every((branch) => isObject(branch) && branch.required?.length);
  const json = (schema: JsonSchema) => ({ 'application/json': { schema: toWritten(schema, place) } });
  const files = names.filter((name) => findFile(fields.get(name) ?? {}) !== undefined);
  if (files.length === 0) return { required, content: json(body) };
  const encoding = files.flatMap((name) => {
    const accept = findFile(fields.get(name) ?? {})?.accept;
    return accept === undefined ? [] : [[name, { contentType: accept.join(', ') }] as const];
  });
  const form: MediaTypeObject = {
    schema: toWritten(toBinaryFiles(body), place),
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  };
  const content = { 'multipart/form-data': form };
  if (files.some((name) => place.required.has(name))) return { required, content };
  return { required, content: { ...content, ...json(omitFields(body, new Set(files), root)) } };
}

/** The same body as `application/x-www-form-urlencoded`, with the objects in it as they stand in a query. */
function withForm({ required, content }: RequestBodyObject, { fields, root }: InputPlace): RequestBodyObject {
  const json = content['application/json'];
  if (json === undefined) return { required, content };
  const parts = [...fields].filter(
    ([, schema]) => toJsonBranches(schema, root).some(isObject) || holdsObjects(schema, root),
  );
  const encoding = Object.fromEntries(parts.map(([name]) => [name, deepObject]));
  const form = parts.length === 0 ? json : { ...json, encoding };
  return { required, content: { ...content, 'application/x-www-form-urlencoded': form } };
}

/** A body that holds itself is a component. */
function toWritten(body: JsonSchema, { root, write }: InputPlace): JsonSchema {
  const { $defs: _parts, ...whole } = root;
  const text = JSON.stringify(body);
  return write(text === JSON.stringify(whole) && text.includes('"$ref":"#"') ? { $ref: '#' } : body);
}

/** The rules of a schema that takes a file, or several of them in an array. */
function findFile(json: JsonSchema) {
  const { items } = json;
  return marksOf(json).file ?? (typeof items === 'object' ? marksOf(items as JsonSchema).file : undefined);
}

/** A schema with its files as the texts that stand for bytes. */
export function toBinaryFiles(json: JsonSchema): JsonSchema {
  const { file } = marksOf(json);
  if (file === undefined) return mapSubschemas(json, toBinaryFiles);
  return { ...json, type: 'string', format: 'binary', ...(file.maxSize !== undefined && { maxLength: file.maxSize }) };
}

/** `z.never()`: nothing can be sent there. */
function isNever({ not }: JsonSchema): boolean {
  return typeof not === 'object' && not !== null && Object.keys(not).length === 0;
}
