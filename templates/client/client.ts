// Written by `capix client` from the capabilities of this project. Write it again when they change; do not edit it.
{{imports}}
export interface ClientOptions {
  /** Where the API is: `https://api.example.org`, with or without a path. */
  readonly baseUrl: string;
  /** Sent with every call, for example `authorization`; asked for each time where it is a function. */
  readonly headers?: HeaderFields | (() => HeaderFields | Promise<HeaderFields>) | undefined;
  /** @default the global fetch */
  readonly fetch?: typeof fetch | undefined;
  /** Stand around every request, the first outermost: each may change it, answer itself, or look at what `next` gives. {@link retry} is one. */
  readonly intercept?: readonly Interceptor[] | undefined;
  /** Whether cookies travel along: `include` sends them to another origin too. @default the runtime's */
  readonly credentials?: NonNullable<ConstructorParameters<typeof Request>[1]>['credentials'] | undefined;
  /** The time that an attempt may take, milliseconds; of a stream, until it begins. @default no limit */
  readonly timeoutMs?: number | undefined;
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
  readonly intercept?: readonly Interceptor[] | undefined;
}

/** What an error says besides its name, message and status; of a `BadRequest` the wrong fields. */
export type Meta = Readonly<Record<string, unknown>> | undefined;

/** An error that the API answered with. `name` says which: `Unauthorized`. */
export class ApiError<Name extends string = string, Facts = Meta> extends Error {
  declare readonly name: Name;
  declare readonly status: number;
  /** Facts about it, where it has any. */
  declare readonly meta: Facts;
  /** The headers of the answer; empty for an error in the middle of a stream. */
  declare readonly headers: Headers;

