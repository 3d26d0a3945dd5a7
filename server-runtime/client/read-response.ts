import { ApiError, type ErrorFacts, type Result } from './call.ts';
import type { Route, Sending } from './create-client-of.ts';

export type CallResult = Result<{ readonly [status: number]: unknown }, ApiError>;

/** Sends a call again, for the rest of a stream behind this event, or for all of it. */
type AskAgain = (lastEventId: string | undefined) => Promise<Response>;

/** Reads a response as a result: by the content that the route declares, else by the media type. */
export async function readResponse(
  response: Response,
  sending: Sending,
  askAgain: AskAgain,
): Promise<CallResult> {
  const { ok, status, headers } = response;
  const give = (data: unknown, as = status): CallResult => ({
    ok: true,
    data,
    status: as,
    headers,
  });
  const type = toMediaType(headers);
  // A browser shows nothing of a redirect that it does not follow, so that the API gives its status and its URL as a
  // text.
  if (ok && type.startsWith('text/uri-list')) {
    const [line = '', url] = (await response.text()).split('\r\n');
    return give(url, Number(line.slice(1)));
  }
  switch (findContent(response, sending.route, type)) {
    case 'redirect':
      return give(headers.get('location'));
    case 'none':
      return give(null);
    case 'stream':
      return give(readStream(response, sending, askAgain));
    case 'text':
      return give(await response.text());
    case 'bytes':
      return give(await response.blob());
    case 'json':
      return toResult(await readBody(response, type), response, sending);
  }
}

type Content = 'redirect' | 'none' | 'stream' | 'text' | 'bytes' | 'json';

/** How a response is read: as its route declares for the status, or by the type of its content. */
function findContent(response: Response, route: Route, type: string): Content {
  const { isByKey, contents = {} } = route[2] ?? {};
  const { ok, status, headers } = response;
  const declared = isByKey ? findKeyContent(response, route[1], type) : contents[status];
  if (declared === 'redirect' && headers.has('location')) return 'redirect';
  if (status === 204 || declared === 'none') return 'none';
  // A refusal is described in JSON.
  if (!ok) return 'json';
  if (type.startsWith('text/event-stream')) return 'stream';
  return declared === 'text' || declared === 'bytes' ? declared : 'json';
}

/** Calls by key declare nothing. A redirect to the call itself, at another address, is of a proxy. */
function findKeyContent({ status, headers }: Response, path: string, type: string): Content {
  if (headers.get('location')?.includes(path)) return 'json';
  if (status >= 300 && status < 400) return 'redirect';
  return isJson(type) ? 'json' : 'bytes';
}

function isJson(type: string): boolean {
  return /[/+]json\b/.test(type);
}

/** A media type is the same in any case (RFC 9110, 8.3.1). */
function toMediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').toLowerCase();
}

/** The data of a success, or the error of a refusal, and of a success without data, which this API does not give. */
function toResult(body: unknown, response: Response, sending: Sending): CallResult {
  const { ok, status, headers } = response;
  const data: unknown = sending.dataField === false ? body : Object(body)[sending.dataField];
  if (ok && data !== undefined)
    return { ok: true, data: sending.revive(data, status), status, headers };
  return { ok: false, status, error: toApiError(body, response, sending) };
}

/** The JSON of a body of this media type; undefined for a body that is not JSON, or was cut off. */
async function readBody(response: Response, type: string): Promise<unknown> {
  if (!isJson(type)) return undefined;
  try {
    return JSON.parse(await response.text()) as unknown;
  } catch {
    return undefined;
  }
}

