// Written by `capix client` from the capabilities of this project. Write it again when they change; do not edit it.

export interface ClientOptions {
  /** Where the API is: `https://api.example.org`, with or without a path. */
  readonly baseUrl: string;
  /** Sent with every call, for example `authorization`; asked for each time where it is a function. */
  readonly headers?: HeaderFields | (() => HeaderFields | Promise<HeaderFields>) | undefined;
  /** @default the global fetch */
  readonly fetch?: typeof fetch | undefined;
  /** Stand around every request, the first outermost: each may change it, answer itself, or look at what `next` gives. */
  readonly intercept?: readonly Interceptor[] | undefined;
  /** Whether cookies travel along: `include` sends them to another origin too. @default the runtime's */
  readonly credentials?: NonNullable<ConstructorParameters<typeof Request>[1]>['credentials'] | undefined;
  /** The time that an attempt may take, milliseconds; of a stream, until it begins. @default no limit */
  readonly timeoutMs?: number | undefined;
  /** How often a GET, PUT or DELETE is tried again that gets no answer, or 429, 502, 503 or 504. It waits as `Retry-After` says. @default 0 */
  readonly retry?: number | undefined;
}

/** Sends a request by `next`, or not. */
export type Interceptor = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>;

/** What `new Headers` takes. */
export type HeaderFields = NonNullable<ConstructorParameters<typeof Headers>[0]>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: HeaderFields | undefined;
  /** In place of the client's. */
  readonly timeoutMs?: number | undefined;
  /** In place of the client's. */
  readonly retry?: number | undefined;
}

/** What an error says besides its name, message and status; of a `BadRequest` the wrong fields. */
export type Meta = Readonly<Record<string, unknown>> | undefined;

/** An error that the API answered with. `name` says which: `Unauthorized`. */
export class ApiError<Name extends string = string, Facts = Meta> extends Error {
  declare readonly name: Name;
  readonly status: number;
  /** Facts about it, where it has any. */
  readonly meta: Facts;
  /** The headers of the answer; empty for an error in the middle of a stream. */
  readonly headers: Headers;

  constructor(name: Name, message: string, about: { readonly status: number; readonly meta: Facts; readonly headers?: Headers }) {
    super(message);
    this.name = name;
    this.status = about.status;
    this.meta = about.meta;
    this.headers = about.headers ?? new Headers();
  }
}

/** Whether a thrown value is an error that the API answered with, and of this name where one is given. */
export function isApiError<Name extends string>(value: unknown, name?: Name): value is ApiError<Name> {
  return value instanceof ApiError && (name === undefined || value.name === name);
}

/**
 * The name of an error that the operation does not declare: any text. Its type is one that no declared name fits, so that a comparison of names
 * tells the errors apart; as a `string` it can be compared with any.
 */
export type OtherError = `${string} (not declared)`;

/** The errors of these names, each with the facts that it declares, and whatever else the API answers with. */
export type ErrorOf<Name extends string, Metas> =
  | { [One in Name]: ApiError<One, One extends keyof Metas ? Metas[One] : Meta> }[Name]
  | ApiError<OtherError>;

export type Result<Output, ErrorName extends string, Metas = unknown> =
  | { readonly ok: true; readonly data: Output; readonly status: number; readonly headers: Headers }
  | { readonly ok: false; readonly error: ErrorOf<ErrorName, Metas> };

/** One operation. Throws `ApiError` where the API refuses; `.safe` gives it back instead. Both throw what fetch throws. */
export interface Call<Args extends readonly unknown[], Output, ErrorName extends string, Metas = unknown> {
  (...args: Args): Promise<Output>;
  safe(...args: Args): Promise<Result<Output, ErrorName, Metas>>;
  /** The name of the operation: `users.getUser`. */
  readonly key: string;
}

export type Client = ReturnType<typeof createClient>;

