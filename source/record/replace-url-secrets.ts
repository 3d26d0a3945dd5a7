import { unescape } from 'node:querystring';
import { toShownPath } from '../../server-runtime/routing/shown-path.ts';
import { looksSecret } from '../../server-runtime/schema/received.ts';
import { createSecretCheck, type IsSecret } from '../../server-runtime/schema/secret-names.ts';
import type { MarkKind } from './call-marks.ts';
import { MASK } from './preview.ts';
import type { RequestRecord } from './request-record.ts';

/** A request with what is known of its route. */
export interface RoutedRequest extends RequestRecord {
  /** The path of the route, `/resets/:token`; missing where none matched. */
  readonly route?: string | undefined;
}

type ShownRequest = Pick<RoutedRequest, 'url' | 'route' | 'details'>;

/** Says of the names in a request which hold secrets: by themselves, and because its capability declares it. */
export function toSecretCheck({
  details,
  fields = [],
}: Pick<RequestRecord, 'details' | 'fields'>): IsSecret {
  const all = [details, ...fields.map((field) => field.details)];
  return createSecretCheck(all.flatMap((each) => each?.secretNames ?? []));
}

/**
 * The URL of a request as it may be shown: with a mask in place of what has the name of a secret, and without the query
 * of an operation, in which a text of JSON holds all variables.
 */
export function toShownUrl(request: ShownRequest & Pick<RoutedRequest, 'operation'>): string {
  const { operation, url } = request;
  const shown = operation === undefined ? request : { ...request, url: url.split('?', 1)[0] ?? '' };
  return replaceUrlSecrets(shown, () => MASK);
}

/** The URL of a request with something in place of each value whose name is that of a secret. */
export function replaceUrlSecrets(
  request: ShownRequest,
  replacement: (name: string) => string,
): string {
  const { url, route = '' } = request;
  const isSecret = toSecretCheck(request);
  const [path = '', ...query] = url.split('?');
  const shown = toShownPath(path, route, { isSecret, replacement });
  if (query.length === 0) return shown;
  return `${shown}?${replacePairSecrets(query.join('?'), isSecret, replacement)}`;
}

/** The same for `name=value&…`, as it stands in a query or a form. */
export function replacePairSecrets(
  pairs: string,
  isSecret: IsSecret,
  replacement: (name: string) => string,
): string {
  const toShown = (pair: string): string => {
    const [name = '', value = ''] = pair.split('=', 2);
    return value !== '' && isSecret(unescape(name))
      ? `${name}=${replacement(unescape(name))}`
      : pair;
  };
  return pairs.split('&').map(toShown).join('&');
}

const MAX_NAME_LENGTH = 500;
/** What of a text of others is looked at: statements may have a megabyte of values. */
const MAX_READ_LENGTH = 10_000;

/** The name of a mark as it may be shown: without values and secrets. */
export function toShownName(kind: MarkKind, name: string): string {
  return toOwnName(kind, name.slice(0, MAX_READ_LENGTH)).slice(0, MAX_NAME_LENGTH);
}

function toOwnName(kind: MarkKind, name: string): string {
  if (kind === 'db') return toStatement(name);
  if (kind !== 'http') return name;
  const [url = '', ...query] = name.replace(/\/\/[^/@\s]*@/, '//').split('?');
  if (query.length === 0) return url;
  return `${url}?${replacePairSecrets(query.join('?'), looksSecret, () => MASK)}`;
}

/**
 * A statement without its values, which may be secrets, so that the same with others is the same:
 * `select * from lines where id = ?`.
 */
function toStatement(sql: string): string {
  return sql
    .replaceAll(/'(?:[^'\\]|\\.|'')*'|\$(?<tag>\w*)\$[^]*?\$\k<tag>\$/g, '?')
    .replaceAll(/(?<![\w$."])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi, '?')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
