import { looksSecret } from '../../server-runtime/schema/looks-secret.ts';
import type { ManifestCapability } from '../manifest/manifest.ts';

export interface CurlOptions {
  /** `http://localhost:3000`, without a slash at its end. */
  readonly baseUrl: string;
  readonly input: unknown;
  /** A secret one is a variable of the shell, so that it does not land in a file or a chat: `$AUTHORIZATION`. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Paths of files by field; with them it is a form. @default none */
  readonly files?: Readonly<Record<string, readonly string[]>>;
}

/** The command line that calls a capability over HTTP with an input. */
export function toCapabilityCurl(
  capability: Pick<ManifestCapability, 'method' | 'path' | 'params'>,
  { baseUrl, input, headers = {}, files = {} }: CurlOptions,
): string {
  const { method } = capability;
  const { path, rest } = fillPath(capability, input);
  const isRead = method === 'GET' || method === 'DELETE';
  const words = ['curl'];
  if (method !== 'GET') words.push('-X', method);
  words.push(quote(`${baseUrl}${path}${isRead ? toQuery(rest) : ''}`));
  for (const header of Object.entries(headers)) words.push('-H', toHeaderWord(header));
  const parts = Object.entries(files).flatMap(([name, paths]) => paths.map((file) => `${name}=@${file}`));
  if (!isRead && parts.length > 0) {
    for (const [name, text] of toCurlFields(rest)) words.push('--form-string', quote(`${name}=${text}`));
    for (const part of parts) words.push('-F', quote(part));
  } else if (!isRead && Object.keys(rest).length > 0) {
    words.push('-H', quote('content-type: application/json'), '-d', quote(JSON.stringify(rest)));
  }
  return words.join(' ');
}

function toHeaderWord([name, value]: readonly [string, string]): string {
  if (!looksSecret(name)) return quote(`${name}: ${value}`);
  return `"${name}: $${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}"`;
}

/** The path with its parameters filled in, and what of the input is left. */
export function fillPath(
  { path, params }: Pick<ManifestCapability, 'path' | 'params'>,
  input: unknown,
): { readonly path: string; readonly rest: Readonly<Record<string, unknown>> } {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const values = Object.fromEntries(fields) as Record<string, unknown>;
  const filled = path.replace(/[:*](\w+)/g, (whole, name: string) =>
    values[name] === undefined ? whole : encodeURIComponent(toText(values[name])),
  );
  return {
    path: filled,
    rest: Object.fromEntries(fields.filter(([name, value]) => !params.includes(name) && value !== undefined)),
  };
}

/** Fields as a query string with its question mark; `''` without fields. */
export function toQuery(fields: Readonly<Record<string, unknown>>): string {
  const pairs = toCurlFields(fields).map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Fields as the texts of a form or a query: of an array one for each item. */
export function toCurlFields(fields: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => [name, toText(one)] as const),
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
