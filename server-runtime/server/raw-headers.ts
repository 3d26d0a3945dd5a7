import { toAsciiUrl } from '../capability/answer-step.ts';

/** Headers as Node takes them: names in lower case and values, in turn. */
type NamesAndValues = readonly string[];

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
export function joinHeaders(...sources: readonly NamesAndValues[]): NamesAndValues {
  const joined: string[] = [];
  let vary = '';
  for (const source of sources) {
    // One source may have a name several times.
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

function hasName(headers: NamesAndValues, name: string, end: number): boolean {
  for (let at = 0; at < end; at += 2) if (headers[at] === name) return true;
  return false;
}

function joinVary(first: string, second: string): string {
  if (first === '') return second;
  const names = first.toLowerCase().split(/\s*,\s*/);
  const others = second.split(/\s*,\s*/).filter((name) => !names.includes(name.toLowerCase()));
  return [first, ...others].join(', ');
}

/** The headers that a transport sets itself, whatever a handler says. */
const framing =
  /^(connection|content-length|keep-alive|proxy-connection|transfer-encoding|upgrade|x-request-id)$/;

/** The headers of an application, whose names are in any case. Of two spellings of one name the last one counts. */
export function toRawHeaders(
  entries: Iterable<readonly [string, string | readonly string[]]>,
): NamesAndValues {
  const byName = new Map<string, string | readonly string[]>();
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    if (!framing.test(lower)) byName.set(lower, value);
  }
  const headers: string[] = [];
  for (const [name, value] of byName)
    for (const each of typeof value === 'string' ? [value] : value)
      headers.push(name, name === 'location' ? toAsciiUrl(each) : each);
  return headers;
}

/** Raw headers by name; a name that comes several times has a list. */
export function toHeadersByName(
  headers: NamesAndValues,
): Readonly<Record<string, string | readonly string[]>> {
  const byName: Record<string, string | readonly string[]> = Object.create(null);
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2);
    const before = byName[name];
    byName[name] = before === undefined ? value : [before, value].flat();
  }
  return byName;
}
