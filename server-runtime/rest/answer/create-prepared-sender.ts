import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream';
import type { RawHeaders } from '../../http/exchange.ts';
import type { EtagKind } from '../../http/to-etag-kind.ts';
import type { RestRequest } from '../rest-request.ts';
import { type ContentCoding, compress, createCompressor, findCoding, isCompressible } from './compress.ts';
import { findHeader, omitHeaders } from './find-header.ts';
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