/** The API's operations under their groups, each with one flat input. */
export function createClient(options: ClientOptions) {
  const call = <Args extends readonly unknown[], Output, ErrorName extends string, Metas = unknown>(
    route: Route,
  ): Call<Args, Output, ErrorName, Metas> => {
    const safe = (...args: Args) =>
      send(options, route, { input: (args[0] ?? {}) as Input, call: (args[1] ?? {}) as CallOptions }) as Promise<
        Result<Output, ErrorName, Metas>
      >;
    const orThrow = async (...args: Args): Promise<Output> => {
      const result = await safe(...args);
      if (result.ok) return result.data;
      throw result.error;
    };
    return Object.assign(orThrow, { safe, key: route.key });
  };
  return {
{{methods}}
  };
}

{{types}}

/** The field that holds the data; null where answers are the data itself. */
const dataField: string | null = {{dataField}};

interface Route {
  readonly key: string;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly params: readonly string[];
  readonly body?: 'json' | 'form' | 'form-or-json';
  /** Fields that travel in a header or a cookie, with the name that they have there. */
  readonly sent?: readonly (readonly [field: string, place: 'header' | 'cookie', name: string])[];
  /** Names of errors by status, where the answers do not say them. */
  readonly errors?: Readonly<Record<number, string>>;
  /** What is not data in JSON, by status. */
  readonly answers?: Readonly<Record<number, 'none' | 'text' | 'bytes' | 'stream' | 'redirect'>>;
}

type Input = Readonly<Record<string, unknown>>;

type Answer =
  | { readonly ok: true; readonly data: unknown; readonly status: number; readonly headers: Headers }
  | { readonly ok: false; readonly error: ApiError };

interface Sending {
  readonly input: Input;
  readonly call: CallOptions;
}

/** A request that is under way. `settle` ends its time limit. */
interface Sent {
  readonly response: Response;
  readonly settle: () => void;
}

async function send(options: ClientOptions, route: Route, { input, call }: Sending): Promise<Answer> {
  const { signal, retry = options.retry ?? 0 } = call;
  const times = /GET|PUT|DELETE/.test(route.method) ? retry : 0;
  const resume: Resume = async (lastEventId) => {
    const { response, settle } = await sendOnce(options, route, { input, call: { ...call, headers: withHeader(call.headers, 'last-event-id', lastEventId) } });
    settle();
    const answer = response.ok ? undefined : await readResult(response, route, resume);
    if (answer?.ok === false) throw answer.error;
    return response;
  };
  for (let tried = 0; ; tried++) {
    const answer = await sendOnce(options, route, { input, call })
      .then(({ response, settle }) => {
        if (route.answers?.[response.status] === 'stream') settle();
        return readResult(response, route, resume).finally(settle);
      })
      .catch((error: unknown) => {
        // Whoever ends a call does not want it again, and an input that cannot be sent stays one.
        if (tried >= times || signal?.aborted === true || error instanceof InputError) throw error;
      });
    if (answer !== undefined && (answer.ok || tried >= times || ![429, 502, 503, 504].includes(answer.error.status))) return answer;
    await wait((answer?.ok === false ? readWait(answer.error.headers) : undefined) ?? Math.random() * 200 * 2 ** tried, signal);
  }
}

