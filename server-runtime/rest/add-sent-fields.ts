import type { SentField } from '../capability/http.ts';
import { type InputFields, toFieldValue } from '../input/input-fields.ts';
import type { Lens } from '../schema/lens.ts';
import type { RestRequest } from './rest-request.ts';

/** Fields that a header or a cookie carries come from there alone. */
export function addSentFields(
  input: InputFields,
  { exchange: { headers } }: RestRequest,
  { sent, plan }: { readonly sent: readonly SentField[]; readonly plan: () => Lens },
): void {
  let cookies: ReadonlyMap<string, string> | undefined;
  for (const { field, in: place, name } of sent) {
    delete input[field];
    if (place === 'cookie') cookies ??= parseCookies(headers['cookie']);
    const text = place === 'cookie' ? cookies?.get(name) : toText(headers[name]);
    if (text === undefined) continue;
    const lens = plan()
      .narrow((other) => input[other])
      .inside(field);
    const isList = place === 'header' && lens !== undefined && lens.reading.list !== 'never';
    input[field] = toFieldValue(lens, isList ? text.split(',').map((item) => item.trim()) : [text]);
  }
}

function toText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' || header === undefined ? header : header.join(', ');
}

/** The cookies by name; of two with one name the first counts, which is the one of the longer path (RFC 6265, 5.4). */
function parseCookies(header: string | readonly string[] | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header === undefined ? '' : typeof header === 'string' ? header : header.join(';')).split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && !cookies.has(name)) cookies.set(name, toDecoded(pair.slice(at + 1).trim()));
  }
  return cookies;
}

function toDecoded(text: string): string {
  const bare = text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text;
  if (!bare.includes('%')) return bare;
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}
