import { looksSecret } from '../../server-runtime/schema/received.ts';
import { MASK } from './preview.ts';
import type { RequestRecord } from './request-record.ts';

/** A request with what is known of its route. */
export interface RoutedRequest extends RequestRecord {
  /** The path of the route, `/resets/:token`; missing where none matched. */
  readonly route?: string | undefined;
}

/** The URL of a request as it may be shown: with a mask in place of what has the name of a secret. */
export function toShownUrl(request: Pick<RoutedRequest, 'url' | 'route'>): string {
  return replaceUrlSecrets(request, () => MASK);
}

/** The URL of a request with something in place of each value whose name is that of a secret. */
export function replaceUrlSecrets(
  { url, route }: Pick<RoutedRequest, 'url' | 'route'>,
  replacement: (name: string) => string,
): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const query = end === -1 ? '' : `?${replacePairSecrets(url.slice(end + 1), replacement)}`;
  return `${replacePathSecrets(path, { route, replacement })}${query}`;
}

/** The same for `name=value&…`, as it stands in a query or a form. */
export function replacePairSecrets(pairs: string, replacement: (name: string) => string): string {
  return pairs
    .split('&')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      const isSecret = value !== '' && looksSecret(decode(name));
      return isSecret ? `${name}=${replacement(decode(name))}` : pair;
    })
    .join('&');
}

function replacePathSecrets(
  path: string,
  { route, replacement }: { readonly route: string | undefined; readonly replacement: (name: string) => string },
): string {
  if (route === undefined || !looksSecret(route)) return path;
  const names = route.split('/');
  return path
    .split('/')
    .map((part, index) => {
      const name = names[index] ?? '';
      return name.startsWith(':') && looksSecret(name) ? replacement(name.slice(1)) : part;
    })
    .join('/');
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
