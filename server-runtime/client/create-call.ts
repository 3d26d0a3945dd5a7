import type { CallOptions, ClientOptions } from './call.ts';
import { type CallResult, readResponse } from './read-response.ts';
import type { Kinds } from './revive.ts';

/** The place of an operation, and what is special about it: `['GET', '/users/{id}']`. */
export type Route = readonly [method: string, path: string, facts?: RouteFacts];

/** The settings of an operation that is not plain JSON. */
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

/** An operation as it is called, and how its responses are read. */
export interface Sending {
  readonly options: ClientOptions;
  readonly route: Route;
  /** The fields around the data of a response, the outermost first. */
  readonly dataPath: readonly string[];
  /** Makes dates and others of the JSON of data, items and meta. The place is a status, or the name of an error. */
  readonly revive: (value: unknown, place: number | string) => unknown;
}

export interface SentCall extends Sending {
  readonly input: object | undefined;
  readonly call: CallOptions;
}

export type AnyCall = ((input?: object, call?: CallOptions) => Promise<unknown>) & {
  readonly safe: (input?: object, call?: CallOptions) => Promise<CallResult>;
};

export function createCall(key: string, sending: Sending): AnyCall {
  const safe: AnyCall['safe'] = async (input, call = {}) => {
    const sent = { ...sending, input, call };
    return readResponse(await send(sent), sent, async (lastEventId) => {
      const headers = new Headers(call.headers);
      headers.set('last-event-id', lastEventId);
      return send({ ...sent, call: { ...call, headers } });
    });
  };
  const orThrow = async (input?: object, call?: CallOptions): Promise<unknown> => {
    const result = await safe(input, call);
    if (result.ok) return result.data;
    throw result.error;
  };
  return Object.assign(orThrow, { safe, [KEY]: key });
}

export const KEY: unique symbol = Symbol('capix.key') as never;

async function send(sent: SentCall): Promise<Response> {
  const { options, route, input, call } = sent;
  const [method, path, facts = {}] = route;
  const { credentials } = options;
  const { signal, timeoutMs = options.timeoutMs, intercept = options.intercept ?? [] } = call;
  const fields: Record<string, unknown> = { ...input };
  const take = (name: string): unknown => {
    const { [name]: value } = fields;
    delete fields[name];
    return value;
  };
  const inPath = path.replace(/{(.+?)}/g, (_, name: string) => toSegment(name, take(name)));
  const headers = await toHeaders(sent);
  putFields(headers, facts, take);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const body = hasBody ? toBody(fields, facts, headers) : undefined;
  const url = options.baseUrl.replace(/\/+$/, '') + inPath + (hasBody ? '' : toQueryText(fields));
  const init = {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(credentials && { credentials }),
    ...(signal && { signal }),
    ...(mayRedirect(facts) ? { redirect: 'manual' as const } : {}),
  };
  const ask = options.fetch ?? fetch;
  const timed = (target: string | Request, about: { readonly signal?: AbortSignal }): Promise<Response> =>
    timeoutMs === undefined
      ? ask(target, about)
      : within(timeoutMs, about.signal, (limit) => ask(target, { ...about, signal: limit }));
  if (intercept.length === 0) return timed(url, init);
  const through = intercept.reduceRight<(request: Request) => Promise<Response>>(
    (next, each) => (request) => each(request, next),
    (request) => timed(request, { signal: request.signal }),
  );
  return through(new Request(url, init));
}

/** A URL cannot hold these as a segment: they mean the folder itself, the one above, and nothing. */
function toSegment(name: string, value: unknown): string {
  const text = toParameterText(value);
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`\`${name}\` is ${JSON.stringify(text)}, which no path can carry.`);
  return encodeURIComponent(text);
}

