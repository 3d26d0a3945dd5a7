import type { SentField } from '../../server-runtime/capability/http.ts';
import type { Listed } from '../manifest/listed.ts';
import { toCurlText } from './curl-text.ts';

export interface CurlOptions {
  /** `http://localhost:3000`, without a slash at its end. */
  readonly baseUrl: string;
  readonly input: unknown;
  /** A secret one is a variable of the shell, so that it lands in no file or chat: `$AUTHORIZATION`. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Paths of files by field; with them it is a form. @default none */
  readonly files?: Readonly<Record<string, readonly string[]>>;
}

/** The parts of a capability that say how it is called. */
type CalledRoute = Pick<Listed, 'method' | 'path' | 'params'> & { readonly facts?: Pick<Listed['facts'], 'sent'> };

/** The command line that calls a capability over HTTP with an input. */
export function toCapabilityCurl(
  capability: CalledRoute,
  { baseUrl, input, headers = {}, files = {} }: CurlOptions,
): string {
  const { method } = capability;
  const { path, rest, headers: sent } = fillPath(capability, input);
  const isRead = method === 'GET' || method === 'DELETE';
  return toCurlText({
    method,
    url: `${baseUrl}${path}${isRead ? toQueryString(rest) : ''}`,
    headers: Object.entries({ ...headers, ...sent }),
    options: isRead ? [] : toBodyOptions(rest, files),
  });
}

function toBodyOptions(
  rest: Readonly<Record<string, unknown>>,
  files: Required<CurlOptions>['files'],
): readonly (readonly [string, string])[] {
  const parts = Object.entries(files).flatMap(([name, paths]) => paths.map((file) => `${name}=@${file}`));
  if (parts.length > 0)
    return [
      ...toCurlFields(rest).map(([name, text]) => ['--form-string', `${name}=${text}`] as const),
      ...parts.map((part) => ['-F', part] as const),
    ];
  if (Object.keys(rest).length === 0) return [];
  return [
    ['-H', 'content-type: application/json'],
    ['-d', JSON.stringify(rest)],
  ];
}

/** The headers of declared fields, with the cookies in one. */
function toSentHeaders(
  sent: readonly SentField[],
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const given = sent.flatMap(({ field, in: place, name }) => {
    const value = input[field];
    return value === undefined || value === null ? [] : [{ place, name, text: [value].flat().map(toText).join(', ') }];
  });
  const cookies = given.filter(({ place }) => place === 'cookie');
  return {
    ...Object.fromEntries(given.filter(({ place }) => place === 'header').map(({ name, text }) => [name, text])),
    ...(cookies.length === 0
      ? {}
      : { cookie: cookies.map(({ name, text }) => `${name}=${encodeURIComponent(text)}`).join('; ') }),
  };
}

/** The path with its parameters filled in, the headers of declared fields, and what of the input is left. */
export function fillPath(
  { path, params, facts: { sent = [] } = {} }: Omit<CalledRoute, 'method'>,
  input: unknown,
): {
  readonly path: string;
  readonly rest: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
} {
  const elsewhere = new Set([...params, ...sent.map(({ field }) => field)]);
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const values = Object.fromEntries(fields) as Record<string, unknown>;
  const filled = path.replace(/[:*](\w+)/g, (whole, name: string) =>
    values[name] === undefined ? whole : encodeURIComponent(toText(values[name])),
  );
  return {
    path: filled,
    rest: Object.fromEntries(fields.filter(([name, value]) => !elsewhere.has(name) && value !== undefined)),
    headers: toSentHeaders(sent, values),
  };
}

/** Fields as a query string with its question mark; `''` without fields. */
export function toQueryString(fields: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(fields)
    .flatMap(([name, value]) => toQueryFields(name, value))
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** `tags=a&tags=b`, `filter[state]=open`, `lines[0][sku]=x`. */
function toQueryFields(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[name, toText(value)]];
  const hasParts = !Array.isArray(value) || value.some((each) => typeof each === 'object');
  return Object.entries(value).flatMap(([key, each]) => toQueryFields(hasParts ? `${name}[${key}]` : name, each));
}

/** Fields as the texts of a form: of an array one for each item. */
export function toCurlFields(fields: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => [name, toText(one)] as const),
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
