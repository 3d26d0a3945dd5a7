import { looksSecret } from '../../server-runtime/schema/secret-names.ts';
import type { RequestRecord } from '../processes/request-record.ts';

/** Headers that concern one connection, or that every client sets by itself. */
const ownHeaders = /^(host|connection|content-length|accept-encoding|user-agent|accept|transfer-encoding|:.*)$/i;

/**
 * The command that sends a request again. A secret is a variable of the shell, so that it does not land in a file or a chat:
 * `-H "authorization: $AUTHORIZATION"`.
 */
export function toCurl(
  { method, url, details }: Pick<RequestRecord, 'method' | 'url' | 'details'>,
  serverUrl: string,
): string {
  const headers = (details?.headers ?? []).filter(([name]) => !ownHeaders.test(name));
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quote(serverUrl + url)];
  for (const [name, value] of headers) {
    parts.push(
      '-H',
      looksSecret(name)
        ? `"${name}: $${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}"`
        : quote(`${name}: ${value}`),
    );
  }
  if (details?.body !== undefined) parts.push('--data-binary', quote(details.body));
  return parts.join(' ');
}

/** In single quotes, where a shell changes nothing. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
