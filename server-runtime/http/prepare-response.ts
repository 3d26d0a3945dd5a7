import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { findContentCoding } from './accept.ts';
import { type Exchange, isStream, type RawHeaders } from './exchange.ts';
import { findHeader, type HttpResponse, omitHeaders } from './http-response.ts';
import { matchesEtag, mayAskForPart } from './ranges.ts';

/** Smaller bodies are sent sooner as they are. */
const MIN_BYTES = 1024;

/** Turns a response into the one that is sent: compressed, or 304. */
export type PrepareResponse = (exchange: Exchange, response: HttpResponse) => HttpResponse;

interface Preparation {
  readonly etag: boolean;
  readonly compression: boolean;
}

/** Compresses responses, and makes 304 of those that the caller has already. */
export function createPreparation({ etag, compression }: Preparation): PrepareResponse {
  return (exchange, response) => {
    if (response.body === undefined) return response;
    const sent = exchange.headers as Readonly<Record<string, string | undefined>>;
    const isText = compression && isCompressible(response.status ?? 200, response.headers);
    const coding = isText ? findCoding(exchange, response) : undefined;
    const isTagged = etag && isWholeRead(exchange, response);
    const tag = findTag(response, isTagged);
    const headers = [
      ...omitHeaders(response.headers, (name) => name === 'etag'),
      ...toTagHeaders(tag, coding),
      ...(coding === undefined ? [] : ['content-encoding', coding]),
      ...(isText ? ['vary', 'Accept-Encoding'] : []),
    ];
    if (isTagged && matchesEtag(sent['if-none-match'], tag))
      return toUnchanged({ ...response, headers });
    if (coding === undefined) return { ...response, headers };
    return compress({ ...response, headers }, coding, exchange.method);
  };
}

/** The coding of a text that is worth it. A part is one of the bytes as they are. */
function findCoding(
  { headers }: Exchange,
  { status, body = '', byteLength }: HttpResponse,
): ReturnType<typeof findContentCoding> {
  const isLong = isStream(body) || (byteLength ?? body.length) >= MIN_BYTES;
  if (!isLong || status === 206 || mayAskForPart(headers)) return undefined;
  return findContentCoding(headers['accept-encoding']?.toString());
}

/** Whether a response is all that stands at its address, which a caller may have already. */
function isWholeRead({ method }: Exchange, { status = 200 }: HttpResponse): boolean {
  return status === 200 && (method === 'GET' || method === 'HEAD');
}

function compress(
  { status = 200, headers, body = '' }: HttpResponse,
  coding: keyof typeof codings,
  method: string,
): HttpResponse {
  const compressor = codings[coding]();
  // An error of the body appears in the compressor, too, and the responder listens there.
  if (isStream(body)) pipeline(body, compressor, () => {});
  else compressor.end(method === 'HEAD' ? '' : body);
  // Nobody knows where a part of the compressed bytes lies.
  const others = omitHeaders(headers, (name) => name === 'accept-ranges');
  return { status, headers: others, body: compressor };
}

/** The tag of the application, else one that is made; a stream has no bytes yet to make it of. */
function findTag({ headers, body = '' }: HttpResponse, isTagged: boolean): string | undefined {
  const ownTag = findHeader(headers, 'etag');
  return ownTag === undefined && isTagged && !isStream(body) ? toTag(body) : ownTag;
}

/** The tag of bytes: weak, since a proxy may compress them. */
function toTag(body: string | Uint8Array): string {
  return `W/"${createHash('sha1').update(body).digest('base64url')}"`;
}

/** Compressed bytes are other ones, which mean the same: their tag is weak. */
function toTagHeaders(tag: string | undefined, coding: string | undefined): RawHeaders {
  if (tag === undefined) return [];
  return ['etag', coding === undefined ? tag : tag.replace(/^(?!W\/)/, 'W/')];
}

/** The answer to a caller that has these bytes already. The headers of a body go with it. */
function toUnchanged({ headers, body }: HttpResponse): HttpResponse {
  if (body !== undefined && isStream(body)) body.destroy();
  return {
    status: 304,
    headers: omitHeaders(headers, (name) => /^content-(?!location)/.test(name)),
  };
}

const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 4 };

/** Both flush each write at once, so that a stream is not delayed. */
const codings = {
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: QUALITY }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
};

/**
 * Types that compression makes smaller. Streams of items are not among them, because items would wait for each other.
 */
const compressible =
  /^(text\/(?!event-stream)|application\/(\S+\+)?(json|xml|yaml|javascript)\b|image\/svg\+xml)/i;

/** Whether the body is text that may be compressed: it is not encoded, and its headers do not forbid it. */
function isCompressible(status: number, headers: RawHeaders): boolean {
  return (
    status < 400 &&
    compressible.test(findHeader(headers, 'content-type') ?? '') &&
    findHeader(headers, 'content-encoding') === undefined &&
    findHeader(headers, 'cache-control')?.toLowerCase().includes('no-transform') !== true
  );
}
