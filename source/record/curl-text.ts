import { looksSecret } from '../../server-runtime/schema/received.ts';
import type { RequestRecord } from './request-record.ts';

export interface CurlRequest {
  readonly method: string;
  /** May have variables. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Further arguments: `['-d', '{}']`. May have variables. */
  readonly options: readonly (readonly [flag: string, text: string])[];
}

/**
 * The command line of a request. A secret is a variable of the shell, so that it does not land in a file or a chat:
 * `-H "authorization: $AUTHORIZATION"`, `'{"password":"'"$PASSWORD"'"}'`.
 */
export function toCurlText({ method, url, headers, options }: CurlRequest): string {
  const words = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quote(url)];
  for (const [name, value] of headers)
    words.push('-H', looksSecret(name) ? `"${name}: $${toVariableName(name)}"` : quote(`${name}: ${value}`));
  for (const [flag, text] of options) words.push(flag, quote(text));
  return words.join(' ');
}

/** Stands for a variable of the shell until the text around it is quoted; characters that no text of others has. */
export function toVariable(name: string): string {
  return `\uE000${toVariableName(name)}\uE001`;
}

/** `x-api-key` as `X_API_KEY`. */
function toVariableName(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

/** In single quotes, where a shell changes nothing; a variable in double ones. */
function quote(text: string): string {
  const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return quoted.replaceAll(/\uE000(\w+)\uE001/g, `'"$$$1"'`).replace(/"''$/, '"');
}

/** Headers of one connection, those that every client sets by itself, and the id, which is new each time. */
const ownHeaders = new RegExp(
  '^(host|connection|keep-alive|upgrade|expect|te|trailer|content-length|transfer-encoding|accept-encoding|' +
    'user-agent|x-request-id|:.*)$',
  'i',
);

/** The headers of a recorded request that belong to one that repeats it; one name may come more than once. */
export function toRepeatedHeaders({ details }: Pick<RequestRecord, 'details'>): readonly (readonly [string, string])[] {
  return (details?.headers ?? []).filter(([name]) => !ownHeaders.test(name));
}
