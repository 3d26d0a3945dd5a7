import type { CallOptions, ClientOptions } from './call.ts';
import { type CallResult, readResponse } from './read-response.ts';
import type { Kinds } from './revive.ts';

/** The place of an operation, and what is special about it: `['GET', '/users/{id}']`. */
export type Route = readonly [method: string, path: string, facts?: RouteFacts];

export interface RouteFacts {
  /** Fields that travel in headers, with the names that they have there. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Fields that travel in cookies. A browser sends its own, and drops these. */
  readonly cookies?: Readonly<Record<string, string>> | undefined;
  readonly form?: true | undefined;
  readonly key?: true | undefined;
  /** The content that is not data in JSON, by status. */
  readonly contents?: Readonly<Record<number, 'none' | 'text' | 'bytes' | 'stream' | 'redirect'>> | undefined;
  /** Names of errors by status, where responses do not say them. */
  readonly errors?: Readonly<Record<number, string>> | undefined;
  /** The places of dates and big integers in data and items by status, and in the meta of errors by name. */
  readonly kinds?: Readonly<Record<number | string, Kinds>> | undefined;
  /** Calls by key say by the type of each response what it is. */
  readonly isByKey?: true | undefined;
}

export interface Sending {
  readonly options: ClientOptions;
  readonly route: Route;
  /** The fields around the data of a response, the outermost first. */
  readonly dataPath: readonly string[];
  /** Makes dates and others of the JSON of data, items and meta. The place is a status, or the name of an error. */
  readonly revive: (value: unknown, place: number | string) => unknown;
}

export type AnyCall = ((input?: object, call?: CallOptions) => Promise<unknown>) & {
  readonly safe: (input?: object, call?: CallOptions) => Promise<CallResult>;
};

export const KEY: unique symbol = Symbol('capix.key') as never;

export function createCall(key: string, sending: Sending): AnyCall {
  const safe: AnyCall['safe'] = async (input, call = {}) => {
    const ask = (lastEventId?: string): Promise<Response> => send(sending, { ...input }, { ...call, lastEventId });
    return readResponse(await ask(), sending, ask);
  };
  const orThrow = async (input?: object, call?: CallOptions): Promise<unknown> => {
    const result = await safe(input, call);
    if (result.ok) return result.data;
    throw result.error;
  };
  return Object.assign(orThrow, { safe, [KEY]: key });
}

type Fields = Record<string, unknown>;

/** Takes the fields that have places of their own out of `fields`; the others are the query or the body. */
async function send(
  { options, route }: Sending,
  fields: Fields,
  { lastEventId, ...call }: CallOptions & { readonly lastEventId: string | undefined },
): Promise<Response> {
  const [method, path, facts = {}] = route;
  const take = (name: string): string | undefined => {
    const { [name]: value } = fields;
    delete fields[name];
    return value === undefined || value === null ? undefined : [value].flat().map(toText).join(', ');
  };
  const inPath = path.replace(/{(.+?)}/g, (_, name: string) => toSegment(name, take(name) ?? ''));
  const headers = new Headers(typeof options.headers === 'function' ? await options.headers() : options.headers);
  new Headers(call.headers).forEach((value, name) => headers.set(name, value));
  const put = (name: string, text: string | undefined): void => void (text !== undefined && headers.set(name, text));
  const isData = facts.contents === undefined && facts.isByKey === undefined;
  put('accept', isData ? 'application/json' : 'application/json, text/event-stream, text/uri-list, */*');
  // Of a page of another site, a browser asks before it sends this type: the API refuses a change without it that comes
  // with cookies.
  if (method !== 'GET') put('content-type', 'application/json');
  // One key for all attempts of a call: whoever repeats it gets the first response.
  const key = call.idempotencyKey ?? (facts.key && !headers.has('idempotency-key') ? toRandomText() : undefined);
  put('idempotency-key', key && `"${key}"`);
  put('last-event-id', lastEventId);
  for (const [field, name] of Object.entries(facts.headers ?? {})) put(name, take(field));
  for (const [field, name] of Object.entries(facts.cookies ?? {})) {
    const text = take(field);
    const pair = text === undefined ? [] : [`${name}=${encodeURIComponent(text)}`];
    put('cookie', [headers.get('cookie') ?? [], pair].flat().join('; ') || undefined);
  }
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const isForm = hasBody && (facts.form ?? Object.values(fields).flat().some(isFile));
  if (isForm) headers.delete('content-type');
  const request = new Request(options.baseUrl.replace(/\/+$/, '') + inPath + (hasBody ? '' : toQueryText(fields)), {
    method,
    headers,
    body: isForm ? toForm(fields) : hasBody ? toJson(fields) : null,
    signal: call.signal ?? null,
    // A redirect is its URL, and is not followed.
    redirect: facts.isByKey || Object.values(facts.contents ?? {}).includes('redirect') ? 'manual' : 'follow',
    ...(options.credentials && { credentials: options.credentials }),
  });
  const { timeoutMs = options.timeoutMs, intercept = options.intercept ?? [] } = call;
  const ask = options.fetch ?? fetch;
  return intercept.reduceRight<(request: Request) => Promise<Response>>(
    (next, each) => (given) => each(given, next),
    (given) => (timeoutMs === undefined ? ask(given) : askWithin(timeoutMs, given, ask)),
  )(request);
}

