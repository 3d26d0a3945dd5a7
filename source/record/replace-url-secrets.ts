import { unescape } from 'node:querystring';
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
  { url, route = '' }: Pick<RoutedRequest, 'url' | 'route'>,
  replacement: (name: string) => string,
): string {
  const [path = '', ...query] = url.split('?');
  const names = route.split('/');
  const parts = path.split('/').map((part, index) => {
    const name = names[index] ?? '';
    return name.startsWith(':') && looksSecret(name) ? replacement(name.slice(1)) : part;
  });
  const pairs = query.length === 0 ? [] : [replacePairSecrets(query.join('?'), replacement)];
  return [parts.join('/'), ...pairs].join('?');
}

/** The same for `name=value&…`, as it stands in a query or a form. */
export function replacePairSecrets(pairs: string, replacement: (name: string) => string): string {
  const toShown = (pair: string): string => {
    const [name = '', value = ''] = pair.split('=', 2);
    return value !== '' && looksSecret(unescape(name))
      ? `${name}=${replacement(unescape(name))}`
      : pair;
  };
  return pairs.split('&').map(toShown).join('&');
}
