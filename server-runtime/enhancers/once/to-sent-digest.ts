import { createHash, randomUUID } from 'node:crypto';
import { isNodeStream, isWebStream } from '../../resources/item-source.ts';
import { toDigest } from '../state/to-store-key.ts';

/**
 * A digest of what a caller sent, before the schema has made something of it: equal for equal fields, whatever their
 * order, and equal bytes of files. A file that is read as it arrives is told by its name, its type and the length of the
 * request.
 */
export function toSentDigest(sent: unknown, contentLength: string | undefined): string {
  return toDigest(write(sent, contentLength ?? '')).slice(1);
}

function write(value: unknown, length: string): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return `[${value.map((item) => write(item, length)).join()}]`;
  if (value instanceof Uint8Array) return `bytes ${createHash('sha256').update(value).digest('base64url')}`;
  if (value instanceof Map || value instanceof Set) return `${value.constructor.name} ${write([...value], length)}`;
  if (isNodeStream(value) || isWebStream(value)) return `stream ${length}`;
  return writeObject(value, length);
}

function writeObject(value: object, length: string): string {
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return `${nameOf(value)} ${write(toJSON.call(value), length)}`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  // What hides its content is like nothing else.
  if (fields.length === 0 && nameOf(value) !== '') return randomUUID();
  return `${nameOf(value)}{${fields.map(([name, field]) => `${JSON.stringify(name)}:${write(field, length)}`).join()}}`;
}

/** The name of its class; none for a plain object. */
function nameOf(value: object): string {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || prototype === Object.prototype ? '' : prototype.constructor.name;
}
