import { createHash } from 'node:crypto';
import { pipeline, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { isStream, type RawHeaders } from '../http/exchange.ts';
import type { EtagKind } from '../http/to-etag-kind.ts';
import { findHeader, omitHeaders } from './handler-content.ts';
import type { HttpResponse, Prepare } from './responder.ts';
import type { RestSettings } from './rest-options.ts';

/** Compresses responses, and makes 304 of those that the caller has already. */
export function createPreparation({ etag, compression }: Pick<RestSettings, 'etag' | 'compression'>): Prepare {
  return (request, response) => {
    const { status, body } = response;
    if (body === undefined) return response;
    const asked = request.exchange.headers as Readonly<Record<string, string | undefined>>;
    const isText = compression !== undefined && isCompressible(response);
    const size = isStream(body) ? Number.POSITIVE_INFINITY : (response.byteLength ?? body.length);
    const coding = isText && size >= compression ? findCoding(asked['accept-encoding']) : undefined;
    const isTagged = etag !== undefined && status === 200 && (request.method === 'GET' || request.method === 'HEAD');
    const made = isTagged && !isStream(body) ? () => toEtag(body, etag) : () => undefined;
    const tag = findHeader(response.headers, 'etag') ?? made();
    const headers = [
      ...omitHeaders(response.headers, (name) => name === 'etag'),
      // Compressed bytes are other ones, which mean the same.
      ...(tag === undefined ? [] : ['etag', coding === undefined ? tag : toWeakEtag(tag)]),
      ...(coding === undefined ? [] : ['content-encoding', coding]),
      ...(isText ? ['vary', 'Accept-Encoding'] : []),
    ];
    if (isTagged && tag !== undefined && matchesEtag(asked['if-none-match'], tag)) {
      if (isStream(body)) body.destroy();
      return { status: 304, headers: omitHeaders(headers, isOfBody) };
    }
    if (coding === undefined) return { ...response, headers };
    // A fault of a stream is one of the compressor, which the responder listens to.
    if (isStream(body)) return { status, headers, body: pipeline(body, createCompressor(coding), () => {}) };
    return compress(body, coding).then((compressed): HttpResponse => ({ status, headers, body: compressed }));
  };
}

/** Whether a header tells of a body that is not there. */
function isOfBody(name: string): boolean {
  return name.startsWith('content-') && name !== 'content-location';
}

function toEtag(body: string | Uint8Array, kind: EtagKind): string {
  const tag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  return kind === 'weak' ? toWeakEtag(tag) : tag;
}

/** The tag of other bytes that mean the same. */
function toWeakEtag(tag: string): string {
  return tag.startsWith('W/') ? tag : `W/${tag}`;
}

/** Whether an `If-None-Match` names a tag: a list, or `*`. */
function matchesEtag(condition: string | undefined, tag: string): boolean {
  const opaque = tag.replace(/^W\//, '');
  return condition?.trim() === '*' || condition?.match(/"[^"]*"/g)?.includes(opaque) === true;
}

type ContentCoding = 'br' | 'gzip';

/** The coding that an `Accept-Encoding` likes best: of two the quicker one, which makes less, too. */
function findCoding(accept = ''): ContentCoding | undefined {
  const weights = new Map(accept.split(',').map(toWeight));
  const weightOf = (coding: ContentCoding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  return weightOf(best) > 0 ? best : undefined;
}

/** `gzip;q=0.5` */
function toWeight(text: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return [coding, Number.isNaN(quality) ? 0 : quality];
}

/** Types whose bytes become fewer. Items that are sent one by one would wait for each other, and are left alone. */
const compressible = /^(text\/(?!event-stream)|application\/(\S+\+)?(json|xml|yaml|javascript)\b|image\/svg\+xml)/i;

/** Whether the type is one of text, and nobody has encoded the body, cut it or forbidden it. */
function isCompressible({ status, headers }: { readonly status: number; readonly headers: RawHeaders }): boolean {
  return (
    status < 400 &&
    status !== 206 &&
    compressible.test(findHeader(headers, 'content-type') ?? '') &&
    findHeader(headers, 'content-encoding') === undefined &&
    findHeader(headers, 'cache-control')?.toLowerCase().includes('no-transform') !== true
  );
}

const BROTLI_QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 4 };

async function compress(body: string | Uint8Array, coding: ContentCoding): Promise<Buffer> {
  return coding === 'gzip' ? promisify(gzip)(body) : promisify(brotliCompress)(body, { params: BROTLI_QUALITY });
}

/** Gives out at once what is written, so that a slow stream stays as quick as it is. */
function createCompressor(coding: ContentCoding): Transform {
  return coding === 'gzip'
    ? createGzip({ flush: constants.Z_SYNC_FLUSH })
    : createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: BROTLI_QUALITY });
}
