import type { Content, ContentKind } from '../capability/content.ts';
import { toDeprecationHeaders } from '../capability/http.ts';
import { defaultErrors, defineError, type ErrorFactory } from '../errors/define-error.ts';
import { type Envelope, validationErrorName } from '../http/envelope.ts';
import { RangeNotSatisfiable } from '../http/ranges.ts';
import type { Operation } from '../registry/compile-registry.ts';
import type { Route } from '../routing/route.ts';
import { isOptionalSchema } from '../schema/correct-zod-json.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isSchema, type Schema } from '../schema/schema.ts';
import { addNamed, toDefined } from './document-parts.ts';
import type { DocumentParts } from './generate-openapi.ts';
import type { HeaderObject, OperationObject, ResponseObject } from './openapi-document.ts';
import { toPascal } from './operation-id.ts';
import { toPart, toSingular } from './schema-converter.ts';

type Request = Pick<OperationObject, 'parameters' | 'requestBody'>;

const text: JsonSchema = { type: 'string' };

/** The responses of an operation by status: those declared, else 200 with any data, and its errors. */
export function toResponses(
  route: Route<Operation>,
  request: Request,
  parts: DocumentParts,
): OperationObject['responses'] {
  const { answers } = route.operation.definition;
  const declared: readonly Partial<Content>[] = answers.length === 0 ? [{}] : answers;
  const headers = declared
    .map((answer) => toStandingHeaders(answer, route, parts))
    .find((all) => 'etag' in all);
  return {
    ...toPartResponse(declared, route, parts),
    ...(headers && {
      304: { description: 'Unchanged since the answer that the caller has', headers },
    }),
    ...Object.fromEntries(
      declared.map((answer) => [answer.status ?? 200, toResponse(answer, route, parts)]),
    ),
    ...toErrorResponses(findRefusals(route.operation, route.method, request), parts),
  };
}

/** A caller may read bytes in parts. */
function toPartResponse(
  answers: readonly Partial<Content>[],
  route: Route<Operation>,
  parts: DocumentParts,
): OperationObject['responses'] {
  const whole = route.method === 'GET' ? answers.find(isInParts) : undefined;
  if (whole === undefined) return {};
  const { headers, content = {} } = toResponse(whole, route, parts);
  const description = 'The part that `Range` names, where the length is known';
  return { 206: { description, headers: { ...headers, 'content-range': contentRange }, content } };
}

function isInParts({ kind, status }: Partial<Content>): boolean {
  return kind === 'bytes' && status === 200;
}

const contentRange: HeaderObject = {
  description: 'Which bytes these are, of how many.',
  required: true,
  schema: text,
};

function toResponse(
  answer: Partial<Content>,
  route: Route<Operation>,
  parts: DocumentParts,
): ResponseObject {
  const { kind = 'data', contentTypes = [] } = answer;
  const name = toSchemaName(route.operation);
  const schema =
    answer.schema && parts.converter.convert({ schema: answer.schema, io: 'output', name });
  const headers = toHeaders(answer, route, parts);
  const usualTypes = contents[kind].types;
  const types = contentTypes.length === 0 || kind === 'stream' ? usualTypes : contentTypes;
  const media = { schema: toBody(kind, schema ?? {}, parts.envelope) };
  return {
    description: answer.description ?? toWords(answer, schema),
    ...(Object.keys(headers).length > 0 && { headers }),
    // Without parameters: a document names types.
    ...(types.length > 0 && {
      content: Object.fromEntries(types.map((type) => [type.replace(/\s*;.*$/s, ''), media])),
    }),
  };
}

/** `users.getUser` gives a `User`, after its group; outside groups `health` gives a `HealthOutput`. */
function toSchemaName({ groups, name }: Operation): string {
  const group = groups.at(-1);
  return group === undefined ? `${toPascal(name)}Output` : toSingular(toPascal(group));
}

/** The description of a response whose author wrote none. */
function toWords({ kind = 'data', status = 200 }: Partial<Content>, schema?: JsonSchema): string {
  const words = contents[kind].words;
  if (kind !== 'data') return words;
  return (schema?.['description'] as string | undefined) ?? madeWords[status] ?? words;
}

/** Headers that the author declares, then those that no handler sends; one that is declared stays as it is. */
function toHeaders(
  answer: Partial<Content>,
  route: Route<Operation>,
  parts: DocumentParts,
): Readonly<Record<string, HeaderObject>> {
  const { kind, headers: declared = {} } = answer;
  const name = toSchemaName(route.operation);
  const headers: Record<string, HeaderObject> = {};
  if (kind === 'redirect' && !('location' in declared)) headers['Location'] = location;
  for (const [header, schema] of Object.entries(declared)) {
    const { description, ...json } = parts.converter.convert({ schema, name });
    headers[header] = toDefined<HeaderObject>({
      description: description as undefined,
      required: isOptionalSchema(schema) ? undefined : true,
      schema: json,
    });
  }
  const names = new Set(Object.keys(headers).map((each) => each.toLowerCase()));
  for (const [header, standing] of Object.entries(toStandingHeaders(answer, route, parts)))
    if (!names.has(header)) headers[header] = standing;
  return headers;
}

