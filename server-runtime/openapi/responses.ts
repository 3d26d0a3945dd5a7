import type { Content, ContentKind } from '../capability/content.ts';
import { innerPartsOf } from '../capability/enhancer.ts';
import { toDeprecationHeaders } from '../capability/http.ts';
import type { HeaderObject, MediaTypeObject, ResponseObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isOptionalSchema } from '../schema/to-json-schema.ts';
import type { SchemaConverter } from './schema-converter.ts';

/** The options of the transport that let callers keep answers. */
export interface Caching {
  /** Whether answers to GET have an entity tag. */
  readonly hasEtag: boolean;
  /** The `Cache-Control` of answers to GET that declare none. */
  readonly cacheControl: string | undefined;
}

/** The parts that the responses of one operation are written with. */
export interface ResponseParts {
  readonly convert: SchemaConverter['convert'];
  /** The schema of what is sent for data of this schema. */
  readonly toEnvelope: (data: JsonSchema) => JsonSchema;
  readonly caching: Caching;
  /** The name of a component that its author gave none. */
  readonly name: string;
}

type Answer = Omit<Content, symbol>;

const anyData: Answer = {
  kind: 'data',
  status: 200,
  schema: undefined,
  contentTypes: [],
  headers: {},
  description: undefined,
};

/**
 * The answers of an operation by status, as they are declared, without a declaration 200 with any data; with the
 * headers that no handler sends, and with the tag of bytes the answer 304.
 */
export function toResponses(
  route: Route<Operation>,
  parts: ResponseParts,
): readonly (readonly [string, ResponseObject])[] {
  const { answers } = route.operation.definition;
  const declared = answers.length === 0 ? [anyData] : answers;
  const always = toStandingHeaders(route, parts.caching);
  const tagged = { ...always, etag: etagHeader };
  const isTagged = ({ status, kind }: Answer): boolean =>
    route.method === 'GET' && parts.caching.hasEtag && status === 200 && kind !== 'stream';
  const responses = declared.map(
    (answer) => [String(answer.status), toResponse(answer, isTagged(answer) ? tagged : always, parts)] as const,
  );
  if (!declared.some(isTagged)) return responses;
  return [['304', { description: 'Unchanged since the answer that the caller has', headers: tagged }], ...responses];
}

type Headers = Readonly<Record<string, HeaderObject>>;

/** A header that is declared stays as it is declared. Items are sent one by one, and kept by nobody. */
function toResponse(answer: Answer, standing: Headers, { convert, toEnvelope, name }: ResponseParts): ResponseObject {
  const { kind, status } = answer;
  const schema = answer.schema && convert({ schema: answer.schema, io: 'output', name });
  const said = kind === 'data' ? schema?.['description'] : undefined;
  const own = toDeclaredHeaders(answer, (header) => convert({ schema: header, name }));
  const names = new Set(Object.keys(own).map((each) => each.toLowerCase()));
  const more = Object.entries(standing).filter(
    ([each]) => !names.has(each) && !(each === 'cache-control' && kind === 'stream'),
  );
  const headers = { ...own, ...Object.fromEntries(more) };
  const content = toContent(answer, schema ?? {}, toEnvelope);
  const word = (kind === 'data' && madeWords[status]) || words[kind];
  return {
    description: answer.description ?? (typeof said === 'string' ? said : word),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
  };
}

const madeWords: Readonly<Record<number, string>> = { 201: 'Created', 202: 'Accepted' };

const words: Readonly<Record<ContentKind, string>> = {
  data: 'Success',
  none: 'No content',
  text: 'A text',
  bytes: 'A file',
  stream: 'Items, as server-sent events or one line of JSON each',
  redirect: 'Another place',
};

function toContent(
  { kind, contentTypes }: Answer,
  data: JsonSchema,
  toEnvelope: ResponseParts['toEnvelope'],
): readonly (readonly [string, MediaTypeObject])[] {
  // Without parameters: a document names types.
  const ofTypes = (types: readonly string[], schema: JsonSchema) =>
    types.map((type) => [type.split(';')[0]?.trim() ?? type, { schema }] as const);
  switch (kind) {
    case 'data':
      return ofTypes([contentTypes[0] ?? 'application/json'], toEnvelope(data));
    case 'text':
      return ofTypes(contentTypes, text);
    case 'bytes':
      return ofTypes(contentTypes, { ...text, format: 'binary' });
    case 'stream': {
      const items = { ...text, contentMediaType: 'application/json', contentSchema: data };
      return ofTypes(['text/event-stream', 'application/x-ndjson'], items);
    }
    case 'none':
    case 'redirect':
      return [];
  }
}

const text: JsonSchema = { type: 'string' };

function toDeclaredHeaders(
  { kind, headers }: Answer,
  convert: (schema: Answer['headers'][string]) => JsonSchema,
): Headers {
  const declared = Object.entries(headers).map(([header, each]) => {
    const { description, ...schema } = convert(each);
    const about = typeof description === 'string' ? { description } : {};
    return [header, { ...about, ...(!isOptionalSchema(each) && { required: true }), schema }] as const;
  });
  const isMoved = kind === 'redirect' && !('location' in headers);
  return { ...(isMoved && { Location: locationHeader }), ...Object.fromEntries(declared) };
}

/** Since when it is deprecated and until when it stays, how long it may be kept, and what its enhancers send. */
function toStandingHeaders({ operation, method }: Route<Operation>, { cacheControl }: Caching): Headers {
  const { deprecation, cacheControl: declared, enhancers } = operation.definition;
  const headers: Record<string, HeaderObject> = {};
  for (const [index, name] of toDeprecationHeaders(deprecation).entries())
    if (index % 2 === 0) headers[name] = { description: dateWords[name] ?? '', required: true, schema: text };
  // A handler may send another one.
  const kept = declared ?? (method === 'GET' ? cacheControl : undefined);
  if (kept !== undefined)
    headers['cache-control'] = {
      description: 'How long it may be kept.',
      required: true,
      schema: { ...text, examples: [kept] },
    };
  for (const enhancer of enhancers)
    for (const [name, description] of Object.entries(innerPartsOf(enhancer).headers ?? {}))
      headers[name.toLowerCase()] = { description, schema: text };
  return headers;
}

const dateWords: Readonly<Record<string, string>> = {
  deprecation: 'Since when it is deprecated, as `@` and seconds (RFC 9745).',
  sunset: 'When it goes away, as an HTTP date (RFC 8594).',
};

const locationHeader: HeaderObject = {
  description: 'Where to go.',
  required: true,
  schema: { ...text, format: 'uri-reference' },
};

/** Bytes that are sent as a stream have none. */
const etagHeader: HeaderObject = { description: 'The tag of these bytes, for `If-None-Match`.', schema: text };
