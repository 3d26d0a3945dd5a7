import type { ManifestCapability } from './manifest.ts';

export interface CurlOptions {
  /** `http://localhost:3000`, without a slash at its end. */
  readonly baseUrl: string;
  readonly input: unknown;
}

/** The command line that calls a capability over HTTP with an input. */
export function toCurl(
  capability: Pick<ManifestCapability, 'method' | 'path' | 'params'>,
  { baseUrl, input }: CurlOptions,
): string {
  const { method } = capability;
  const { path, rest } = fillPath(capability, input);
  const isRead = method === 'GET' || method === 'DELETE';
  const words = ['curl'];
  if (method !== 'GET') words.push('-X', method);
  words.push(quote(`${baseUrl}${path}${isRead ? toQuery(rest) : ''}`));
  if (!isRead && Object.keys(rest).length > 0) {
    words.push('-H', quote('content-type: application/json'), '-d', quote(JSON.stringify(rest)));
  }
  return words.join(' ');
}

/** The path with its parameters filled in, and what of the input is left. */
export function fillPath(
  { path, params }: Pick<ManifestCapability, 'path' | 'params'>,
  input: unknown,
): { readonly path: string; readonly rest: Readonly<Record<string, unknown>> } {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const values = Object.fromEntries(fields) as Record<string, unknown>;
  const filled = path.replace(/:(\w+)/g, (whole, name: string) =>
    values[name] === undefined ? whole : encodeURIComponent(toText(values[name])),
  );
  return {
    path: filled,
    rest: Object.fromEntries(fields.filter(([name, value]) => !params.includes(name) && value !== undefined)),
  };
}

/** Fields as a query string with its question mark; `''` without fields. */
export function toQuery(fields: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (one: unknown) => `${encodeURIComponent(name)}=${encodeURIComponent(toText(one))}`,
    ),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
