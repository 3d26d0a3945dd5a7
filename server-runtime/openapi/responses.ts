import type { Content, ContentKind } from '../capability/content.ts';
import { innerPartsOf } from '../capability/enhancer.ts';
import { toDeprecationHeaders } from '../capability/http.ts';
import type { HeaderObject, MediaTypeObject, ResponseObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import { isOptionalSchema } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
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

const anyData: Omit<Content, symbol> = {
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
  const always = toStandingHeaders(route, parts.caching);
  const declared = answers.length === 0 ? [anyData] : answers;
  const isTagged = ({ status, kind }: Omit<Content, symbol>): boolean =>
    route.method === 'GET' && parts.caching.hasEtag && status === 200 && kind !== 'stream';
  const tagged = { ...always, etag: etagHeader };
  const unchanged = { description: 'Unchanged since the answer that the caller has', headers: tagged };
  return [
    ...(declared.some(isTagged) ? [['304', unchanged] as const] : []),
    ...declared.map(
      (answer) => [String(answer.status), toResponse(answer, isTagged(answer) ? tagged : always, parts)] as const,
    ),
  ];
}

type Headers = Readonly<Record<string, HeaderObject>>;

/** A header that is declared stays as it is declared. Items are sent one by one, and kept by nobody. */
function toResponse(
  answer: Omit<Content, symbol>,
  standing: Headers,
  { convert, toEnvelope, name }: ResponseParts,
): ResponseObject {
  const { kind, status, description } = answer;
  const schema = answer.schema && convert({ schema: answer.schema, io: 'output', name });
  const said = kind === 'data' && schema?.['description'];
  const own = toDeclaredHeaders(answer, { convert, name });
  const names = new Set(Object.keys(own).map((each) => each.toLowerCase()));
  const more = Object.entries(standing).filter(
    ([each]) => !names.has(each) && !(each === 'cache-control' && kind === 'stream'),
  );
  const headers = { ...own, ...Object.fromEntries(more) };
  const content = toContent(answer, schema ?? {}, toEnvelope);
  const word = (kind === 'data' && madeWords[status]) || words[kind];
  return {
    description: description ?? (typeof said === 'string' ? said : word),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(Object.keys(content).length === 0 ? {} : { content }),
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
  { kind, contentTypes: [first = 'application/json'], contentTypes }: Omit<Content, symbol>,
  schema: JsonSchema,
  toEnvelope: ResponseParts['toEnvelope'],
): Record<string, MediaTypeObject> {
  // Without parameters: a document names types.
  const ofTypes = (types: readonly string[], each: JsonSchema) =>
    Object.fromEntries(types.map((type) => [type.split(';')[0]?.trim() ?? type, { schema: each }]));
  switch (kind) {
    case 'data':
      return ofTypes([first], toEnvelope(schema));
    case 'text':
      return ofTypes(contentTypes, { type: 'string' });
    case 'bytes':
      return ofTypes(contentTypes, { type: 'string', format: 'binary' });
    case 'stream':
      return ofTypes(['text/event-stream', 'application/x-ndjson'], {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: schema,
      });
    case 'none':
    case 'redirect':
      return {};
  }
}

function toDeclaredHeaders(
  { kind, headers }: Omit<Content, symbol>,
  { convert, name }: Pick<ResponseParts, 'convert' | 'name'>,
): Headers {
  const declared = Object.entries(headers).map(([header, schema]) => {
    const { description, ...json } = convert({ schema, name });
    const about = typeof description === 'string' ? { description } : {};
    return [header, { ...about, ...(isOptionalSchema(schema) ? {} : { required: true }), schema: json }] as const;
  });
  if (kind !== 'redirect' || 'location' in headers) return Object.fromEntries(declared);
  const location = { description: 'Where to go.', required: true, schema: { type: 'string', format: 'uri-reference' } };
  return Object.fromEntries([['Location', location], ...declared]);
}

/** Since when it is deprecated and until when it stays, how long it may be kept, and what its enhancers send. */
function toStandingHeaders({ operation, method }: Route<Operation>, { cacheControl }: Caching): Headers {
  const { deprecation, cacheControl: declared, enhancers } = operation.definition;
  const dates = toDeprecationHeaders(deprecation).filter((_text, index) => index % 2 === 0);
  // A handler may send another one.
  const kept = declared ?? (method === 'GET' ? cacheControl : undefined);
  const added = enhancers.flatMap((enhancer) => Object.entries(innerPartsOf(enhancer).headers ?? {}));
  const schema = { type: 'string' };
  return Object.fromEntries([
    ...dates.map((name) => [name, { description: dateWords[name] ?? '', required: true, schema }] as const),
    ...(kept === undefined
      ? []
      : [
          [
            'cache-control',
            { description: 'How long it may be kept.', required: true, schema: { ...schema, examples: [kept] } },
          ] as const,
        ]),
    ...added.map(([name, description]) => [name.toLowerCase(), { description, schema }] as const),
  ]);
}

const dateWords: Readonly<Record<string, string>> = {
  deprecation: 'Since when it is deprecated, as `@` and seconds (RFC 9745).',
  sunset: 'When it goes away, as an HTTP date (RFC 8594).',
};

/** Bytes that are sent as a stream have none. */
const etagHeader: HeaderObject = {
  description: 'The tag of these bytes, for `If-None-Match`.',
  schema: { type: 'string' },
};