/** An envelope that does not name its errors has them by their status, and the whole body is the meta. */
function toApiError(
  body: unknown,
  { status, headers }: Response,
  { route, revive }: Sending,
): ApiError {
  if (typeof body !== 'object' || body === null) {
    const place = headers.get('location');
    const type = headers.get('content-type') ?? 'unknown';
    const kind = place === null ? `of the type ${type}` : `to ${place} (see baseUrl)`;
    const message = `The response is ${status} ${kind}, which is not one of the API.`;
    return new ApiError('Unknown', message, { status, meta: undefined, headers });
  }
  const { error, title, message, detail, meta } = body as Readonly<Record<string, unknown>>;
  const name = findText(error, route[2]?.errors?.[status], title) ?? 'Unknown';
  const facts = revive(typeof error === 'string' ? meta : body, name) as ErrorFacts;
  const text = findText(message, detail) ?? `The response is ${status}.`;
  return new ApiError(name, text, { status, meta: facts, headers });
}

function findText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string');
}

/**
 * The data of each event, until the stream ends. Where the connection is lost before the end of the stream, the client
 * requests the rest by `Last-Event-ID`, or all of it where it has no item yet.
 */
async function* readStream(
  first: Response,
  sending: Sending,
  askAgain: AskAgain,
): AsyncGenerator<unknown> {
  const { reconnects = 10 } = sending.options;
  const isRepeatable = sending.route[0] === 'GET';
  const stream: Place = { place: undefined, waitMs: 1000, lost: 0, isRepeatable };
  let response: Response | undefined = first;
  for (;;) {
    try {
      response ??= await askAgain(stream.place);
      yield* readItems(response, sending, stream);
      return;
    } catch (error) {
      const canGoOn = stream.place !== undefined || stream.isRepeatable;
      if (!canGoOn || ++stream.lost > reconnects || isFinal(error)) throw error;
      response = undefined;
      await new Promise((resolve) => setTimeout(resolve, toWaitMs(stream)));
    }
  }
}

/** Where the reading of a stream is: behind this event, and how often in a row the connection was lost. */
interface Place {
  place: string | undefined;
  waitMs: number;
  lost: number;
  /** Whether all of it may be requested again: no item is here yet, and the call changes nothing. */
  isRepeatable: boolean;
}

/** Longer each time, and never the same for two clients that a server has left at once. */
function toWaitMs({ waitMs, lost }: Place): number {
  const longest = Math.max(waitMs, 30_000);
  return Math.min(waitMs * 2 ** (lost - 1), longest) * (0.5 + Math.random() / 2);
}

/** A server that stops, and the page of a proxy in its place, are losses; other errors are those of the API. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return /^(Abort|Timeout)Error$/.test((error as Error).name);
  return error.status < 502 && !/^(ServiceUnavailable|Unknown)$/.test(error.name);
}

async function* readItems(
  response: Response,
  sending: Sending,
  stream: Place,
): AsyncGenerator<unknown> {
  const { ok, status, headers } = response;
  // Nothing is left of a stream that has ended.
  if (status === 204) return;
  const type = toMediaType(headers);
  if (!ok || !type.startsWith('text/event-stream'))
    throw toApiError(await readBody(response, type), response, sending);
  for await (const { id, retry, event, data } of readEvents(response)) {
    stream.place = id ?? stream.place;
    if (retry !== undefined) {
      stream.waitMs = Number(retry);
      // Calls by key say so that they change nothing.
      stream.isRepeatable ||= data === undefined;
    }
    if (data === undefined) continue;
    const item: unknown = JSON.parse(data);
    if (event === 'error') throw toApiError(item, new Response(null, { status }), sending);
    stream.lost = 0;
    stream.isRepeatable = false;
    yield sending.revive(item, status);
  }
}

/** The fields of each event of a stream, which is left when its reader leaves. */
async function* readEvents({
  body,
}: Response): AsyncGenerator<Readonly<Record<string, string | undefined>>> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value = '' } = await reader.read();
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) yield Object.fromEntries(event.split('\n').map(toField));
      if (done && text === '') return;
      if (done) throw new TypeError('The stream ended within an event.');
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** `data: x` is the field `data`. A line without a colon has no value, and a comment, `: x`, has no name. */
function toField(line: string): readonly [name: string, value: string | undefined] {
  const colon = line.indexOf(': ');
  return colon === -1 ? [line, undefined] : [line.slice(0, colon), line.slice(colon + 2)];
}
