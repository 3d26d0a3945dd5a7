import type { Content, ContentKind } from '../capability/content.ts';
import { toDeprecationHeaders } from '../capability/http.ts';
import { defaultErrors, defineError, type ErrorFactory } from '../errors/define-error.ts';
import { type Envelope, validationErrorName } from '../http/envelope.ts';
import type { Operation } from '../registry/compile-registry.ts';
import type { Route } from '../routing/route.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isSchema, type Schema } from '../schema/schema.ts';
import { isOptionalSchema } from '../schema/to-json-schema.ts';
import type { DocumentParts } from './generate-openapi.ts';
import type { HeaderObject, OperationObject, ResponseObject } from './openapi-document.ts';
import { addNamed, toDefined, toPascal } from './operation-id.ts';
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
    ...(headers && {
      304: { description: 'Unchanged since the answer that the caller has', headers },
    }),
    ...Object.fromEntries(
      declared.map((answer) => [answer.status ?? 200, toResponse(answer, route, parts)]),
    ),
    ...toErrorResponses(findRefusals(route.operation, route.method, request), parts),
  };
}

/** A header that is declared stays as it is declared. */
function toResponse(
  answer: Partial<Content>,
  route: Route<Operation>,
  parts: DocumentParts,
): ResponseObject {
  const { kind = 'data', status = 200, contentTypes = [], headers = {} } = answer;
  const { groups, name: ownName } = route.operation;
  const group = groups.at(-1);
  // `users.getUser` gives a `User`, after its group; outside groups `health` gives a `HealthOutput`.
  const name = group === undefined ? `${toPascal(ownName)}Output` : toSingular(toPascal(group));
  const schema =
    answer.schema && parts.converter.convert({ schema: answer.schema, io: 'output', name });
  const all: Record<string, HeaderObject> = {};
  if (kind === 'redirect' && !('location' in headers))
    all['Location'] = {
      description: 'Where to go.',
      required: true,
      schema: { ...text, format: 'uri-reference' },
    };
  for (const [header, each] of Object.entries(headers)) {
    const { description, ...json } = parts.converter.convert({ schema: each, name });
    const required = isOptionalSchema(each) ? undefined : true;
    all[header] = toDefined<HeaderObject>({
      description: description as undefined,
      required,
      schema: json,
    });
  }
  const names = new Set(Object.keys(all).map((each) => each.toLowerCase()));
  for (const [header, standing] of Object.entries(toStandingHeaders(answer, route, parts)))
    if (!names.has(header)) all[header] = standing;
  const [words, ...usualTypes] = contents[kind];
  const types = contentTypes.length === 0 || kind === 'stream' ? usualTypes : contentTypes;
  const media = { schema: toBody(kind, schema ?? {}, parts.envelope) };
  const said =
    kind === 'data'
      ? ((schema?.['description'] as string | undefined) ?? madeWords[status])
      : undefined;
  return {
    description: answer.description ?? said ?? words,
    ...(Object.keys(all).length > 0 && { headers: all }),
    // Without parameters: a document names types.
    ...(types.length > 0 && {
      content: Object.fromEntries(types.map((type) => [type.replace(/\s*;.*$/s, ''), media])),
    }),
  };
}

function toBody(kind: ContentKind, data: JsonSchema, { dataField: field }: Envelope): JsonSchema {
  if (kind === 'data') return field === false ? data : toObject({ [field]: data }, [field]);
  if (kind === 'stream')
    return { ...text, contentMediaType: 'application/json', contentSchema: data };
  return kind === 'bytes' ? { ...text, format: 'binary' } : text;
}

/** The words on a response whose author says nothing, and its usual media types. */
const contents: Readonly<Record<ContentKind, readonly [words: string, ...types: string[]]>> = {
  data: ['Success', 'application/json'],
  none: ['No content'],
  text: ['A text'],
  bytes: ['A file'],
  stream: [
    'Items, as server-sent events or one line of JSON each',
    'text/event-stream',
    'application/x-ndjson',
  ],
  redirect: ['Another place'],
};

const madeWords: Readonly<Record<number, string>> = { 201: 'Created', 202: 'Accepted' };

/** The headers that no handler sends. Nobody keeps a stream, and bytes that are sent as one have no tag. */
function toStandingHeaders(
  { kind, status = 200 }: Partial<Content>,
  { operation, method }: Route<Operation>,
  { hasEtag }: DocumentParts,
): Readonly<Record<string, HeaderObject>> {
  const { deprecation, cacheControl: kept, enhancers } = operation.definition;
  const headers: Record<string, HeaderObject> = {};
  const dates = toDeprecationHeaders(deprecation);
  for (const [name, description] of Object.entries(dateWords))
    if (dates.includes(name)) headers[name] = { description, required: true, schema: text };
  const about = {
    description: 'How long it may be kept.',
    required: true,
    schema: { ...text, examples: [kept] },
  };
  if (kept !== undefined && kind !== 'stream') headers['cache-control'] = about;
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

/** A step of a call that may refuse it, the name where it is a guard or an enhancer, and the errors that it gives. */
export type Refusal = readonly [
  step: RefusingStep,
  name: string,
  ...errors: readonly ErrorFactory[],
];

type RefusingStep =
  | 'input'
  | 'guard'
  | 'size'
  | 'type'
  | 'form'
  | 'enhancer'
  | 'handler'
  | 'failure'
  | 'timeout';

/** Who refuses a call. A guard that declares no errors may refuse with 401 or 403, an input guard with 403. */
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
  const { schema, guards, inputGuards, enhancers, errors } = definition;
  const readsInput =
    schema !== undefined || request.parameters !== undefined || request.requestBody !== undefined;
  // A body is looked at before anybody knows that no field is taken from it.
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const takesForms = Object.keys(request.requestBody?.content ?? {}).some(
    (type) => type !== 'application/json',
  );
  return [
    ['input', '', ...(readsInput ? [BadRequest, Unprocessable] : [])],
    ...guards.map(({ name, security, errors: own }): Refusal => {
      const all = own.length > 0 ? own : [Unauthorized, Forbidden];
      return security.length > 0 ? ['guard', name, Unauthorized, ...all] : ['guard', name, ...all];
    }),
    ...inputGuards.map(
      ({ name, errors: own }): Refusal => ['guard', name, ...(own.length > 0 ? own : [Forbidden])],
    ),
    ['size', '', ...(hasBody ? [PayloadTooLarge] : [])],
    ['type', '', ...(hasBody ? [UnsupportedMediaType] : [])],
    ['form', '', ...(takesForms ? [Forbidden] : [])],
    ...enhancers.map(({ name, errors: own }): Refusal => ['enhancer', name, ...own]),
    ['handler', '', ...errors],
    ['failure', '', Internal],
    ['timeout', '', Timeout],
  ];
}

/** One component for each status. */
function toErrorResponses(
  refusals: readonly Refusal[],
  parts: DocumentParts,
): OperationObject['responses'] {
  const all = refusals.flatMap(([, , ...errors]) => errors);
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

/** The errors that a response may be: told apart by name where one of them always has its meta. */
function toErrorPart(errors: readonly ErrorFactory[], { converter }: DocumentParts): JsonSchema {
  const all = errors.map(({ status, errorName: name, metaSchema }) => {
    const schema = metaSchema as Schema | undefined;
    const isInvalid = name === validationErrorName || (status === 400 && name === 'BadRequest');
    const meta = schema
      ? converter.convert({ schema, name })
      : isInvalid
        ? validationMeta
        : undefined;
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
