import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { findContentCoding } from './accept.ts';
import { type Exchange, isStream, type RawHeaders } from './exchange.ts';
import { findHeader, type HttpResponse, omitHeaders } from './http-response.ts';

/** Smaller bodies are sent sooner as they are. */
const MIN_BYTES = 1024;

/** Changes a response to what is sent: compressed, or 304. */
export type PrepareResponse = (exchange: Exchange, response: HttpResponse) => HttpResponse;

interface Preparation {
  readonly etag: boolean;
  readonly compression: boolean;
}

/** Compresses responses, and makes 304 of those that the caller has already. */
export function createPreparation({ etag, compression }: Preparation): PrepareResponse {
  return (exchange, response) => {
    const { method } = exchange;
    const { status = 200, body, byteLength } = response;
    if (body === undefined) return response;
    const sent = exchange.headers as Readonly<Record<string, string | undefined>>;
    const isText = compression && isCompressible(status, response.headers);
    const isLong = isStream(body) || (byteLength ?? body.length) >= MIN_BYTES;
    const coding = isText && isLong ? findContentCoding(sent['accept-encoding']) : undefined;
    const isTagged = etag && status === 200 && (method === 'GET' || method === 'HEAD');
    let tag = findHeader(response.headers, 'etag');
    if (isTagged && !isStream(body))
      tag ??= `W/"${createHash('sha1').update(body).digest('base64url')}"`;
    const headers = [
      ...omitHeaders(response.headers, (name) => name === 'etag'),
      // Compressed bytes are other ones, which mean the same.
      ...(tag === undefined
        ? []
        : ['etag', coding === undefined ? tag : tag.replace(/^(?!W\/)/, 'W/')]),
      ...(coding === undefined ? [] : ['content-encoding', coding]),
      ...(isText ? ['vary', 'Accept-Encoding'] : []),
    ];
    if (isTagged && tag !== undefined && matchesEtag(sent['if-none-match'], tag)) {
      if (isStream(body)) body.destroy();
      // What is said of a body goes with it.
      return {
        status: 304,
        headers: omitHeaders(headers, (name) => /^content-(?!location)/.test(name)),
      };
    }
    if (coding === undefined) return { ...response, headers };
    const compressor = codings[coding]();
    // A fault of a stream is one of the compressor, which the responder listens to.
    if (isStream(body)) pipeline(body, compressor, () => {});
    else compressor.end(method === 'HEAD' ? '' : body);
    return { status, headers, body: compressor };
  };
}

/** Whether an `If-None-Match` names a tag: a list, or `*`. */
function matchesEtag(condition: string | undefined, tag: string): boolean {
  return (
    condition?.trim() === '*' ||
    condition?.match(/"[^"]*"/g)?.includes(tag.replace(/^W\//, '')) === true
  );
}

const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 4 };

/** Both give out at once what is written, so that no stream is held up. */
const codings = {
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: QUALITY }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
};

/** Types whose bytes become fewer. Items that are sent one by one would wait for each other, and are left alone. */
const compressible =
  /^(text\/(?!event-stream)|application\/(\S+\+)?(json|xml|yaml|javascript)\b|image\/svg\+xml)/i;

/** Whether the type is one of text, and nobody has encoded the body, cut it or forbidden it. */
function isCompressible(status: number, headers: RawHeaders): boolean {
  return (
    status < 400 &&
    status !== 206 &&
    compressible.test(findHeader(headers, 'content-type') ?? '') &&
    findHeader(headers, 'content-encoding') === undefined &&
    findHeader(headers, 'cache-control')?.toLowerCase().includes('no-transform') !== true
  );
}
