import { ApiError, type ErrorFacts } from './call.ts';
import type { SentCall } from './create-call.ts';

export type CallResult =
  | { readonly ok: true; readonly data: unknown; readonly status: number; readonly headers: Headers }
  | { readonly ok: false; readonly status: number; readonly error: ApiError };

/** Sends a call again, for the rest of a stream behind this event. */
export type AskAgain = (lastEventId: string) => Promise<Response>;

/** The result that a response is: the type of its content says how it is read, or the route where it declares that. */
export async function readResponse(response: Response, sent: SentCall, askAgain: AskAgain): Promise<CallResult> {
  const { ok, status, headers } = response;
  const { isByKey, contents = {} } = sent.route[2] ?? {};
  const type = headers.get('content-type') ?? '';
  const give = (data: unknown, as = status): CallResult => ({ ok: true, data, status: as, headers });
  const isJson = /[/+]json\b/.test(type);
  const content = isByKey ? (isJson ? undefined : 'bytes') : contents[status];
  const place = headers.get('location');
  // A browser shows nothing of a redirect that it does not follow, so that the API gives its status and its URL as a
  // text.
  if (ok && type.startsWith('text/uri-list')) {
    const [line = '', url] = (await response.text()).split('\r\n');
    return give(url, Number(line.slice(1)));
  }
  if (place !== null && (content === 'redirect' || (isByKey && status >= 300 && status < 400))) return give(place);
  if (status === 204 || content === 'none') return give(null);
  if (ok && type.startsWith('text/event-stream')) return give(readStream(response, sent, askAgain));
  if (ok && content === 'text') return give(await response.text());
  if (ok && content === 'bytes') return give(await response.blob());
  const body: unknown = isJson ? await response.json().catch(() => undefined) : undefined;
  const data = ok ? findData(body, sent.dataPath) : undefined;
  if (data !== undefined) return give(sent.revive(data, status));
  return { ok: false, status, error: toApiError(body, response, sent) };
}

function findData(body: unknown, dataPath: readonly string[]): unknown {
  return dataPath.reduce<unknown>(
    (value, name) => (Object(value) === value ? (value as Fields)[name] : undefined),
    body,
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** An envelope that does not name its errors has them by their status, and the whole body is the meta. */
function toApiError(body: unknown, { status, headers }: Response, { route, revive }: SentCall): ApiError {
  if (Object(body) !== body) {
    const type = headers.get('content-type');
    const what = `${status} ${type ? `of the type ${type}` : 'without a type'}`;
    const message = `The response is ${what}, which is not one of the API.`;
    return new ApiError('Unknown', message, { status, meta: undefined, headers });
  }
  const { error, title, message, detail, meta } = body as Fields;
  const named = [error, route[2]?.errors?.[status], title, 'Unknown'].find(
    (name) => typeof name === 'string',
  ) as string;
  const told = [message, detail].find((text) => typeof text === 'string') as string | undefined;
  const facts = typeof error === 'string' ? meta : body;
  return new ApiError(named, told ?? `The response is ${status}.`, {
    status,
    meta: revive(facts, named) as ErrorFacts,
    headers,
  });
}

/** The place in a stream: the id of the last event, and how long to wait before asking for the rest. */
interface StreamPlace {
  id?: string;
  waitMs: number;
}

/**
 * The data of each event, until the stream ends. Where the connection is lost behind an event with an id, the rest is
 * asked for by `Last-Event-ID`, up to five times in a row.
 */
async function* readStream(first: Response, sent: SentCall, askAgain: AskAgain): AsyncGenerator<unknown> {
  const place: StreamPlace = { waitMs: 1000 };
  let lost = 0;
  for (;;) {
    try {
      const response = lost === 0 || place.id === undefined ? first : await askAgain(place.id);
      if (!response.ok) throw toApiError(await response.json().catch(() => undefined), response, sent);
      for await (const item of readItems(response, sent, place)) {
        lost = 0;
        yield item;
      }
      return;
    } catch (error) {
      const isFinal = error instanceof ApiError || (error as Error).name === 'AbortError';
      if (place.id === undefined || isFinal || ++lost > 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, place.waitMs));
    }
  }
}

async function* readItems(response: Response, sent: SentCall, place: StreamPlace): AsyncGenerator<unknown> {
  const { body, status } = response;
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value = '' } = await reader.read();
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const findField = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1];
        const [id, waitMs, data] = ['id', 'retry', 'data'].map(findField);
        if (id !== undefined) place.id = id;
        if (waitMs !== undefined) place.waitMs = Number(waitMs);
        if (data === undefined) continue;
        const item: unknown = JSON.parse(data);
        if (findField('event') === 'error') throw toApiError(item, new Response(null, { status }), sent);
        yield sent.revive(item, status);
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
