import {
  type CalledRoute,
  type Fields,
  fillRoute,
  toParameterText,
  toPlainJson,
} from '../openapi/fill-route.ts';
import type { ApiError, Call, CallOptions, ClientOptions } from './call.ts';
import { readResponse } from './read-response.ts';
import { type Kinds, revive, type SharedKinds } from './revive.ts';

/** The place of an operation, and what is special about it: `['GET', '/users/{id}']`. */
export type Route = readonly [method: string, path: string, facts?: RouteFacts];

export interface RouteFacts {
  /** Fields that travel in headers and cookies. A browser sends its own cookies, and drops these. */
  readonly sent?: CalledRoute['sent'];
  readonly form?: true | undefined;
  readonly key?: true | undefined;
  /** The content that is not data in JSON, by status. */
  readonly contents?:
    | Readonly<Record<number, 'none' | 'text' | 'bytes' | 'stream' | 'redirect'>>
    | undefined;
  /** Names of errors by status, where responses do not say them. */
  readonly errors?: Readonly<Record<number, string>> | undefined;
  /** The places of dates and big integers in data and items by status, and in the meta of errors by name. */
  readonly kinds?: Readonly<Record<number | string, Kinds>> | undefined;
  /** Calls by key say by the type of each response what it is. */
  readonly isByKey?: true | undefined;
}

/** The operations of an API by their keys: `{ 'users.getUser': ['GET', '/users/{id}'] }`. */
export type Routes = Readonly<Record<string, Route>>;

/** The facts that all responses of an API share. */
export interface ApiFacts {
  /** The field of a response that holds its data; `false` where it is bare. @default 'data' */
  readonly dataField?: string | false | undefined;
  /** The places of dates and big integers in schemas that others refer to. */
  readonly kinds?: SharedKinds | undefined;
}

/** Makes the client of an API from its routes, as the file that `capix client` writes does. */
export function createClientOf<Api>(
  routes: Routes,
  { dataField = 'data', kinds = {} }: ApiFacts = {},
) {
  return (options: ClientOptions): Api => {
    const api: Group = {};
    for (const [key, route] of Object.entries(routes)) {
      const groups = key.split('.');
      const name = groups.pop() ?? '';
      let group = api;
      for (const each of groups)
        group = (group[each] = (Object.hasOwn(group, each) && group[each]) || {}) as Group;
      const toValue = (json: unknown, place: number | string) =>
        revive(json, route[2]?.kinds?.[place], kinds);
      group[name] = createCall(key, { options, route, dataField, revive: toValue });
    }
    return api as Api;
  };
}

type Group = { [name: string]: object };

export interface Sending {
  readonly options: ClientOptions;
  readonly route: Route;
  readonly dataField: string | false;
  /** Makes dates and others of the JSON of data, items and meta. The place is a status, or the name of an error. */
  readonly revive: (value: unknown, place: number | string) => unknown;
}

export type AnyCall = Call<object, { readonly [status: number]: unknown }, ApiError>;

export const KEY: unique symbol = Symbol('capix.key') as never;

export function createCall(key: string, sending: Sending): AnyCall {
  const safe: AnyCall['safe'] = async (input, call = {}) => {
    const ask = (lastEventId?: string): Promise<Response> =>
      send(sending, { ...input }, { ...call, lastEventId });
    return readResponse(await ask(), sending, ask);
  };
  const orThrow = async (input?: object, call?: CallOptions): Promise<unknown> => {
    const result = await safe(input, call);
    if (result.ok) return result.data;
    throw result.error;
  };
  return Object.assign(orThrow, { safe, [KEY]: key });
}

async function send(
  { options, route: [method, path, facts = {}] }: Sending,
  input: Fields,
  { lastEventId, ...call }: CallOptions & { readonly lastEventId: string | undefined },
): Promise<Response> {
  for (const [, name = ''] of path.matchAll(/{(.+?)}/g)) {
    const text = toParameterText(input[name] ?? '');
    // A URL cannot hold these as a segment: they mean the folder itself, the one above, and nothing.
    if (/^\.{0,2}$/.test(text))
      throw new TypeError(`\`${name}\` is ${JSON.stringify(text)}, which no path can carry.`);
  }
  const { url, rest, headers: declared } = fillRoute({ method, path, sent: facts.sent }, input);
  const headers = new Headers(
    typeof options.headers === 'function' ? await options.headers() : options.headers,
  );
  const put = (value: string, name: string): void => headers.set(name, value);
  new Headers(call.headers).forEach(put);
  const isData = facts.contents === undefined && facts.isByKey === undefined;
  put(
    isData ? 'application/json' : 'application/json, text/event-stream, text/uri-list, */*',
    'accept',
  );
  // Of a page of another site, a browser asks before it sends this type: the API refuses a change without it that comes
  // with cookies.
  if (method !== 'GET') put('application/json', 'content-type');
  // One key for all attempts of a call: whoever repeats it gets the first response.
  const key =
    call.idempotencyKey ??
    (facts.key && !headers.has('idempotency-key') ? toRandomText() : undefined);
  if (key !== undefined) put(`"${key}"`, 'idempotency-key');
  if (lastEventId !== undefined) put(lastEventId, 'last-event-id');
  const { cookie, ...others } = declared;
  for (const [name, value] of Object.entries(others)) put(value, name);
  if (cookie !== undefined) put([headers.get('cookie') ?? [], cookie].flat().join('; '), 'cookie');
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const isForm = hasBody && (facts.form ?? Object.values(rest).flat().some(isFile));
  if (isForm) headers.delete('content-type');
  const request = new Request(options.baseUrl.replace(/\/+$/, '') + url, {
    method,
    headers,
    body: isForm ? toForm(rest) : hasBody ? toPlainJson(rest) : null,
    signal: call.signal ?? null,
    // A redirect is its URL, and is not followed.
    redirect:
      facts.isByKey || Object.values(facts.contents ?? {}).includes('redirect')
        ? 'manual'
        : 'follow',
    ...(options.credentials && { credentials: options.credentials }),
  });
  const { intercept = options.intercept ?? [] } = call;
  return intercept.reduceRight<(request: Request) => Promise<Response>>(
    (next, each) => (given) => each(given, next),
    options.fetch ?? fetch,
  )(request);
}

/** 32 letters and digits. Pages without TLS have no `crypto.randomUUID`. */
function toRandomText(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((each) => each.toString(16).padStart(2, '0'))
    .join('');
}

/** A form. Files come last: a server that reads one as it arrives has to have the other fields by then. */
export function toForm(fields: Fields): FormData {
  const form = new FormData();
  const files: (readonly [string, Blob])[] = [];
  for (const [name, value] of Object.entries(fields)) {
    // The items of a list of files or texts are parts of their own.
    const isPlain =
      Array.isArray(value) && value.every((each) => isFile(each) || Object(each) !== each);
    for (const each of isPlain ? value : [value]) {
      if (isFile(each)) files.push([name, each]);
      else if (Object(each) === each && !(each instanceof Date))
        form.append(name, new Blob([toPlainJson(each)], { type: 'application/json' }));
      else if (each !== undefined && each !== null) form.append(name, toParameterText(each));
    }
  }
  for (const [name, file] of files)
    form.append(name, file, 'name' in file ? String(file.name) : 'file');
  return form;
}

function isFile(value: unknown): value is Blob {
  return value instanceof Blob;
}
