import type { SentField } from '../capability/route/declared-request.ts';
import { findKeyRule, KEY_HEADER } from '../enhancers/once/find-key-rule.ts';
import type { MediaTypeObject, ParameterObject, RequestBodyObject } from '../http/document/openapi-document.ts';
import type { FileRules } from '../input/uploaded-file.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import { mapSubschemas } from '../schema/map-subschemas.ts';
import type { JsonSchema } from '../schema/to-json-schema.ts';
import {
  type DocumentedFields,
  findInputFields,
  type InputField,
  omitInputFields,
} from './schemas/documented-fields.ts';
import { type Definitions, FILE, findFileMark } from './schemas/schema-converter.ts';
import { takesParts } from './schemas/takes-parts.ts';

/** The places of an operation's input in a request. */
export interface RequestParts {
  readonly parameters: readonly ParameterObject[];
  readonly requestBody: RequestBodyObject | undefined;
}

/** Path parameters first; the other fields are query parameters of GET and DELETE, and the body of the rest. */
export function toRequestParts(
  { method, path, params, operation }: Route<Operation>,
  input: JsonSchema | undefined,
  definitions: Definitions,
): RequestParts {
  const fields = findInputFields(input, definitions);
  const inPath = params.map((name) => ({
    ...toPathParameter(name, fields.named.get(name)),
    ...(path.endsWith(`/*${name}`) ? { 'x-wildcard': true as const } : {}),
  }));
  const { sent, form } = operation.definition.request;
  const elsewhere = new Set([...params, ...sent.map(({ field }) => field)]);
  const inHead = [
    ...inPath,
    ...sent.flatMap((each) => toSentParameter(each, fields.named.get(each.field))),
    ...toKeyParameter(operation),
  ];
  const others = [...fields.named].filter(([name]) => !elsewhere.has(name));
  if (method === 'GET' || method === 'DELETE') {
    const inQuery = others
      .filter(([, { schema }]) => !isNever(schema))
      .map(([name, field]) => toQueryParameter(name, field, definitions));
    return { parameters: [...inHead, ...inQuery, ...toOpenQuery(fields)], requestBody: undefined };
  }
  if (input === undefined) return { parameters: inHead, requestBody: anyBody };
  const body = elsewhere.size === 0 ? input : omitInputFields(input, elsewhere, definitions);
  const isEmpty = operation.fields !== undefined && others.length === 0 && fields.rest === undefined;
  const requestBody = isEmpty ? undefined : toRequestBody(body, others, definitions);
  return {
    parameters: inHead,
    requestBody: requestBody && form ? withForm(requestBody, others, definitions) : requestBody,
  };
}

function toPathParameter(name: string, field: InputField | undefined): ParameterObject {
  const schema: JsonSchema = { ...(field?.schema ?? { type: 'string' }) };
  delete schema['default'];
  return { name, in: 'path', required: true, ...toAnnotated(schema) };
}

function toQueryParameter(name: string, { schema, required }: InputField, definitions: Definitions): ParameterObject {
  const style = takesParts(schema, definitions) ? { style: 'deepObject', explode: true } : {};
  return { name, in: 'query', ...(required ? { required } : {}), ...style, ...toAnnotated(schema) };
}

function toSentParameter({ in: place, name }: SentField, field: InputField | undefined): readonly ParameterObject[] {
  if (field === undefined) return [];
  return [{ name, in: place, ...(field.required ? { required: true } : {}), ...toAnnotated(field.schema) }];
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
  fields: readonly (readonly [string, InputField])[],
  definitions: Definitions,
): RequestBodyObject {
  const json = content['application/json'];
  if (json === undefined) return { required, content };
  const parts = fields.filter(([, { schema }]) => takesParts(schema, definitions));
  const encoding = Object.fromEntries(parts.map(([name]) => [name, { style: 'deepObject', explode: true }]));
  const form = parts.length === 0 ? json : { ...json, encoding };
  return { required, content: { ...content, 'application/x-www-form-urlencoded': form } };
}

/** A record in the query: any name may stand there. */
function toOpenQuery({ named, rest }: DocumentedFields): ParameterObject[] {
  if (rest === undefined) return [];
  const name = named.has('fields') ? 'otherFields' : 'fields';
  return [{ name, in: 'query', style: 'form', explode: true, schema: { type: 'object', additionalProperties: rest } }];
}

/** The texts of a schema for people belong to the parameter. */
function toAnnotated({
  description,
  deprecated,
  ...schema
}: JsonSchema): Pick<ParameterObject, 'description' | 'deprecated' | 'schema'> {
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

function toRequestBody(
  body: JsonSchema,
  fields: readonly (readonly [string, InputField])[],
  definitions: Definitions,
): RequestBodyObject {
  const files = fields.filter(([, { schema }]) => findFileMark(schema) !== undefined);
  const required = !takesNothing(body, definitions);
  if (files.length === 0) return { required, content: { 'application/json': { schema: body } } };
  const content = { 'multipart/form-data': toMultipart(body, files) };
  if (files.some(([, field]) => field.required)) return { required, content };
  const withoutFiles = omitInputFields(body, new Set(files.map(([name]) => name)), definitions);
  return { required, content: { ...content, 'application/json': { schema: withoutFiles } } };
}

/** Whether `{}` fits, which stands for a body that is not sent. */
function takesNothing(json: JsonSchema, definitions: Definitions): boolean {
  const takes = (branch: JsonSchema): boolean => takesNothing(branch, definitions);
  const branchesOf = (keyword: string): readonly JsonSchema[] | undefined => json[keyword] as never;
  const target = typeof json['$ref'] === 'string' ? definitions.get(json['$ref'])?.json : undefined;
  return (
    (branchesOf('required') ?? []).length === 0 &&
    (target === undefined || takes(target)) &&
    ['anyOf', 'oneOf'].every((keyword) => branchesOf(keyword)?.some(takes) ?? true) &&
    (branchesOf('allOf') ?? []).every(takes)
  );
}

function toMultipart(body: JsonSchema, files: readonly (readonly [string, InputField])[]): MediaTypeObject {
  const limited = files.flatMap(([name, { schema }]) => {
    const accept = findFileMark(schema)?.accept;
    return accept === undefined ? [] : [[name, { contentType: accept.join(', ') }] as const];
  });
  const schema = toBinaryFiles(body);
  return limited.length === 0 ? { schema } : { schema, encoding: Object.fromEntries(limited) };
}

/** A schema with its files as the texts that stand for bytes. */
export function toBinaryFiles(json: JsonSchema): JsonSchema {
  const rules = json[FILE] as FileRules | undefined;
  if (rules === undefined) return mapSubschemas(json, toBinaryFiles);
  const size = rules.maxSize === undefined ? {} : { maxLength: rules.maxSize };
  return { ...json, type: 'string', format: 'binary', ...size };
}

/** `z.never()`: nothing can be sent there. */
function isNever({ not }: JsonSchema): boolean {
  return typeof not === 'object' && not !== null && Object.keys(not).every((keyword) => keyword.startsWith('x-capix-'));
}
