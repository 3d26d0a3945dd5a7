import { defineError } from '../errors/define-error.ts';
import { type Failure, failure } from '../errors/failure.ts';
import type { Exchange, RawHeaders } from './exchange.ts';
import { findHeader } from './http-response.ts';

export const RangeNotSatisfiable = defineError(416, 'RangeNotSatisfiable');

/** Bytes of a content, up to the last one, which is among them. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

type SentHeaders = Exchange['headers'];

/**
 * The range of a content that a GET asks for: undefined where it gets the whole content, and `beyond` where there are
 * no such bytes. A server may pass over a `Range` (RFC 9110, 14.2), which is done with several ranges at once.
 */
export function findRange(
  sent: SentHeaders,
  headers: RawHeaders,
  length: number,
): ByteRange | 'beyond' | undefined {
  const { range, 'if-range': condition } = sent;
  if (typeof range !== 'string') return undefined;
  return condition === undefined || isSame(`${condition}`, headers)
    ? parseRange(range, length)
    : undefined;
}

function parseRange(range: string, length: number): ByteRange | 'beyond' | undefined {
  const groups = /^bytes=((?<first>\d+)-(?<last>\d*)|-(?<count>\d+))$/i.exec(range)?.groups;
  if (groups === undefined) return undefined;
  const { first, last, count } = groups;
  if (count !== undefined) return findLast(Number(count), length);
  const from = Number(first);
  const to = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (to < from) return undefined;
  return from < length ? { first: from, last: Math.min(to, length - 1) } : 'beyond';
}

/** The last bytes. Of an empty content they are all of it, which no `Content-Range` can express. */
function findLast(count: number, length: number): ByteRange | 'beyond' | undefined {
  if (count === 0) return 'beyond';
  return length === 0 ? undefined : { first: Math.max(0, length - count), last: length - 1 };
}

/** Whether the content is the one that an `If-Range` names, byte for byte: a weak tag does not say that. */
function isSame(condition: string, headers: RawHeaders): boolean {
  if (!isDate(condition))
    return condition.startsWith('"') && condition === findHeader(headers, 'etag');
  return Date.parse(condition) === Date.parse(findHeader(headers, 'last-modified') ?? '');
}

function isDate(condition: string): boolean {
  return !/^(W\/)?"/.test(condition);
}

/** Whether a request may get a part of the bytes as they lie on the server, so that these are not compressed. */
export function mayAskForPart({ range, 'if-range': condition }: SentHeaders): boolean {
  return /^bytes=/i.test(`${range}`) && (condition === undefined || !isDate(`${condition}`));
}

/** Whether an `If-None-Match` names a tag: a list, or `*`. */
export function matchesEtag(condition: string | undefined, tag: string | undefined): boolean {
  if (tag === undefined) return false;
  return (
    condition?.trim() === '*' ||
    condition?.match(/"[^"]*"/g)?.includes(tag.replace(/^W\//, '')) === true
  );
}

export function toContentRange({ first, last }: ByteRange, length: number): RawHeaders {
  return ['content-range', `bytes ${first}-${last}/${length}`];
}

export function toBeyond(length: number): Failure {
  const headers = { 'content-range': `bytes */${length}`, 'accept-ranges': 'bytes' };
  return { ...failure(RangeNotSatisfiable, `The content has ${length} bytes`), headers };
}
