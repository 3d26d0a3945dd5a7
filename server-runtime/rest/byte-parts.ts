import { findContentCoding } from '../http/accept.ts';
import type { HttpAnswer } from '../http/http-answer.ts';
import { findHeader, type HttpResponse, omitHeaders } from '../http/http-response.ts';
import { type ByteRange, findRange, matchesEtag, toContentRange } from '../http/ranges.ts';
import type { RestRequest } from './request-handler.ts';

/** The head of an answer that holds a part of a content, or all of it, and where that part lies. */
interface Part extends Pick<HttpResponse, 'status' | 'headers'> {
  readonly status: 200 | 206;
  readonly range: ByteRange;
}

/** Whether callers may have parts of an answer: of declared bytes, unless their handler says something of ranges. */
export function hasParts(
  { method, served }: RestRequest,
  { status, headers }: HttpAnswer,
): boolean {
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD') || served === undefined)
    return false;
  const { answers } = served.operation.definition;
  return (
    answers.some((answer) => answer.kind === 'bytes' && answer.status === 200) &&
    !headers.includes('accept-ranges') &&
    !headers.includes('content-range')
  );
}

/** The part that a request asks for. A caller that has the content already needs none, and HEAD is about the whole. */
export function findPart(
  request: RestRequest,
  headers: HttpResponse['headers'],
  length: number,
): Part | 'beyond' {
  const { method, headers: sent } = request;
  const isKnown = matchesEtag(sent['if-none-match']?.toString(), findHeader(headers, 'etag'));
  const isWhole = method === 'HEAD' || isKnown;
  const range = isWhole ? undefined : findRange(sent, toValidators(request, headers), length);
  if (range === 'beyond') return range;
  const all = [...headers, 'accept-ranges', 'bytes'];
  if (range === undefined)
    return { status: 200, headers: all, range: { first: 0, last: length - 1 } };
  return { status: 206, headers: [...all, ...toContentRange(range, length)], range };
}

/** A date is that of the compressed bytes too, of which the caller may have the beginning. */
function toValidators(
  { headers: sent, responder }: RestRequest,
  headers: HttpResponse['headers'],
): HttpResponse['headers'] {
  const mayBeCompressed =
    responder.parts.settings.compression &&
    findContentCoding(sent['accept-encoding']?.toString()) !== undefined;
  return mayBeCompressed ? omitHeaders(headers, (name) => name === 'last-modified') : headers;
}

export function toLength({ first, last }: ByteRange): number {
  return last + 1 - first;
}
