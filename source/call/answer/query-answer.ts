import { type JsonValue, query } from 'jsonpath-rfc9535';

/** The matches of a query, or what is wrong with it. */
export type Queried = { readonly found: readonly unknown[] } | { readonly problem: string };

/**
 * Finds values by a query: JSONPath (RFC 9535), `$.data[?@.price > 10].name`, or its beginnings as jq has them:
 * `.data[].name`, `data[0]`.
 */
export function queryAnswer(value: unknown, text: string): Queried {
  const path = toJsonPath(text);
  try {
    return { found: query(value as JsonValue, path) };
  } catch (error) {
    const { location } = error as { readonly location?: { readonly start: { readonly offset: number } } };
    const rest = location === undefined ? path : path.slice(location.start.offset);
    return { problem: rest === '' ? 'not complete yet' : `cannot be read from ${rest} on` };
  }
}

/** `.data[].name`, `data[].name` and `[].name` as JSONPath. */
export function toJsonPath(text: string): string {
  const path = text.trim();
  if (path.startsWith('$')) return path;
  const inside = path
    .replace(/\[\]/g, '[*]')
    .replace(/\.(?=\[)/g, '')
    .replace(/^\.$/, '');
  return `$${inside === '' || /^[.[]/.test(inside) ? '' : '.'}${inside}`;
}
