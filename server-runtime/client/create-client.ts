import { ApiError } from './api-error.ts';
import type { CallOptions, ClientOf, TreeOf } from './client-of.ts';
import { readItems, revive, type Told, toApiError } from './read-items.ts';

/** The values that `new Headers` takes. */
export type HeaderFields = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** The options of a client. */
export interface ClientOptions {
  /** The address of the API: `https://api.example.org`, with or without a path. */
  readonly baseUrl: string;
  /** Sent with every call, for example `authorization`; asked for each time where it is a function. */
  readonly headers?: HeaderFields | (() => HeaderFields | Promise<HeaderFields>) | undefined;
  /** The function that sends a request; `retry(3)` tries again. @default the global fetch */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Makes a client whose types are those of the capabilities, without generating anything: `Api` is the type of a server, or of groups of
 * capabilities, in the same repository. The server must take calls by their keys: `restTransport({calls: true})`.
 *
 * @example
 * ```ts
 * import { createClient } from 'capix/client';
 *
 * const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Ada' }));
 * const server = createServer({ capabilities: { users: { getUser } }, transports: [restTransport({ calls: true })] });
 *
 * // In the browser, of the server only its type: import type { server } from '../server/src/server.js';
 * const api = createClient<typeof server>({ baseUrl: 'http://localhost:3000' });
 * const { name } = await api.users.getUser({ id: '7' });
 * const result = await api.users.getUser.safe({ id: '8' });
 * if (!result.ok) console.log(result.error.name, result.error.status);
 * ```
 */
export function createClient<Api extends object>(options: ClientOptions): ClientOf<TreeOf<Api>> {
  return toNode(options, '') as never;
}

/** The names that JavaScript itself looks for: in what is awaited, printed and sent as JSON. The types refuse capabilities of these names. */
const notKeys: ReadonlySet<string> = new Set(['then', 'toJSON', 'toString', 'valueOf', 'constructor']);

/** The value at a key: a group and a call in one, since only the types know which it is. */
function toNode(options: ClientOptions, key: string): object {
  const safe = (input?: Input, call?: CallOptions): Promise<Answer> => send(options, key, { input, call });
  const orThrow = async (input?: Input, call?: CallOptions): Promise<unknown> => {
    const answer = await safe(input, call);
    if (answer.ok) return answer.data;
    throw answer.error;
  };
  const get = (target: object, name: string | symbol): unknown => {
    if (name === 'safe') return safe;
    if (typeof name === 'symbol' || notKeys.has(name)) return Reflect.get(target, name);
    return toNode(options, key === '' ? name : `${key}.${name}`);
  };
  return new Proxy(orThrow, { get });
}

type Input = Readonly<Record<string, unknown>>;
type Answer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: ApiError };

async function send(
  { baseUrl, headers: given, fetch: ask = fetch }: ClientOptions,
  key: string,
  { input = {}, call = {} }: { readonly input?: Input | undefined; readonly call?: CallOptions | undefined },
): Promise<Answer> {
  const headers = new Headers(typeof given === 'function' ? await given() : given);
  new Headers(call.headers).forEach((value, name) => headers.set(name, value));
  headers.set('accept', 'application/json, text/event-stream');
  const body = toBody(input);
  if (typeof body === 'string') headers.set('content-type', 'application/json');
  if (call.idempotencyKey !== undefined) headers.set('idempotency-key', `"${call.idempotencyKey}"`);
  const signal = call.signal ?? null;
  return readAnswer(
    await ask(`${baseUrl.replace(/\/+$/, '')}/_call/${key}`, { method: 'POST', headers, body, signal }),
  );
}

/** A form where there are files, else JSON. */
function toBody(input: Input): string | FormData {
  const fields = Object.entries(input).map(([name, value]) => [name, Array.isArray(value) ? value : [value]] as const);
  if (!fields.some(([, values]) => values.some((value) => value instanceof Blob))) return toJsonText(input);
  const form = new FormData();
  // Files come last: a server that reads one as it arrives has to have the other fields by then.
  for (const [name, value] of Object.entries(input)) if (!isFiles(value)) addParts(form, name, value);
  for (const [name, values] of fields)
    for (const value of values)
      if (value instanceof Blob) form.append(name, value, 'name' in value ? String(value.name) : 'file');
  return form;
}

function isFiles(value: unknown): boolean {
  return value instanceof Blob || (Array.isArray(value) && value.some((each) => each instanceof Blob));
}

/** Texts as they are, and objects as parts of JSON. */
function addParts(form: FormData, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  const isList = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  if (isList) for (const each of value) form.append(name, toText(each));
  else if (typeof value !== 'object' || value instanceof Date) form.append(name, toText(value));
  else form.append(name, new Blob([toJsonText(value)], { type: 'application/json' }));
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : toJsonText(value);
}

/** A bigint, which JSON has no word for, is the text of its digits. */
function toJsonText(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

/** The body of an answer. */
interface Envelope extends Told {
  readonly data?: unknown;
}

async function readAnswer(response: Response): Promise<Answer> {
  const { ok, status } = response;
  const type = response.headers.get('content-type') ?? '';
  if (ok && type.startsWith('text/event-stream')) return { ok, data: readItems(response) };
  if (!/[/+]json\b/.test(type)) {
    if (ok) return { ok, data: status === 204 ? null : await response.text() };
    return { ok, error: new ApiError('Unknown', `The answer is ${status} and no JSON.`, { status, meta: undefined }) };
  }
  const body = (await response.json()) as Envelope;
  return ok ? { ok, data: revive(body.data) ?? null } : { ok, error: toApiError(body, status) };
}