async function toHeaders({ options, route, call }: SentCall): Promise<Headers> {
  const [method, , facts = {}] = route;
  const { headers: given } = options;
  const { headers: own, idempotencyKey } = call;
  const headers = new Headers(typeof given === 'function' ? await given() : given);
  new Headers(own).forEach((value, name) => headers.set(name, value));
  const isData = facts.contents === undefined && facts.isByKey === undefined;
  headers.set('accept', isData ? 'application/json' : 'application/json, text/event-stream, text/uri-list, */*');
  // Of a page of another site, a browser asks before it sends this type: the API refuses a change without it that comes
  // with cookies.
  if (method !== 'GET') headers.set('content-type', 'application/json');
  // One key for all attempts of a call: whoever repeats it gets the first response.
  if (idempotencyKey !== undefined) headers.set('idempotency-key', `"${idempotencyKey}"`);
  else if (facts.key && !headers.has('idempotency-key')) headers.set('idempotency-key', `"${toRandomText()}"`);
  return headers;
}

function putFields(headers: Headers, { headers: inHead = {}, cookies = {} }: RouteFacts, take: Take): void {
  for (const [field, name] of Object.entries(inHead)) {
    const value = take(field);
    if (value !== undefined && value !== null)
      headers.set(name, (Array.isArray(value) ? value : [value]).map(toParameterText).join(', '));
  }
  for (const [field, name] of Object.entries(cookies)) {
    const value = take(field);
    if (value === undefined || value === null) continue;
    const pair = `${name}=${encodeURIComponent(toParameterText(value))}`;
    headers.set('cookie', [headers.get('cookie'), pair].filter(Boolean).join('; '));
  }
}

type Take = (name: string) => unknown;

/** A form where there are files, else JSON. */
function toBody(fields: Record<string, unknown>, { form }: RouteFacts, headers: Headers): string | FormData {
  const hasFile = Object.values(fields)
    .flat()
    .some((value) => value instanceof Blob);
  if (form === undefined && !hasFile) return toBodyText(fields);
  headers.delete('content-type');
  return toForm(fields);
}

/** A redirect is its URL, and is not followed. */
function mayRedirect({ contents = {}, isByKey }: RouteFacts): boolean {
  return isByKey === true || Object.values(contents).includes('redirect');
}

/** A stream that has begun may take as long as it likes. */
async function within(
  ms: number,
  signal: AbortSignal | undefined,
  reach: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const limit = new AbortController();
  const timer = AbortSignal.timeout(ms);
  timer.onabort = () => limit.abort(timer.reason);
  // TypeScript 5.4 does not know it.
  const { any } = AbortSignal as unknown as { any(signals: readonly AbortSignal[]): AbortSignal };
  const response = await reach(signal ? any.call(AbortSignal, [signal, limit.signal]) : limit.signal);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) timer.onabort = null;
  return response;
}

/** 32 letters and digits. Pages without TLS have no `crypto.randomUUID`. */
export function toRandomText(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, '0')).join('');
}

/** A value as a text in a path, a header or a form. */
export function toParameterText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? toBodyText(value) : String(value as string | number | bigint | boolean);
}

/** A bigint, which JSON has no word for, is the text of its digits. */
export function toBodyText(value: object): string {
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

/** `?tags=a&tags=b`, `?filter[state]=open`, `?lines[0][sku]=x`; empty where there is no field. */
export function toQueryText(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined) return;
    if (typeof value !== 'object' || value instanceof Date) return query.append(name, toParameterText(value));
    const hasParts = !Array.isArray(value) || value.some((each) => typeof each === 'object');
    for (const [key, each] of Object.entries(value)) add(hasParts ? `${name}[${key}]` : name, each);
  };
  for (const name in fields) add(name, fields[name]);
  const text = query.toString();
  return text && `?${text}`;
}

/** A form. Files come last: a server that reads one as it arrives has to have the other fields by then. */
export function toForm(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  // The items of a list of files or texts are parts of their own.
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    (isPlainList(value) ? value : [value]).map((each) => [name, each] as const),
  );
  for (const [name, value] of parts) {
    if (value === null || value === undefined || value instanceof Blob) continue;
    const isText = typeof value !== 'object' || value instanceof Date;
    form.append(name, isText ? toParameterText(value) : new Blob([toBodyText(value)], { type: 'application/json' }));
  }
  for (const [name, value] of parts)
    if (value instanceof Blob) form.append(name, value, 'name' in value ? String(value.name) : 'file');
  return form;
}

function isPlainList(value: unknown): value is unknown[] {
  const isPart = (each: unknown): boolean => each instanceof Blob || each === null || typeof each !== 'object';
  return Array.isArray(value) && value.every(isPart);
}
