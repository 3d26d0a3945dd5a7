import { findKeyRule, KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { MediaTypeObject, OperationObject, ParameterObject, RequestBodyObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type MarkedSchema, mapSubschemas } from '../schema/json-schema.ts';
import { findReferred, isObject, type OneObject, toJsonBranches, toOneObject } from '../schema/lens.ts';
import { toInputName, toPascal } from './operation-id.ts';
import type { SchemaConverter } from './schema-converter.ts';

/** The input that the schemas are parts of. */
interface InputPlace extends Pick<OneObject, 'fields' | 'required'> {
  /** The whole that its references point into. */
  readonly root: JsonSchema;
  readonly write: (json: JsonSchema, part?: { readonly name?: string; readonly isText?: boolean }) => JsonSchema;
}

/** Path parameters first; the other fields are query parameters of GET and DELETE, and the body of the rest. */
export function toRequestParts(
  { method, path, params, operation }: Route<Operation>,
  { describe, write }: SchemaConverter,
): Pick<OperationObject, 'parameters' | 'requestBody'> {
  const { schema, request } = operation.definition;
  const { $defs: parts, ...input } = schema === undefined ? {} : describe(schema);
  const root = { ...input, $defs: parts };
  const { fields, required, rest } = toOneObject(toJsonBranches(input, root));
  const name = toInputName(operation);
  const place: InputPlace = {
    root,
    fields,
    required,
    write: (json, part = {}) => (schema === undefined ? json : write(json, { schema, name, ...part })),
  };
  const elsewhere = new Set([...params, ...request.sent.map(({ field }) => field)]);
  const others = [...fields.keys()].filter((each) => !elsewhere.has(each));
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const parameters = [
    ...params.map((each): ParameterObject => {
      const { default: _none, ...json } = fields.get(each) ?? { type: 'string' };
      const parameter = { ...toParameter({ field: each, in: 'path', name: each }, place, json), required: true };
      return path.endsWith(`/*${each}`) ? { ...parameter, 'x-wildcard': true } : parameter;
    }),
    ...request.sent.flatMap((each) => (fields.has(each.field) ? [toParameter(each, place)] : [])),
    ...toKeyParameter(operation),
    ...(hasBody ? [] : toQueryParameters(others, rest, place)),
  ];
  const isEmpty = schema !== undefined && operation.fields !== undefined && others.length === 0 && rest === undefined;
  const toBody = (): RequestBodyObject =>
    toRequestBody(omitFields(input, elsewhere, root), { names: others, isForm: request.form === true, place });
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && !isEmpty && { requestBody: schema === undefined ? anyBody : toBody() }),
  };
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

/** The header of `withIdempotency`, unless the capability takes it as a field. */
function toKeyParameter(operation: Operation): readonly ParameterObject[] {
  const rule = findKeyRule(operation);
  const isField = operation.definition.request.sent.some(({ name }) => name.toLowerCase() === KEY_HEADER.toLowerCase());
  if (rule === undefined || isField) return [];
  const parameter = {
    name: KEY_HEADER,
    in: 'header' as const,
    ...(rule === 'required' && { required: true }),
    description: 'A new text for each call; who repeats a call with it, and the same input, gets the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 257, examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'] },
  };
  return [parameter];
}

const deepObject = { style: 'deepObject', explode: true };

/**
 * OpenAPI says how an object stands in a query, and of a list of objects nothing. Of a record any name may stand there;
 * where nothing can be sent (`z.never()`) there is no parameter.
 */
