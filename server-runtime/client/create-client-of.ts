import {
  type CalledRoute,
  type Fields,
  type FilledRoute,
  fillRoute,
  toAddress,
  toParameterText,
  toPlainJson,
  toWholeText,
} from '../routing/fill-route.ts';
import type {
  ApiError,
  Call,
  CallLink,
  CallOptions,
  ClientOptions,
  HeaderFields,
  SocketClientOptions,
} from './call.ts';
import { readResponse } from './read-response.ts';
import { type Kinds, revive, type SharedKinds } from './revive.ts';

/** The place of an operation, and its special facts: `['GET', '/users/{id}']`. */
export type Route = readonly [method: string, path: string, facts?: RouteFacts];

export interface RouteFacts {
  /** Fields that travel in headers and cookies. A browser sends its own cookies, and drops these. */
  readonly sent?: CalledRoute['sent'];
  /** The field that is the whole body, and its media types. */
  readonly body?: CalledRoute['body'];
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
  /** In calls by key, the media type of each response tells the content. */
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
  return (options: ClientOptions | SocketClientOptions): Api => {
    claimConnection(options, false);
    const api: Group = {};
    for (const [key, route] of Object.entries(routes)) {
      const groups = key.split('.');
      const name = groups.pop() ?? '';
      const group = groups.reduce(openGroup, api);
      const toValue = (json: unknown, place: number | string) =>
        revive(json, route[2]?.kinds?.[place], kinds);
      group[name] = createCall(key, { options, route, dataField, revive: toValue });
    }
    return api as Api;
  };
}

/** @throws TypeError where another client has the connection */
export function claimConnection(
  options: ClientOptions | SocketClientOptions,
  isByKey: boolean,
): void {
  if ('transport' in options) toLink(options).belongTo(options, isByKey);
}

function toLink({ transport }: SocketClientOptions): CallLink {
  return transport as unknown as CallLink;
}

type Group = { [name: string]: object };

/** The group of this name inside another one. A missing group is made. */
function openGroup(around: Group, name: string): Group {
  if (!Object.hasOwn(around, name)) around[name] = {};
  return around[name] as Group;
}

export interface Sending {
  readonly options: ClientOptions | SocketClientOptions;
  readonly route: Route;
  readonly dataField: string | false;
  /** Makes dates and others of the JSON of data, items and meta. The place is a status, or the name of an error. */
  readonly revive: (value: unknown, place: number | string) => unknown;
}

export type AnyCall = Call<object, { readonly [status: number]: unknown }, ApiError>;

export const KEY: unique symbol = Symbol('capix.key') as never;

export function createCall(key: string, sending: Sending): AnyCall {
  const { options } = sending;
  const prepared = prepareRoute(sending.route);
  const safe: AnyCall['safe'] = async (input, call = {}) => {
    const fields = { ...input };
    if ('transport' in options) return toLink(options).call(key, sending, { input: fields, call });
    const ask = async (lastEventId?: string): Promise<Response> => {
      const { headers: own } = options;
      const headers = toHeaders(typeof own === 'function' ? await own() : own);
      expectPathTexts(prepared.inPath, fields);
      expectSendable(fields, prepared);
      const filled = fillRoute(prepared, fields);
      addHeaders(headers, prepared, call);
      addDeclaredHeaders(headers, filled.headers);
      if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
      const url = toAddress(options.baseUrl, filled.url);
      const init = {
        method: prepared.method,
        body: toBody(prepared, filled, headers),
        headers,
        signal: call.signal ?? null,
        redirect: prepared.redirect,
        ...(options.credentials && { credentials: options.credentials }),
      };
      const { intercept = options.intercept ?? [] } = call;
      // The global `fetch` would make a second `Request` of a first one.
      if (!options.fetch && intercept.length === 0) return await fetch(url, init);
      const send = intercept.reduceRight<(request: Request) => Promise<Response>>(
        (next, each) => (passed) => each(passed, next),
        options.fetch ?? fetch,
      );
      return await send(new Request(url, init));
    };
    return await readResponse(await ask(), sending, ask);
  };
  const orThrow = async (input?: object, call?: CallOptions): Promise<unknown> => {
    const result = await safe(input, call);
    if (result.ok) return result.data;
    throw result.error;
  };
  return Object.assign(orThrow, { safe, [KEY]: key });
}

/** A route with what is the same for all of its calls. */
type PreparedRoute = ReturnType<typeof prepareRoute>;

function prepareRoute([method, path, facts = {}]: Route) {
  const { contents, isByKey } = facts;
  const isData = (contents ?? isByKey) === undefined;
  const isRedirect = isByKey || Object.values({ ...contents }).includes('redirect');
  return {
    ...facts,
    method,
    path,
    /** The fields in the path. */
    inPath: (path.match(/{.+?}/g) ?? []).map((place) => place.slice(1, -1)),
    accept: isData ? 'application/json' : 'application/json, text/event-stream, text/uri-list, */*',
    // A declared redirect is its URL. Any other one is of a proxy: `fetch` would follow a 301 of a POST by a GET, whose
    // response looks like that of the call.
    redirect: isRedirect || method !== 'GET' ? 'manual' : 'follow',
  } as const;
}