const location: HeaderObject = {
  description: 'Where to go.',
  required: true,
  schema: { ...text, format: 'uri-reference' },
};

function toBody(kind: ContentKind, data: JsonSchema, { dataField: field }: Envelope): JsonSchema {
  if (kind === 'data') return field === false ? data : toObject({ [field]: data }, [field]);
  if (kind === 'stream')
    return { ...text, contentMediaType: 'application/json', contentSchema: data };
  return kind === 'bytes' ? { ...text, format: 'binary' } : text;
}

/** The default descriptions of responses, and their usual media types. */
const contents: Readonly<
  Record<ContentKind, { readonly words: string; readonly types: readonly string[] }>
> = {
  data: { words: 'Success', types: ['application/json'] },
  none: { words: 'No content', types: [] },
  text: { words: 'A text', types: [] },
  bytes: { words: 'A file', types: [] },
  stream: {
    words: 'Items, as server-sent events or one line of JSON each',
    types: ['text/event-stream', 'application/x-ndjson'],
  },
  redirect: { words: 'Another place', types: [] },
};

const madeWords: Readonly<Record<number, string>> = { 201: 'Created', 202: 'Accepted' };

/** The headers that the transport adds by itself. Streams are never cached, and streamed bytes have no entity tag. */
function toStandingHeaders(
  { kind, status = 200 }: Partial<Content>,
  { operation, method }: Route<Operation>,
  { hasEtag }: DocumentParts,
): Readonly<Record<string, HeaderObject>> {
  const { deprecation, cacheControl, enhancers } = operation.definition;
  const headers: Record<string, HeaderObject> = {};
  const dates = toDeprecationHeaders(deprecation);
  for (const [name, description] of Object.entries(dateWords))
    if (dates.includes(name)) headers[name] = { description, required: true, schema: text };
  const about = {
    description: 'How long it may be kept.',
    required: true,
    schema: { ...text, examples: [cacheControl] },
  };
  if (cacheControl !== undefined && kind !== 'stream') headers['cache-control'] = about;
  for (const [name, description] of enhancers.flatMap((each) => Object.entries(each.headers ?? {})))
    headers[name.toLowerCase()] = { description, schema: text };
  if (hasEtag && method === 'GET' && status === 200 && kind !== 'stream')
    headers['etag'] = { description: 'The tag of these bytes, for `If-None-Match`.', schema: text };
  return headers;
}

const dateWords = {
  deprecation: 'Since when it is deprecated, as `@` and seconds (RFC 9745).',
  sunset: 'When it goes away, as an HTTP date (RFC 8594).',
};

const Unprocessable = defineError(422, 'Unprocessable content');

/** A step of a call that may refuse it, and the errors that it gives. */
export interface Refusal {
  readonly step: RefusingStep;
  /** The name of a guard or an enhancer; other steps have none. */
  readonly name?: string;
  readonly errors: readonly ErrorFactory[];
}

type RefusingStep =
  | 'input'
  | 'guard'
  | 'size'
  | 'type'
  | 'form'
  | 'enhancer'
  | 'handler'
  | 'range'
  | 'failure'
  | 'timeout';

/**
 * The parts that may refuse a call. A guard that declares no errors may refuse with 401 or 403, an input guard with
 * 403.
 */
export function findRefusals(
  { definition }: Operation,
  method: string,
  request: Request,
): readonly Refusal[] {
  const {
    BadRequest,
    Forbidden,
    Internal,
    PayloadTooLarge,
    Timeout,
    Unauthorized,
    UnsupportedMediaType,
  } = defaultErrors;
  const { schema, guards, inputGuards, enhancers, errors, answers } = definition;
  const isReadInParts = method === 'GET' && answers.some(isInParts);
  const readsInput =
    schema !== undefined || request.parameters !== undefined || request.requestBody !== undefined;
  // A body is looked at before anybody knows that no field is taken from it.
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const takesForms = Object.keys(request.requestBody?.content ?? {}).some(
    (type) => type !== 'application/json',
  );
  return [
    { step: 'input', errors: readsInput ? [BadRequest, Unprocessable] : [] },
    ...guards.map(({ name, security, errors: own }): Refusal => {
      const all = own.length > 0 ? own : [Unauthorized, Forbidden];
      return { step: 'guard', name, errors: security.length > 0 ? [Unauthorized, ...all] : all };
    }),
    ...inputGuards.map(
      ({ name, errors: own }): Refusal => ({
        step: 'guard',
        name,
        errors: own.length > 0 ? own : [Forbidden],
      }),
    ),
    { step: 'size', errors: hasBody ? [PayloadTooLarge] : [] },
    { step: 'type', errors: hasBody ? [UnsupportedMediaType] : [] },
    { step: 'form', errors: takesForms ? [Forbidden] : [] },
    ...enhancers.map(({ name, errors: own }): Refusal => ({ step: 'enhancer', name, errors: own })),
    { step: 'handler', errors },
    { step: 'range', errors: isReadInParts ? [RangeNotSatisfiable] : [] },
    { step: 'failure', errors: [Internal] },
    { step: 'timeout', errors: [Timeout] },
  ];
}

