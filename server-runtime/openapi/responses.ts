import type { Content, ContentKind } from '../capability/content.ts';
import { toDeprecationHeaders } from '../capability/http.ts';
import type { Envelope } from '../http/envelope.ts';
import type { Operation } from '../registry/compile-registry.ts';
import { toPascal, toSingular } from '../routing/infer-route.ts';
import type { Route } from '../routing/route.ts';
import { isOptionalSchema } from '../schema/correct-zod-json.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { toDefined } from './document-parts.ts';
import { findRefusals, isInParts, toErrorResponses, toObject } from './error-responses.ts';
import type { DocumentParts } from './generate-openapi.ts';
import type { HeaderObject, OperationObject, ResponseObject } from './openapi-document.ts';

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