/** `Headers` makes the text "undefined" of a field that is undefined. */
export function toHeaders(fields?: HeaderFields): Headers {
  const headers = new Headers(fields as ConstructorParameters<typeof Headers>[0]);
  for (const [name, value] of Object.entries(fields ?? {}))
    if (value === undefined) headers.delete(name);
  return headers;
}

/** @throws TypeError for a text that no path can carry: it means the folder itself, the one above, or nothing */
function expectPathTexts(names: readonly string[], input: Fields): void {
  for (const name of names) {
    const text = toParameterText(input[name] ?? '');
    if (/^\.{0,2}$/.test(text))
      throw new TypeError(`\`${name}\` is ${JSON.stringify(text)}, which no path can carry.`);
  }
}

/** Adds the headers of the call to those of the client, and the headers that the operation needs. */
function addHeaders(
  headers: Headers,
  { method, accept, key: takesKey }: PreparedRoute,
  call: CallOptions,
): void {
  if (call.headers !== undefined)
    toHeaders(call.headers).forEach((value, name) => headers.set(name, value));
  headers.set('accept', accept);
  // Of a page of another site, a browser asks before it sends this type: the API refuses a change without it that comes
  // with cookies.
  if (method !== 'GET') headers.set('content-type', 'application/json');
  // One key for all attempts of a call: whoever repeats it gets the first response.
  const needsKey = takesKey === true && !headers.has('idempotency-key');
  const key = call.idempotencyKey ?? (needsKey ? toRandomText() : undefined);
  if (key !== undefined) headers.set('idempotency-key', `"${key}"`);
}

/** Adds the fields of the input that travel in headers; those in cookies follow the cookies of the client. */
function addDeclaredHeaders(
  headers: Headers,
  { cookie, ...declared }: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(declared)) headers.set(name, value);
  if (cookie === undefined) return;
  const before = headers.get('cookie');
  headers.set('cookie', before === null ? cookie : `${before}; ${cookie}`);
}

/** The fields that are left for the body: JSON, or a form, for which `fetch` writes the type with its boundary. */
function toBody(
  { method, body, form }: PreparedRoute,
  { rest: fields, whole }: FilledRoute,
  headers: Headers,
): string | Blob | FormData | null {
  if (method === 'GET' || method === 'DELETE') return null;
  if (body !== undefined) return whole === undefined ? null : toWholeBody(whole, headers);
  const isForm = form ?? Object.values(fields).flat().some(isSentFile);
  if (!isForm) return toPlainJson(fields);
  headers.delete('content-type');
  return toForm(fields);
}

/** A file has a type of its own; without one it is the declared type, unless that is for many. */
function toWholeBody(whole: NonNullable<FilledRoute['whole']>, headers: Headers): string | Blob {
  const { value, type } = whole;
  const isBlob = isSentFile(value);
  const usual = type.includes('*') ? 'application/octet-stream' : type;
  headers.set('content-type', isBlob && value.type !== '' ? value.type : usual);
  return isBlob ? value : toWholeText(whole);
}

/** 32 letters and digits. Pages without TLS have no `crypto.randomUUID`. */
export function toRandomText(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((each) => each.toString(16).padStart(2, '0'))
    .join('');
}

/** @throws TypeError where a header, a cookie or a query would lose a value: they have no null and no empty list. */
function expectSendable(
  input: Fields,
  { method, sent = [], body }: Omit<CalledRoute, 'path'>,
): void {
  const isBodiless = method === 'GET' || method === 'DELETE';
  for (const [name, value] of Object.entries(input)) {
    const isQuery = isBodiless || (body !== undefined && name !== body.field);
    const place = sent.find(({ field }) => field === name)?.in ?? (isQuery ? 'query' : undefined);
    if (place !== undefined) expectCarried(name, value, place);
  }
}

function expectCarried(name: string, value: unknown, place: string): void {
  if (value !== null && !(Array.isArray(value) && value.length === 0)) return;
  throw new TypeError(`\`${name}\` is ${JSON.stringify(value)}, which no ${place} can carry.`);
}

/** A form. Files come last: a server that reads one as it arrives has to have the other fields by then. */
export function toForm(fields: Fields): FormData {
  const form = new FormData();
  const files: (readonly [string, Blob])[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) expectCarried(name, value, 'form');
    for (const each of toParts(value)) {
      if (isSentFile(each)) files.push([name, each]);
      else if (each !== undefined && each !== null) form.append(name, toPart(each));
    }
  }
  for (const [name, file] of files) form.append(name, file, (file as File).name ?? 'file');
  return form;
}

/** The items of a list of files or texts become parts of their own; any other list is one part, of JSON. */
function toParts(value: unknown): readonly unknown[] {
  const isPlain = (each: unknown): boolean => isSentFile(each) || Object(each) !== each;
  return Array.isArray(value) && value.length > 0 && value.every(isPlain) ? value : [value];
}

/** `FormData` takes texts and blobs alike, but only a blob has a type. */
function toPart(value: unknown): string {
  const isJson = Object(value) === value && !(value instanceof Date);
  if (!isJson) return toParameterText(value);
  return new Blob([toPlainJson(value as object)], { type: 'application/json' }) as never;
}

export function isSentFile(value: unknown): value is Blob {
  return value instanceof Blob;
}