  constructor(name: Name, message: string, about: { readonly status: number; readonly meta: Facts; readonly headers?: Headers }) {
    super(message);
    Object.assign(this, { headers: new Headers(), ...about, name });
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

/** One operation as data, for {@link toCall}. */
export interface Operation<Args extends readonly unknown[], Output, ErrorName extends string, Metas = unknown> {
  /** Its name: `users.getUser`. */
  readonly key: string;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly route?: () => Route;
  /** Of the types alone. */
  readonly call?: Call<Args, Output, ErrorName, Metas>;
}

/** The API's operations under their groups, each with one flat input. */
export function createClient(options: ClientOptions) {
  const call = <Args extends readonly unknown[], Output, ErrorName extends string, Metas>(operation: Operation<Args, Output, ErrorName, Metas>) =>
    toCall(operation, options);
  return {
{{methods}}
  };
}

/**
 * One operation alone: `const getUser = toCall(usersGetUser, options)`. Where a program imports operations and not `createClient`, a bundler leaves the
 * others out, and what only they need.
 */
export function toCall<Args extends readonly unknown[], Output, ErrorName extends string, Metas>(
  { key, method, path, route = () => ({}) }: Operation<Args, Output, ErrorName, Metas>,
  options: ClientOptions,
): Call<Args, Output, ErrorName, Metas> {
  const safe = async (...[input, call]: Args) => {
    const sending = { options, method, path, route: route(), input: input as Input, call: { ...(call as CallOptions) } };
    return (await readAnswer(await ask(sending), sending)) as Result<Output, ErrorName, Metas>;
  };
  const orThrow = async (...args: Args): Promise<Output> => {
    const result = await safe(...args);
    if (result.ok) return result.data;
    throw result.error;
  };
  return Object.assign(orThrow, { safe, key });
}

{{operations}}

{{types}}

/** How an operation is asked, where it is more than its path. */
interface Route {
  /** Put the fields that are not in the path where they travel, and say what is asked for. */
  readonly put?: readonly ((fields: Fields, to: Outgoing) => void)[];
  /** What is not data in JSON, by status. */
  readonly answers?: Readonly<Record<number, Reader>>;
  /** Make values of the texts that stand for them in the data of an answer, by status. */
  readonly revive?: Readonly<Record<number, (value: unknown) => unknown>>;
  /** Make them in the meta of an error, by name. */
  readonly reviveMeta?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Names of errors by status, where the answers do not say them. */
  readonly errors?: Readonly<Record<number, string>>;
}

type Input = Readonly<Record<string, unknown>> | undefined;
/** The fields of an input that are still to be sent. */
type Fields = Record<string, unknown>;

/** A request as it is put together. */
interface Outgoing {
  url: string;
  readonly method: string;
  readonly headers: Headers;
  body?: string | FormData;
  redirect?: 'manual';
  credentials?: NonNullable<ClientOptions['credentials']>;
  signal?: AbortSignal;
}

type Reader = (response: Response, sending: Sending) => unknown;

type Answer =
  | { readonly ok: true; readonly data: unknown; readonly status: number; readonly headers: Headers }
  | { readonly ok: false; readonly error: ApiError };

interface Sending {
  readonly options: ClientOptions;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly route: Route;
  readonly input: Input;
  readonly call: CallOptions;
}

async function ask({ options, method, path, route, input, call }: Sending): Promise<Response> {
  const { baseUrl, headers: given, fetch: reach = fetch, credentials } = options;
  const { signal, timeoutMs = options.timeoutMs, intercept = options.intercept ?? [] } = call;
  const fields = { ...input };
  const inPath = path.replace(/{(.+?)}/g, (_, name: string) => {
    const value = toText(fields[name]);
    delete fields[name];
    // A URL cannot hold these as a segment: they mean the folder itself, the one above, and nothing.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`\`${name}\` is ${JSON.stringify(value)}, which no path can carry.`);
    return encodeURIComponent(value);
  });
  const headers = new Headers(typeof given === 'function' ? await given() : given);
  new Headers(call.headers).forEach((value, name) => headers.set(name, value));
  headers.set('accept', 'application/json');
  // Of a page of another site, a browser asks before it sends this type: the API refuses a change without it that comes with cookies.
  if (method !== 'GET') headers.set('content-type', 'application/json');
  const to: Outgoing = { url: baseUrl.replace(/\/+$/, '') + inPath, method, headers, ...(credentials && { credentials }), ...(signal && { signal }) };
  for (const put of route.put ?? []) put(fields, to);
  const { url, ...init } = to;
  const timed = (target: string | Request, about: { readonly signal?: AbortSignal }): Promise<Response> =>
    timeoutMs === undefined ? reach(target, about) : within(timeoutMs, about.signal, (signal) => reach(target, { ...about, signal }));
  if (intercept.length === 0) return timed(url, init);
  const through = intercept.reduceRight<(request: Request) => Promise<Response>>((next, each) => (request) => each(request, next), (request) => timed(request, { signal: request.signal }));
  return through(new Request(url, init));
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? toJsonText(value) : String(value ?? '');
}

function toJsonText(value: object): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

async function readAnswer(response: Response, sending: Sending): Promise<Answer> {
  const { status, headers } = response;
  const { answers, errors } = sending.route;
  const give = (data: unknown): Answer => ({ ok: true, data, status, headers });
  const read = answers?.[status];
  if (read) return give(await read(response, sending));
  if (status === 204) return give(null);
  const type = headers.get('content-type');
  const body: unknown = /[/+]json\b/.test(type ?? '') ? await response.json().catch(() => undefined) : undefined;
  if (response.ok && {{isData}}) return give({{data}});
  const about =
    body === Object(body)
      ? readError(body as Fields, errors?.[status])
      : { name: 'Unknown', message: `The answer is ${status} ${type ? `of the type ${type}` : 'without a type'}, which is not one of the API.`, meta: undefined };
  return { ok: false, error: new ApiError(about.name, about.message ?? `The answer is ${status}.`, { status, meta: {{meta}}, headers }) };
}

interface Refusal {
  readonly name: string;
  readonly message: string | undefined;
  readonly meta: Meta;
}

{{parts}}
