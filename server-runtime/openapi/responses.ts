import type { Content, ContentKind } from '../capability/content.ts';
import { innerPartsOf } from '../capability/enhancer.ts';
import { toDeprecationHeaders } from '../capability/http.ts';
import type { Envelope } from '../http/envelope.ts';
import type { HeaderObject, ResponseObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isOptionalSchema } from '../schema/to-json-schema.ts';
import { toPascal } from './operation-id.ts';
import { toSingular } from './schema-converter.ts';
import type { DocumentParts } from './to-operation-object.ts';

type Answer = Omit<Content, symbol>;
type Headers = Readonly<Record<string, HeaderObject>>;

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
  parts: DocumentParts,
): readonly (readonly [string, ResponseObject])[] {
  const { answers } = route.operation.definition;
  const declared = answers.length === 0 ? [anyData] : answers;
  const always = toStandingHeaders(route);
  const tagged = { ...always, etag: { description: 'The tag of these bytes, for `If-None-Match`.', schema: text } };
  // Bytes that are sent as a stream have none.
  const isTagged = ({ status, kind }: Answer): boolean =>
    route.method === 'GET' && parts.hasEtag && status === 200 && kind !== 'stream';
  const name = toOutputName(route.operation);
  const responses = declared.map((answer) => {
    const standing = isTagged(answer) ? tagged : always;
    return [String(answer.status), toResponse(answer, { standing, name, parts })] as const;
  });
  if (!declared.some(isTagged)) return responses;
  return [['304', { description: 'Unchanged since the answer that the caller has', headers: tagged }], ...responses];
}

/** `users.getUser` gives a `User`, after its group; outside groups `health` gives a `HealthOutput`. */
function toOutputName({ groups, name }: Operation): string {
  const group = groups.at(-1);
  return group === undefined ? `${toPascal(name)}Output` : toSingular(toPascal(group));
}

interface ResponseParts {
  readonly parts: DocumentParts;
  readonly standing: Headers;
  /** The name of a component that its author gave none. */
  readonly name: string;
}

/** A header that is declared stays as it is declared. Items are sent one by one, and kept by nobody. */
function toResponse(answer: Answer, { parts, standing, name }: ResponseParts): ResponseObject {
  const { kind, status, contentTypes } = answer;
  const { envelope, converter } = parts;
  const schema = answer.schema && converter.convert({ schema: answer.schema, io: 'output', name });
  const said = kind === 'data' ? schema?.['description'] : undefined;
  const declared = Object.entries(answer.headers).map(([header, each]) => {
    const { description, ...own } = converter.convert({ schema: each, name });
    const about = typeof description === 'string' ? { description } : {};
    return [header, { ...about, ...(!isOptionalSchema(each) && { required: true }), schema: own }] as const;
  });
  const own = {
    ...(kind === 'redirect' && !('location' in answer.headers) && { Location: locationHeader }),
    ...Object.fromEntries(declared),
  };
  const names = new Set(Object.keys(own).map((each) => each.toLowerCase()));
  const more = Object.entries(standing).filter(
    ([each]) => !names.has(each) && !(each === 'cache-control' && kind === 'stream'),
  );
  const headers = { ...own, ...Object.fromEntries(more) };
  const { word, toBody, types = contentTypes } = contents[kind];
  const listed = kind === 'data' ? [contentTypes[0] ?? 'application/json'] : types;
  const media = toBody === undefined ? undefined : { schema: toBody(schema ?? {}, envelope) };
  // Without parameters: a document names types.
  const content = media && listed.map((type) => [type.split(';')[0]?.trim() ?? type, media] as const);
  return {
    description:
      answer.description ?? (typeof said === 'string' ? said : (kind === 'data' && madeWords[status]) || word),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content !== undefined && content.length > 0 && { content: Object.fromEntries(content) }),
  };
}

const text: JsonSchema = { type: 'string' };

const madeWords: Readonly<Record<number, string>> = { 201: 'Created', 202: 'Accepted' };

/** The words of a document for a kind of content, and its media types where none are declared. */
interface ContentWords {
  readonly word: string;
  readonly toBody?: (data: JsonSchema, envelope: Envelope) => JsonSchema;
  readonly types?: readonly string[];
}

const contents: Readonly<Record<ContentKind, ContentWords>> = {
  data: { word: 'Success', toBody: (data, envelope) => envelope.successSchema(data) },
  none: { word: 'No content' },
  text: { word: 'A text', toBody: () => text },
  bytes: { word: 'A file', toBody: () => ({ ...text, format: 'binary' }) },
  stream: {
    word: 'Items, as server-sent events or one line of JSON each',
    toBody: (data) => ({ ...text, contentMediaType: 'application/json', contentSchema: data }),
    types: ['text/event-stream', 'application/x-ndjson'],
  },
  redirect: { word: 'Another place' },
};

/** Since when it is deprecated and until when it stays, how long it may be kept, and what its enhancers send. */
function toStandingHeaders({ operation }: Route<Operation>): Headers {
  const { deprecation, cacheControl: kept, enhancers } = operation.definition;
  const headers: Record<string, HeaderObject> = {};
  for (const [index, name] of toDeprecationHeaders(deprecation).entries())
    if (index % 2 === 0) headers[name] = { description: dateWords[name] ?? '', required: true, schema: text };
  // A handler may send another one.
  const schema = { ...text, examples: [kept] };
  if (kept !== undefined)
    headers['cache-control'] = { description: 'How long it may be kept.', required: true, schema };
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
