import type { RawHeaders, ResponseBody } from './exchange.ts';

/** A response before the transport has added its own headers: length, request id, CORS. */
export interface HttpResponse {
  /** @default 200 */
  readonly status?: number | undefined;
  /** Names in lower case. */
  readonly headers: RawHeaders;
  readonly body?: ResponseBody;
  /** The length of a text, where it is known. */
  readonly byteLength?: number;
}

export const JSON_TYPE: RawHeaders = ['content-type', 'application/json; charset=utf-8'];

export function findHeader(headers: RawHeaders, name: string): string | undefined {
  return headers.find((_text, at) => at % 2 === 1 && headers[at - 1] === name);
}

/** The headers without those that a test finds by their names. */
export function omitHeaders(headers: RawHeaders, isOmitted: (name: string) => boolean): RawHeaders {
  return headers.filter((_text, at) => !isOmitted(headers[at - (at % 2)] ?? ''));
}

/** The headers of which each source adds some more. */
const listHeaders: readonly string[] = [
  'link',
  'ratelimit',
  'ratelimit-policy',
  'server-timing',
  'set-cookie',
];

/**
 * The headers of several sources as one list, in which a name is that of the first source that has it. Lists add up,
 * and `Vary` names all that any source names.
 */
export function joinHeaders(...sources: readonly RawHeaders[]): RawHeaders {
  const joined: string[] = [];
  let vary = '';
  for (const source of sources) {
    // Of one source a name may come several times.
    const before = joined.length;
    for (let at = 0; at + 1 < source.length; at += 2) {
      const name = source[at] ?? '';
      const value = source[at + 1] ?? '';
      if (name === 'vary') vary = joinVary(vary, value);
      else if (!hasName(joined, name, before) || listHeaders.includes(name))
        joined.push(name, value);
    }
  }
  if (vary !== '') joined.push('vary', vary);
  return joined;
}

function hasName(headers: RawHeaders, name: string, end: number): boolean {
  for (let at = 0; at < end; at += 2) if (headers[at] === name) return true;
  return false;
}

function joinVary(first: string, second: string): string {
  if (first === '') return second;
  const names = first.toLowerCase().split(/\s*,\s*/);
  const others = second.split(/\s*,\s*/).filter((name) => !names.includes(name.toLowerCase()));
  return [first, ...others].join(', ');
}

/** The headers that a transport sets itself, whatever a handler sets. */
const framing =
  /^(connection|content-length|keep-alive|proxy-connection|transfer-encoding|upgrade|x-request-id)$/;

/** The headers of an application, with names in lower case. Of two spellings of one name, the last one counts. */
export function toRawHeaders(
  entries: Iterable<readonly [string, string | readonly string[]]>,
): RawHeaders {
  const byName = new Map<string, string | readonly string[]>();
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    if (!framing.test(lower)) byName.set(lower, value);
  }
  const headers: string[] = [];
  for (const [name, value] of byName)
    for (const each of typeof value === 'string' ? [value] : value) headers.push(name, each);
  return headers;
}
