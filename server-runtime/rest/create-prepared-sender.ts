import { createHash } from 'node:crypto';
import { pipeline, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { RawHeaders } from '../http/exchange.ts';
import type { EtagKind } from '../http/to-etag-kind.ts';
import type { RestRequest } from './rest-request.ts';
import type { AnswerContent, Sender } from './sender.ts';

/** The work on answers before they are sent. */
export interface Preparation {
  /** The kind of the tags that answers to GET get; undefined for none. */
  readonly etag: EtagKind | undefined;
  /** The size from which a body is compressed, bytes; undefined for never. */
  readonly compressFrom: number | undefined;
}

/** A sender that compresses answers, and answers with 304 who has one already. */
export function createPreparedSender(sender: Sender, { etag, compressFrom }: Preparation): Sender {
  const send: Sender['send'] = (request, answer) => {
    const { body, status } = answer;
    if (body === undefined) return sender.send(request, answer);
    const { headers, coding } = negotiate(request, answer, answer.byteLength ?? body.length);
    const computed = etag !== undefined && isRead(request, status) ? toEtag(body, etag) : undefined;
    const tagged = withEtag(headers, computed, coding);
    if (hasIt(request, status, tagged)) return sendUnchanged(request, tagged);
    if (coding === undefined) return sender.send(request, { ...answer, headers: tagged });
    return sendCompressed(request, { status, headers: tagged, body }, coding);
  };

  const sendStream: Sender['sendStream'] = (request, answer) => {
    const { body, status } = answer;
    const { headers, coding } = negotiate(request, answer, Number.POSITIVE_INFINITY);
    const tagged = withEtag(headers, undefined, coding);
    if (hasIt(request, status, tagged)) {
      body.destroy();
      void sendUnchanged(request, tagged);
      return;
    }
    if (coding === undefined || request.method === 'HEAD')
      return sender.sendStream(request, { status, headers: tagged, body });
    // A fault of the stream is one of the compressor, which the sender listens to.
    const compressed = pipeline(body, createCompressor(coding), () => {});
    return sender.sendStream(request, { status, headers: tagged, body: compressed });
  };

  function negotiate(request: RestRequest, { status, headers }: AnswerContent<unknown>, size: number): Negotiated {
    if (compressFrom === undefined || !isCompressible(status, headers)) return { headers, coding: undefined };
    const accept = request.exchange.headers['accept-encoding'] as string | undefined;
    const coding = size < compressFrom ? undefined : findCoding(accept);
    const encoding = coding === undefined ? [] : ['content-encoding', coding];
    return { headers: [...headers, ...encoding, 'vary', 'Accept-Encoding'], coding };
  }

  /** Whether the caller has this very answer. */
  function hasIt(request: RestRequest, status: number, headers: RawHeaders): boolean {
    const tag = etag !== undefined && isRead(request, status) ? findHeader(headers, 'etag') : undefined;
    const condition = request.exchange.headers['if-none-match'] as string | undefined;
    return tag !== undefined && condition !== undefined && matchesEtag(condition, tag);
  }

  async function sendCompressed(
    request: RestRequest,
    { status, headers, body }: AnswerContent<string | Uint8Array>,
    coding: ContentCoding,
  ): Promise<void> {
    void sender.send(request, { status, headers, body: await compress(body, coding) });
  }

  function sendUnchanged(request: RestRequest, headers: RawHeaders): ReturnType<Sender['send']> {
    return sender.send(request, { status: 304, headers: omitHeaders(headers, isOfBody), body: undefined });
  }

  return { send, sendStream, report: sender.report };
}

interface Negotiated {
  readonly headers: RawHeaders;
  readonly coding: ContentCoding | undefined;
}

function isRead({ method }: RestRequest, status: number): boolean {
  return status === 200 && (method === 'GET' || method === 'HEAD');
}

/** With the handler's own tag, else that of the body. Compressed bytes are other ones, which mean the same. */
function withEtag(headers: RawHeaders, computed: string | undefined, coding: ContentCoding | undefined): RawHeaders {
  const own = findHeader(headers, 'etag');
  const tag = own ?? computed;
  if (tag === undefined || (own !== undefined && coding === undefined)) return headers;
  return [...omitHeaders(headers, (name) => name === 'etag'), 'etag', coding === undefined ? tag : toWeakEtag(tag)];
}

/** Whether a header tells of a body that is not there. */
function isOfBody(name: string): boolean {
  return name.startsWith('content-') && name !== 'content-location';
}

/** The entity tag of a body. */
function toEtag(body: string | Uint8Array, kind: EtagKind): string {
  const tag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  return kind === 'weak' ? toWeakEtag(tag) : tag;
}

/** The tag of other bytes that mean the same. */
function toWeakEtag(tag: string): string {
  return tag.startsWith('W/') ? tag : `W/${tag}`;
}

/** Whether an `If-None-Match` names a tag: a list, or `*`. */
function matchesEtag(condition: string, tag: string): boolean {
  const opaque = toOpaque(tag);
  return condition.trim() === '*' || (condition.match(/"[^"]*"/g)?.includes(opaque) ?? false);
}

function toOpaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/** A content coding that answers may have. */
export type ContentCoding = 'br' | 'gzip';

/** The better one first: with this quality, brotli is quicker than gzip and makes less. */
const codings: readonly ContentCoding[] = ['br', 'gzip'];
const BROTLI_QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 4 };

/** The coding that an `Accept-Encoding` likes best; undefined where it takes none of them. */
export function findCoding(accept: string | undefined): ContentCoding | undefined {
  if (accept === undefined) return undefined;
  const weights = new Map(accept.split(',').map(toWeight));
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const best = codings.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}

/** `gzip;q=0.5` */
function toWeight(text: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = quality === undefined ? 1 : Number(quality.slice(2));
  return [coding, Number.isNaN(weight) ? 0 : weight];
}

/** Types whose bytes become fewer. Items that are sent one by one would wait for each other, and are left alone. */
const compressible = /^(text\/(?!event-stream)|application\/(\S+\+)?(json|xml|yaml|javascript)\b|image\/svg\+xml)/i;

/** Whether an answer may be compressed: its type is one of text, and nobody has encoded it, cut it or forbidden it. */
export function isCompressible(status: number, headers: RawHeaders): boolean {
  if (status >= 400 || status === 206) return false;
  const [type, encoding] = [findHeader(headers, 'content-type'), findHeader(headers, 'content-encoding')];
  if (type === undefined || encoding !== undefined || !compressible.test(type)) return false;
  return findHeader(headers, 'cache-control')?.toLowerCase().includes('no-transform') !== true;
}

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Works beside the thread that answers. */
export async function compress(body: string | Uint8Array, coding: ContentCoding): Promise<Buffer> {
  return coding === 'gzip' ? toGzip(body) : toBrotli(body, { params: BROTLI_QUALITY });
}

/** Gives out at once what is written, so that a slow stream stays as quick as it is. */
export function createCompressor(coding: ContentCoding): Transform {
  return coding === 'gzip'
    ? createGzip({ flush: constants.Z_SYNC_FLUSH })
    : createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: BROTLI_QUALITY });
}

/** The value of a header, whose name is in lower case. */
export function findHeader(headers: RawHeaders, name: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

/** The headers without those that a test finds by their names. */
export function omitHeaders(headers: RawHeaders, isOmitted: (name: string) => boolean): RawHeaders {
  return headers.filter((_text, at) => !isOmitted(headers[at - (at % 2)] ?? ''));
}