/** A URL cannot hold these as a segment: they mean the folder itself, the one above, and nothing. */
function toSegment(name: string, text: string): string {
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`\`${name}\` is ${JSON.stringify(text)}, which no path can carry.`);
  return encodeURIComponent(text);
}

/** A stream that has begun may take as long as it likes. */
async function askWithin(ms: number, request: Request, ask: typeof fetch): Promise<Response> {
  const limit = new AbortController();
  const timer = AbortSignal.timeout(ms);
  timer.onabort = () => limit.abort(timer.reason);
  // TypeScript 5.4 does not know it.
  const { any } = AbortSignal as unknown as { any(signals: readonly AbortSignal[]): AbortSignal };
  const response = await ask(request, { signal: any.call(AbortSignal, [request.signal, limit.signal]) });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) timer.onabort = null;
  return response;
}

/** 32 letters and digits. Pages without TLS have no `crypto.randomUUID`. */
function toRandomText(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, '0')).join('');
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? toJson(value) : String(value);
}

/** A bigint, which JSON has no word for, is the text of its digits. */
function toJson(value: object): string {
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

/** `?tags=a&tags=b`, `?filter[state]=open`, `?lines[0][sku]=x`; empty where there is no field. */
function toQueryText(fields: Fields): string {
  const query = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined) return;
    if (typeof value !== 'object' || value instanceof Date) return query.append(name, toText(value));
    const hasParts = !Array.isArray(value) || value.some((each) => typeof each === 'object');
    for (const [key, each] of Object.entries(value)) add(hasParts ? `${name}[${key}]` : name, each);
  };
  for (const name in fields) add(name, fields[name]);
  const text = query.toString();
  return text && `?${text}`;
}

/** A form. Files come last: a server that reads one as it arrives has to have the other fields by then. */
export function toForm(fields: Readonly<Fields>): FormData {
  const form = new FormData();
  const files: (readonly [string, Blob])[] = [];
  for (const [name, value] of Object.entries(fields)) {
    // The items of a list of files or texts are parts of their own.
    const isPlain = Array.isArray(value) && value.every((each) => isFile(each) || Object(each) !== each);
    for (const each of isPlain ? value : [value]) {
      if (isFile(each)) files.push([name, each]);
      else if (Object(each) === each && !(each instanceof Date))
        form.append(name, new Blob([toJson(each)], { type: 'application/json' }));
      else if (each !== undefined && each !== null) form.append(name, toText(each));
    }
  }
  for (const [name, file] of files) form.append(name, file, 'name' in file ? String(file.name) : 'file');
  return form;
}

function isFile(value: unknown): value is Blob {
  return value instanceof Blob;
}
