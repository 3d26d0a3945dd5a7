import { parse } from 'cookie';

/**
 * The cookies of a request by name, for fields of inputs and for `defineCookie`. Quotes around a value are not part of
 * it (RFC 6265, 4.1.1); those that a server writes are percent-encoded, so that they stay.
 */
export function parseCookies(
  header: string | undefined,
): Readonly<Record<string, string | undefined>> {
  return header === undefined ? {} : parse(header, { decode: toCookieValue });
}

function toCookieValue(sent: string): string {
  const value = sent.replace(/^"(.*)"$/s, '$1');
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
