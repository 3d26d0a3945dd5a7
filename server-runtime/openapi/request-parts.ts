import { findWholeBody, type WholeBody } from '../capability/http.ts';
import { findKeyRule, KEY_HEADER } from '../enhancers/with-idempotency.ts';
import type { Operation } from '../registry/compile-registry.ts';
import { toPascal } from '../routing/infer-route.ts';
import type { Route } from '../routing/route.ts';
import { type JsonSchema, type MarkedSchema, mapSubschemas } from '../schema/json-schema.ts';
import { findReferred, isObject, Lens, type OneObject } from '../schema/lens.ts';
import { toDefined } from './document-parts.ts';
import type { MediaTypeObject, OperationObject, ParameterObject } from './openapi-document.ts';
import { toInputName } from './operation-id.ts';
import type { SchemaConverter, SchemaPlace } from './schema-converter.ts';

type RequestBodyObject = NonNullable<OperationObject['requestBody']>;

/** An input: its fields, and `root`, into which the references of their schemas point. */
interface Input extends OneObject {
  readonly root: JsonSchema;
  readonly write: (json: JsonSchema, place?: Partial<SchemaPlace>) => JsonSchema;
}

/** Path parameters first; the other fields are query parameters of GET and DELETE, and the body of the rest. */
export function toRequestParts(
  { method, path, params, operation }: Route<Operation>,
  { describe, write }: SchemaConverter,
): Pick<OperationObject, 'parameters' | 'requestBody'> {
  const { schema, sent, form, body } = operation.definition;
  const root = schema === undefined ? {} : describe(schema);
  const name = toInputName(operation);
  const input: Input = {
    ...new Lens(root).object,
    root,
    write: (json, place) => (schema === undefined ? json : write(json, { schema, name, ...place })),
  };
  const { fields, rest } = input;
  const elsewhere = new Set([...params, ...sent.map(({ field }) => field)]);
  const others = [...fields.keys()].filter((field) => !elsewhere.has(field));
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const whole = hasBody ? findWholeBody(schema, body) : undefined;
  const inQuery = hasBody && whole === undefined ? [] : others;
  const ofPath = params.map((field): ParameterObject => {
    const parameter = toParameter({ field, in: 'path', name: field }, input);
    return path.endsWith(`/*${field}`) ? { ...parameter, 'x-wildcard': true } : parameter;
  });
  const ofHeaders = sent.map((each) => toParameter(each, input));
  const ofQuery = inQuery
    .filter((field) => field !== whole?.field)
    .flatMap((field) => toQueryParameter(field, input));
  const parameters = [...ofPath, ...ofHeaders, ...toKeyParameter(operation), ...ofQuery];
  if (!hasBody && rest !== undefined) parameters.push(toOpenParameter(rest, input));
  const toBody = (): RequestBodyObject | undefined => {
    if (whole !== undefined) return toWholeRequestBody(whole, input);
    if (schema === undefined) return anyBody;
    const isEmpty = operation.fields !== undefined && others.length === 0 && rest === undefined;
    const isForm = form === true;
    return isEmpty ? undefined : toRequestBody(elsewhere, others, { ...input, isForm });
  };
  const requestBody = hasBody ? toBody() : undefined;
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
  };
}

const anyBody: RequestBodyObject = {
  required: false,
  content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
};

/** The texts of a schema for people belong to the parameter. A path has no part that is left out. */
function toParameter(
  {
    field,
    in: place,
    name,
  }: { readonly field: string; readonly in: ParameterObject['in']; readonly name: string },
  { fields, required, write }: Input,
  json: JsonSchema = fields.get(field) ?? { type: 'string' },
): ParameterObject {
  const { description, deprecated, ...schema } = write(json, {
    name: toPascal(field),
    isText: true,
  });
  if (place === 'path') delete schema['default'];
  return toDefined<ParameterObject>({
    name,
    in: place,
    required: place === 'path' || required.has(field) || undefined,
    description: description as string | undefined,
    deprecated: deprecated === true || undefined,
    schema,
  });
}

/** The header of `withIdempotency`, unless the capability takes it as a field. */
function toKeyParameter(operation: Operation): readonly ParameterObject[] {
  const rule = findKeyRule(operation);
  const isField = operation.definition.sent.some(({ name }) => name === KEY_HEADER.toLowerCase());
  if (rule === undefined || isField) return [];
  const description =
    'A new text for each call; who repeats a call with it, and the same input, gets the first answer.';
  const schema = {
    type: 'string',
    minLength: 1,
    maxLength: 257,
    examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
  };
  return [
    {
      name: KEY_HEADER,
      in: 'header',
      ...(rule === 'required' && { required: true }),
      description,
      schema,
    },
  ];
}

const deepObject = { style: 'deepObject', explode: true };

/**
 * OpenAPI defines how an object of plain values stands in a query, but nothing deeper: a deeper value is JSON, which
 * capix reads beside names in brackets. Where the value could be a plain text too, the description explains it.
 * `z.never()` cannot be sent.
 */
function toQueryParameter(name: string, input: Input): readonly ParameterObject[] {
  const schema = input.fields.get(name) ?? {};
  if (JSON.stringify(schema['not']) === '{}') return [];
  const lens = new Lens(schema, input.root);
  const place = { field: name, in: 'query', name } as const;
  if (!hasParts(lens)) return [toParameter(place, input, schema)];
  const isDeep = lens.reading.list === 'never';
  if (isDeep && !isNested(lens)) return [{ ...toParameter(place, input, schema), ...deepObject }];
  if (lens.reading.readsJson) {
    const { schema: json = {}, ...parameter } = toParameter(place, input, schema);
    return [{ ...parameter, content: { 'application/json': { schema: json } } }];
  }
  const words = `Each part is sent under a name of its own: \`${name}[0][…]\`.`;
  const written = isDeep ? schema : { ...schema, 'x-capix-words': words };
  return [{ ...toParameter(place, input, written), ...(isDeep && deepObject) }];
}