async function sendOnce(options: ClientOptions, route: Route, { input, call }: Sending): Promise<Sent> {
  const elsewhere = [...route.params, ...(route.sent ?? []).map(([field]) => field)];
  const rest = Object.entries(input).filter(([name, value]) => value !== undefined && !elsewhere.includes(name));
  const url = options.baseUrl.replace(/\/+$/, '') + toPath(route, input) + (route.body === undefined ? toQuery(rest) : '');
  const headers = new Headers(typeof options.headers === 'function' ? await options.headers() : options.headers);
  new Headers(call.headers).forEach((value, name) => headers.set(name, value));
  addSent(headers, route, input);
  const kinds = Object.values(route.answers ?? {});
  headers.set('accept', kinds.includes('stream') ? 'text/event-stream' : kinds.length > 0 ? '*/*' : 'application/json');
  const body = toBody(route, rest);
  if (typeof body === 'string') headers.set('content-type', 'application/json');
  const { timeoutMs = options.timeoutMs } = call;
  const limit = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => limit.abort(new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError')), timeoutMs);
  const signals = [...(call.signal === undefined ? [] : [call.signal]), ...(timer === undefined ? [] : [limit.signal])];
  const settle = () => clearTimeout(timer);
  const response = fetchThrough(options, url, {
    method: route.method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
    ...(kinds.includes('redirect') ? { redirect: 'manual' } : {}),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
  });
  response.catch(settle);
  return { response: await response, settle };
}

function withHeader(given: HeaderFields | undefined, name: string, value: string): Headers {
  const headers = new Headers(given);
  headers.set(name, value);
  return headers;
}

function fetchThrough({ intercept = [], fetch: ask = fetch }: ClientOptions, url: string, init: NonNullable<Parameters<typeof fetch>[1]>): Promise<Response> {
  if (intercept.length === 0) return ask(url, init);
  const through = intercept.reduceRight<(request: Request) => Promise<Response>>((next, each) => (request) => each(request, next), (request) => ask(request));
  return through(new Request(url, init));
}

/** Milliseconds that `Retry-After` asks for, in seconds or until a date. */
function readWait(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

async function wait(forMs: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const leave = () => reject(signal?.reason);
    setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, forMs);
    signal?.addEventListener('abort', leave);
  });
}

/** An input that cannot be sent. */
class InputError extends TypeError {}

/** Headers and cookies. A browser sends its own cookies, and drops these. */
function addSent(headers: Headers, { sent = [] }: Route, input: Input): void {
  for (const [field, place, name] of sent) {
    const value = input[field];
    if (value === undefined || value === null) continue;
    const text = (Array.isArray(value) ? value : [value]).map(toText).join(', ');
    if (place === 'header') headers.set(name, text);
    else headers.set('cookie', [headers.get('cookie'), `${name}=${encodeURIComponent(text)}`].filter(Boolean).join('; '));
  }
}

function toPath({ path, params }: Route, input: Input): string {
  return params.reduce((text, name) => {
    const value = toText(input[name]);
    // A URL cannot hold these as a segment: they mean the folder itself, the one above, and nothing.
    if (value === '' || value === '.' || value === '..') {
      throw new InputError(`\`${name}\` is ${JSON.stringify(value)}, which no path can carry.`);
    }
    return text.replace(`{${name}}`, () => encodeURIComponent(value));
  }, path);
}

