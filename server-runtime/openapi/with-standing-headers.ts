import { type AnyEnhancer, innerPartsOf } from '../capability/enhancer.ts';
import { toDeprecationHeaders } from '../capability/http.ts';
import type { HeaderObject, ResponseObject } from '../http/document/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import { byStatus } from './by-status.ts';

/** The options of the transport that let callers keep answers. */
export interface Caching {
  /** Whether answers to GET have an entity tag. */
  readonly hasEtag: boolean;
  /** The `Cache-Control` of answers to GET that declare none. */
  readonly cacheControl: string | undefined;
}

/**
 * The answers of an operation with the headers that no handler sends: since when it is deprecated and until when it
 * stays, what its limits are, how long it may be kept, the tag of its bytes, and with that the answer 304.
 */
export function withStandingHeaders(
  responses: Record<string, ResponseObject>,
  { operation, method }: Route<Operation>,
  { hasEtag, cacheControl }: Caching,
): Record<string, ResponseObject> {
  const { deprecation, cacheControl: declared, enhancers } = operation.definition;
  const isRead = method === 'GET';
  const always = {
    ...toAlways(toDeprecationHeaders(deprecation), declared ?? (isRead ? cacheControl : undefined)),
    ...toEnhancerHeaders(enhancers),
  };
  const found = isRead && hasEtag ? responses['200'] : undefined;
  const tagged = found === undefined || isOfItems(found) ? undefined : { ...always, etag: etagHeader };
  if (tagged === undefined && Object.keys(always).length === 0) return responses;
  const all = Object.entries(responses).map(([status, response]): [string, ResponseObject] => [
    status,
    withHeaders(response, status === '200' ? (tagged ?? always) : always),
  ]);
  const unchanged = { description: 'Unchanged since the answer that the caller has', headers: tagged ?? {} };
  return byStatus<ResponseObject>([...(tagged === undefined ? [] : [['304', unchanged] as const]), ...all]);
}

function toAlways(deprecation: readonly string[], cacheControl: string | undefined): Record<string, HeaderObject> {
  const names = deprecation.filter((_text, index) => index % 2 === 0);
  return {
    ...Object.fromEntries(names.map((name) => [name, toRequiredHeader(deprecationTexts[name] ?? '')])),
    ...(cacheControl === undefined ? {} : { 'cache-control': toCacheHeader(cacheControl) }),
  };
}

function toEnhancerHeaders(enhancers: readonly AnyEnhancer[]): Record<string, HeaderObject> {
  const added = enhancers.flatMap((enhancer) => Object.entries(innerPartsOf(enhancer).headers ?? {}));
  return Object.fromEntries(
    added.map(([name, description]) => [name.toLowerCase(), { description, schema: { type: 'string' } }]),
  );
}

/** A header that is declared stays as it is declared. */
function withHeaders(response: ResponseObject, headers: Readonly<Record<string, HeaderObject>>): ResponseObject {
  const own = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  const isOwn = (name: string): boolean => own.has(name) || (name === 'cache-control' && isOfItems(response));
  const more = Object.entries(headers).filter(([name]) => !isOwn(name));
  return more.length === 0 ? response : { ...response, headers: { ...response.headers, ...Object.fromEntries(more) } };
}

/** Items are sent one by one, and kept by nobody. */
function isOfItems({ content }: ResponseObject): boolean {
  return content?.['application/x-ndjson'] !== undefined;
}

function toRequiredHeader(description: string): HeaderObject {
  return { description, required: true, schema: { type: 'string' } };
}

/** A handler may send another one. */
function toCacheHeader(directives: string): HeaderObject {
  return {
    description: 'How long it may be kept.',
    required: true,
    schema: { type: 'string', examples: [directives] },
  };
}

/** Bytes that are sent as a stream have none. */
const etagHeader: HeaderObject = {
  description: 'The tag of these bytes, for `If-None-Match`.',
  schema: { type: 'string' },
};

const deprecationTexts: Readonly<Record<string, string>> = {
  deprecation: 'Since when it is deprecated, as `@` and seconds (RFC 9745).',
  sunset: 'When it goes away, as an HTTP date (RFC 8594).',
};
