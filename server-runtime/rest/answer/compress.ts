import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { RawHeaders } from '../../http/exchange.ts';
import { findHeader } from './find-header.ts';

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