/** Whether a field of an object is itself an object or a list. */
function isNested(lens: Lens): boolean {
  const names = lens.object.fields.keys();
  return [...names].some((name) => lens.inside(name)?.reading.takesParts === true);
}

/** Any name may stand in the query of a record. */
function toOpenParameter(rest: JsonSchema, { fields, write }: Input): ParameterObject {
  const schema = { type: 'object', additionalProperties: write(rest, { isText: true }) };
  return {
    name: fields.has('fields') ? 'otherFields' : 'fields',
    in: 'query',
    style: 'form',
    explode: true,
    schema,
  };
}

/** Whether a text cannot hold it: an object, or a list of objects or of lists. */
function hasParts(lens: Lens): boolean {
  return lens.branches.some(isObject) || lens.inside('0')?.reading.takesParts === true;
}

/** The field itself, in each of its media types. */
function toWholeRequestBody(
  { field, types }: WholeBody,
  { fields, required, write }: Input,
): RequestBodyObject {
  const schema = write(toBinaryFiles(fields.get(field) ?? {}), { name: toPascal(field) });
  const content = Object.fromEntries(types.map((type) => [type, { schema }] as const));
  return { required: required.has(field), content };
}

/** JSON, the same as a form where that is taken, with the objects in it as they stand in a query; files as parts. */
function toRequestBody(
  elsewhere: ReadonlySet<string>,
  names: readonly string[],
  { root, fields, required: needed, write, isForm }: Input & { readonly isForm: boolean },
): RequestBodyObject {
  const { $defs: _parts, ...json } = root;
  const body = omitFields(json, elsewhere, root);
  const required = new Lens(body, root).branches.every(
    (branch) => isObject(branch) && branch.required?.length,
  );
  const content: Record<string, MediaTypeObject> = {};
  const toEncodings = (of: readonly string[], ofParts: Encoding): Encodings =>
    of.flatMap((name): Encodings => {
      const lens = new Lens(fields.get(name) ?? {}, root);
      if (hasParts(lens)) return [[name, ofParts]];
      return lens.reading.list === 'never' ? [] : [[name, repeated]];
    });
  // A file, or several of them in an array.
  const files = new Map(
    names.flatMap((name) => {
      const { 'x-capix-file': own, items }: MarkedSchema = fields.get(name) ?? {};
      const file = own ?? (items as MarkedSchema | undefined)?.['x-capix-file'];
      return file === undefined ? [] : [[name, file] as const];
    }),
  );
  if (files.size > 0) {
    const typed = [...files].flatMap(
      ([name, { accept }]): Encodings =>
        accept?.length ? [[name, { contentType: accept.join(', ') }]] : [],
    );
    const texts = names.filter((name) => !files.has(name));
    const parts = toEncodings(texts, { contentType: 'application/json' });
    content['multipart/form-data'] = toMedia(write(toBinaryFiles(body)), [...typed, ...parts]);
  }
  if ([...files.keys()].some((name) => needed.has(name))) return { required, content };
  const other = omitFields(body, files, root);
  // A body that holds itself is a component.
  const schema = write(
    other === json && JSON.stringify(json).includes('"$ref":"#"') ? { $ref: '#' } : other,
  );
  content['application/json'] = { schema };
  const styles = toEncodings(names, deepObject);
  if (isForm) content['application/x-www-form-urlencoded'] = toMedia(schema, styles);
  return { required, content };
}

/** A part for each item. Without it, Swagger UI sends `a,b` as one. */
const repeated = { style: 'form', explode: true };

type Encoding = NonNullable<MediaTypeObject['encoding']>[string];
type Encodings = readonly (readonly [string, Encoding])[];

function toMedia(schema: JsonSchema, encoding: Encodings): MediaTypeObject {
  return { schema, ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }) };
}

/** The input without the fields that arrive in another way. */
function omitFields(
  json: JsonSchema,
  names: Pick<ReadonlySet<string>, 'has'>,
  root: JsonSchema,
): JsonSchema {
  const isTouched = [...new Lens(json, root).object.fields.keys()].some((name) => names.has(name));
  if (!isTouched) return json;
  const {
    $ref,
    properties,
    required = [],
    ...rest
  } = json as JsonSchema & { readonly required?: readonly string[] };
  if (typeof $ref === 'string') return omitFields(findReferred(root, $ref), names, root);
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(rest[keyword]))
      rest[keyword] = (rest[keyword] as JsonSchema[]).map((branch) =>
        omitFields(branch, names, root),
      );
  const others = Object.entries(Object(properties) as object).filter(([name]) => !names.has(name));
  const needed = required.filter((name) => !names.has(name));
  return {
    ...rest,
    ...(properties !== undefined && { properties: Object.fromEntries(others) }),
    ...(needed.length > 0 && { required: needed }),
  };
}

/** A schema with its files as the texts that stand for bytes. */
export function toBinaryFiles(json: MarkedSchema): JsonSchema {
  const { 'x-capix-file': file } = json;
  if (file === undefined) return mapSubschemas(json, toBinaryFiles);
  return {
    ...json,
    type: 'string',
    format: 'binary',
    ...(file.maxSize !== undefined && { maxLength: file.maxSize }),
  };
}