/** One component for each status. */
function toErrorResponses(
  refusals: readonly Refusal[],
  parts: DocumentParts,
): OperationObject['responses'] {
  const all = refusals.flatMap(({ errors }) => errors);
  const possible =
    parts.envelope.validationStatus === 400 ? all.filter((error) => error !== Unprocessable) : all;
  const errors = [
    ...new Map(possible.map((error) => [`${error.status} ${error.errorName}`, error])).values(),
  ];
  const responses: Record<string, { readonly $ref: string }> = {};
  for (const status of new Set(
    errors.map((error) => error.status).sort((one, other) => one - other),
  )) {
    const same = errors.filter((error) => error.status === status);
    const wanted = same.map(({ errorName }) => errorName.replace(/[^\w.-]/g, '_')).join('Or');
    const name = addNamed(parts.errors, wanted, toErrorResponse(same, parts));
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

function toErrorResponse(errors: readonly ErrorFactory[], parts: DocumentParts): ResponseObject {
  const { failure, failureType } = parts.envelope;
  const base = { $ref: '#/components/schemas/Error' };
  const isTemporary = errors.some(({ status }) => status === 429 || status === 503);
  const retryAfter = {
    description: 'Seconds to wait, where they are known.',
    schema: { type: 'integer' },
  };
  return {
    description: [...new Set(errors.map(({ defaultMessage }) => defaultMessage))].join(', or '),
    ...(isTemporary && { headers: { 'Retry-After': retryAfter } }),
    content: {
      [failureType]: { schema: failure ? base : { allOf: [base, toErrorPart(errors, parts)] } },
    },
    ...(failure && { 'x-error-names': errors.map(({ errorName }) => errorName) }),
  };
}

/** The errors that a response may hold, distinguished by name where one of them always has its meta. */
function toErrorPart(errors: readonly ErrorFactory[], { converter }: DocumentParts): JsonSchema {
  const all = errors.map(({ status, errorName: name, metaSchema }) => {
    const schema = metaSchema as Schema | undefined;
    const isInvalid = name === validationErrorName || (status === 400 && name === 'BadRequest');
    const usualMeta = isInvalid ? validationMeta : undefined;
    const meta = schema ? converter.convert({ schema, name }) : usualMeta;
    return { name, meta, required: schema && !isOptionalSchema(schema) ? ['meta'] : [] };
  });
  const toPart = (
    names: readonly string[],
    meta: JsonSchema | undefined,
    required: readonly string[],
  ): JsonSchema => toObject({ error: { enum: names }, ...(meta && { meta }) }, required);
  const required = all.flatMap((each) => each.required);
  if (all.length > 1 && required.length > 0)
    return {
      anyOf: all.map(({ name, meta, required: own }) => toPart([name], meta, ['error', ...own])),
    };
  const names = all.map(({ name }) => name);
  return toPart(names, all.find(({ meta }) => meta !== undefined)?.meta, required);
}

function toObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

const wrongField = toObject(
  {
    path: {
      ...text,
      description: 'Names from the outside in, joined by dots; empty for the whole input.',
    },
    message: text,
    code: text,
    received: { description: 'What was sent, at most 200 characters; absent for secrets.' },
  },
  ['path', 'message', 'code'],
);

const validationMeta = toObject({
  issues: { type: 'array', items: text, maxItems: 50, examples: [['email: Invalid email']] },
  fields: { type: 'array', items: wrongField, maxItems: 50 },
  omitted: {
    type: 'integer',
    description: 'How many problems there are besides; absent where all are told.',
  },
});

/** The schema of every error response, the component `Error`. */
export function toErrorSchema({
  envelope: { failureSchema },
  converter,
}: DocumentParts): JsonSchema {
  if (failureSchema === undefined) return ownErrorSchema;
  if (!isSchema(failureSchema)) return failureSchema;
  const json = toPart(converter.describe(failureSchema, 'output'));
  return converter.write(json, { schema: failureSchema, io: 'output', name: 'Error' });
}

const ownErrorSchema: JsonSchema = {
  type: 'object',
  description: 'Why the call did not succeed.',
  properties: {
    error: { ...text, description: 'Name of the error.' },
    message: { ...text, description: 'What went wrong, for people.' },
    meta: { type: 'object', description: 'Facts about this error.' },
  },
  required: ['error', 'message'],
};