function toQuery(fields: readonly (readonly [string, unknown])[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of fields) addToQuery(query, name, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** `tags=a&tags=b`, `filter[state]=open`, `lines[0][sku]=x`. */
function addToQuery(query: URLSearchParams, name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object' || value instanceof Date) return query.append(name, toText(value));
  const hasParts = !Array.isArray(value) || value.some((each) => typeof each === 'object');
  for (const [key, each] of Object.entries(value)) addToQuery(query, hasParts ? `${name}[${key}]` : name, each);
}

function toBody({ body }: Route, fields: readonly (readonly [string, unknown])[]): string | FormData | undefined {
  if (body === undefined) return undefined;
  const hasFile = fields.some(([, value]) => value instanceof Blob || (Array.isArray(value) && value.some((each) => each instanceof Blob)));
  if (body === 'json' || (body === 'form-or-json' && !hasFile)) return JSON.stringify(Object.fromEntries(fields));
  const form = new FormData();
  const parts = fields.flatMap(([name, value]) => (isList(value) ? value : [value]).map((each) => [name, each] as const));
  // Files come last: a server that reads one as it arrives has to have the other fields by then.
  for (const [name, value] of parts) if (value !== null && !(value instanceof Blob)) form.append(name, toPart(value));
  for (const [name, value] of parts) if (value instanceof Blob) form.append(name, value, 'name' in value ? String(value.name) : 'file');
  return form;
}

/** A list of files or texts, whose items are parts of their own. */
function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((each) => each instanceof Blob || each === null || typeof each !== 'object');
}

function toPart(value: unknown): string | Blob {
  const isText = typeof value !== 'object' || value === null || value instanceof Date;
  return isText ? toText(value) : new Blob([JSON.stringify(value)], { type: 'application/json' });
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

/** Asks for a stream from behind an event. */
type Resume = (lastEventId: string) => Promise<Response>;

async function readResult(response: Response, { answers = {}, errors = {} }: Route, resume: Resume): Promise<Answer> {
  const { status, headers } = response;
  const kind = answers[status];
  const refuse = (name: string, message: string, meta?: Meta): Answer => ({ ok: false, error: new ApiError(name, message, { status, meta, headers }) });
  const give = (data: unknown): Answer => ({ ok: true, data, status, headers });
  if (kind === 'none') return give(null);
  if (kind === 'text') return give(await response.text());
  if (kind === 'bytes') return give(await response.blob());
  if (kind === 'stream') return give(readEvents(response, resume));
  if (kind === 'redirect') return give(headers.get('location') ?? response.url);
  if (status === 204) return give(null);
  const type = headers.get('content-type') ?? '';
  const answer: unknown = /[/+]json\b/.test(type) ? await response.json().catch(() => undefined) : undefined;
  if (response.ok && dataField === null && answer !== undefined) return give(answer);
  if (typeof answer !== 'object' || answer === null)
    return refuse('Unknown', `The answer is ${status} ${type === '' ? 'without a type' : `of the type ${type}`}, which is not one of the API.`);
  const body = answer as Readonly<Record<string, unknown>>;
  if (response.ok && dataField !== null && dataField in body) return give(body[dataField] ?? null);
  const { name, message, meta } = readError(body, errors[status]);
  return refuse(name, message ?? `The answer is ${status}.`, meta);
}

/** Of an envelope that does not name the error its status does, and the whole body is its meta. */
function readError(body: Readonly<Record<string, unknown>>, name: string | undefined): { name: string; message: string | undefined; meta: Meta } {
  const [text] = [body['message'], body['detail']].filter((value) => typeof value === 'string');
  if (typeof body['error'] === 'string') return { name: body['error'], message: text, meta: body['meta'] as Meta };
  return { name: name ?? (typeof body['title'] === 'string' ? body['title'] : 'Unknown'), message: text, meta: body };
}

/** The place in a stream: the id of the last event, and how long to wait before asking for the rest. */
interface StreamPlace {
  id?: string;
  waitMs: number;
}

/**
 * The data of each event, until the stream ends. An error on the way is thrown; who stops reading ends the request. Where the connection is lost
 * behind an event with an id, the rest is asked for by `Last-Event-ID`, up to five times in a row.
 */
async function* readEvents(first: Response, resume: Resume): AsyncGenerator<unknown> {
  const place: StreamPlace = { waitMs: 1000 };
  let lost = 0;
  for (;;) {
    try {
      for await (const item of readItems(lost === 0 || place.id === undefined ? first : await resume(place.id), place)) {
        lost = 0;
        yield item;
      }
      return;
    } catch (error) {
      if (place.id === undefined || error instanceof ApiError || (error as Error).name === 'AbortError' || ++lost > 5) throw error;
      await wait(place.waitMs);
    }
  }
}

async function* readItems({ body, status }: Response, place: StreamPlace): AsyncGenerator<unknown> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value = '' } = await reader.read();
      text += value;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const fieldOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1];
        const [id, waitMs, data] = [fieldOf('id'), fieldOf('retry'), fieldOf('data')];
        if (id !== undefined) place.id = id;
        if (waitMs !== undefined) place.waitMs = Number(waitMs);
        if (data === undefined) continue;
        const item: unknown = JSON.parse(data);
        if (fieldOf('event') !== 'error') yield item;
        else {
          const { name, message, meta } = readError(item as Readonly<Record<string, unknown>>, undefined);
          throw new ApiError(name, message ?? 'The stream failed.', { status, meta });
        }
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