function toQueryParameters(
  names: readonly string[],
  rest: JsonSchema | undefined,
  place: InputPlace,
): readonly ParameterObject[] {
  const { fields, root, write } = place;
  const parameters = names.flatMap((name) => {
    const schema = fields.get(name) ?? {};
    if (JSON.stringify(schema['not']) === '{}') return [];
    const types = new Set(toJsonBranches(schema, root).map(({ type }) => type));
    const isDeep = types.has('object') && !types.has('array');
    const words = `Each part is sent under a name of its own: \`${name}[0][…]\`.`;
    const told = !isDeep && holdsObjects(schema, root) ? { ...schema, 'x-capix-words': words } : schema;
    return [{ ...toParameter({ field: name, in: 'query', name }, place, told), ...(isDeep && deepObject) }];
  });
  if (rest === undefined) return parameters;
  const open = { type: 'object', additionalProperties: write(rest, { isText: true }) };
  const name = fields.has('fields') ? 'otherFields' : 'fields';
  return [...parameters, { name, in: 'query', style: 'form', explode: true, schema: open }];
}

/** Whether it is a list whose items have parts of their own. */
function holdsObjects(json: JsonSchema, root: JsonSchema): boolean {
  return toJsonBranches(json, root).some((branch) => {
    const items =
      branch.type === 'array' ? [...Object.values(branch.properties), branch.additionalProperties ?? {}] : [];
    return items.some((item) => toJsonBranches(item, root).some(({ type }) => type === 'object' || type === 'array'));
  });
}

const anyBody: RequestBodyObject = {
  required: false,
  content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
};

interface BodyParts {
  /** The fields in the body. */
  readonly names: readonly string[];
  readonly isForm: boolean;
  readonly place: InputPlace;
}

/** JSON, the same as a form where that is taken, with the objects in it as they stand in a query; files as parts. */
function toRequestBody(body: JsonSchema, { names, isForm, place }: BodyParts): RequestBodyObject {
  const { root, fields, required: needed } = place;
  const required = toJsonBranches(body, root).every((branch) => isObject(branch) && branch.required?.length);
  const files = names.flatMap((name) => {
    const file = findFile(fields.get(name) ?? {});
    return file === undefined ? [] : [{ name, accept: file.accept }];
  });
  const content: Record<string, MediaTypeObject> = {};
  if (files.length > 0) {
    const encoding = files.flatMap(({ name, accept }) =>
      accept === undefined ? [] : [[name, { contentType: accept.join(', ') }] as const],
    );
    content['multipart/form-data'] = toMedia(toWritten(toBinaryFiles(body), place), encoding);
  }
  if (files.some(({ name }) => needed.has(name))) return { required, content };
  const withoutFiles = files.length === 0 ? body : omitFields(body, new Set(files.map(({ name }) => name)), root);
  const schema = toWritten(withoutFiles, place);
  content['application/json'] = { schema };
  const isDeep = (json: JsonSchema): boolean => toJsonBranches(json, root).some(isObject) || holdsObjects(json, root);
  const deep = isForm ? [...fields].flatMap(([name, json]) => (isDeep(json) ? [[name, deepObject] as const] : [])) : [];
  if (isForm) content['application/x-www-form-urlencoded'] = toMedia(schema, deep);
  return { required, content };
}

type Encoding = NonNullable<MediaTypeObject['encoding']>;

function toMedia(schema: JsonSchema, encoding: readonly (readonly [string, Encoding[string]])[]): MediaTypeObject {
  return { schema, ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }) };
}

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

/** A body that holds itself is a component. */
function toWritten(body: JsonSchema, { root, write }: InputPlace): JsonSchema {
  const text = JSON.stringify(body);
  if (!text.includes('"$ref":"#"')) return write(body);
  const { $defs: _parts, ...whole } = root;
  return write(text === JSON.stringify(whole) ? { $ref: '#' } : body);
}

/** The rules of a schema that takes a file, or several of them in an array. */
function findFile({ 'x-capix-file': file, items }: MarkedSchema) {
  return file ?? (items as MarkedSchema | undefined)?.['x-capix-file'];
}

/** A schema with its files as the texts that stand for bytes. */
export function toBinaryFiles(json: MarkedSchema): JsonSchema {
  const { 'x-capix-file': file } = json;
  if (file === undefined) return mapSubschemas(json, toBinaryFiles);
  return { ...json, type: 'string', format: 'binary', ...(file.maxSize !== undefined && { maxLength: file.maxSize }) };
}
