import { ApiError, type ErrorFacts, type Result } from './call.ts';
import type { Sending } from './create-client-of.ts';

type CallResult = Result<{ readonly [status: number]: unknown }, ApiError>;

/** Sends a call again, for the rest of a stream behind this event. */
type AskAgain = (lastEventId: string) => Promise<Response>;

/** The result that a response is: the type of its content says how it is read, or the route where it declares that. */
export async function readResponse(
  response: Response,
  sending: Sending,
  askAgain: AskAgain,
): Promise<CallResult> {
  const { ok, status, headers } = response;
  const { isByKey, contents = {} } = sending.route[2] ?? {};
  // A media type is the same in any case (RFC 9110, 8.3.1).
  const type = (headers.get('content-type') ?? '').toLowerCase();
  const give = (data: unknown, as = status): CallResult => ({
    ok: true,
    data,
    status: as,
    headers,
  });
  const isJson = /[/+]json\b/.test(type);
  const content = isByKey ? (isJson ? undefined : 'bytes') : contents[status];
  const place = headers.get('location');
  // A browser shows nothing of a redirect that it does not follow, so that the API gives its status and its URL as a
  // text.
  if (ok && type.startsWith('text/uri-list')) {
    const [line = '', url] = (await response.text()).split('\r\n');
    return give(url, Number(line.slice(1)));
  }
  if (place !== null && (content === 'redirect' || (isByKey && status >= 300 && status < 400)))
    return give(place);
  if (status === 204 || content === 'none') return give(null);
  if (ok && type.startsWith('text/event-stream'))
    return give(readStream(response, sending, askAgain));
  if (ok && content === 'text') return give(await response.text());
  if (ok && content === 'bytes') return give(await response.blob());
  const body: unknown = isJson ? await response.json().catch(() => undefined) : undefined;
  const data: unknown = sending.dataField === false ? body : Object(body)[sending.dataField];
  if (ok && data !== undefined) return give(sending.revive(data, status));
  return { ok: false, status, error: toApiError(body, response, sending) };
}

/** An envelope that does not name its errors has them by their status, and the whole body is the meta. */
function toApiError(
  body: unknown,
  { status, headers }: Response,
  { route, revive }: Sending,
): ApiError {
  const { error, title, message, detail, meta } = Object(body) as Readonly<Record<string, unknown>>;
  const isForeign = Object(body) !== body;
  const toFirst = (...values: readonly unknown[]) =>
    values.find((value) => typeof value === 'string') as string;
  const name = toFirst(error, !isForeign && route[2]?.errors?.[status], title, 'Unknown');
  const what = isForeign
    ? ` of the type ${headers.get('content-type') ?? 'unknown'}, which is not one of the API`
    : '';
  return new ApiError(name, toFirst(message, detail, `The response is ${status}${what}.`), {
    status,
    meta: revive(
      typeof error === 'string' ? meta : isForeign ? undefined : body,
      name,
    ) as ErrorFacts,
    headers,
  });
}

/**
 * The data of each event, until the stream ends. Where the connection is lost behind an event with an id, the rest is
 * asked for by `Last-Event-ID`, up to five times in a row.
 */
async function* readStream(
  first: Response,
  sending: Sending,
  askAgain: AskAgain,
): AsyncGenerator<unknown> {
  let place: string | undefined;
  let waitMs = 1000;
  for (let lost = 0; ; ) {
    try {
      const response = lost === 0 || place === undefined ? first : await askAgain(place);
      if (!response.ok)
        throw toApiError(await response.json().catch(() => undefined), response, sending);
      for await (const { id, retry, event, data } of readEvents(response)) {
        place = id ?? place;
        waitMs = retry === undefined ? waitMs : Number(retry);
        if (data === undefined) continue;
        const item: unknown = JSON.parse(data);
        if (event === 'error')
          throw toApiError(item, new Response(null, { status: response.status }), sending);
        lost = 0;
        yield sending.revive(item, response.status);
      }
      return;
    } catch (error) {
      const isFinal =
        error instanceof ApiError || /^(Abort|Timeout)Error$/.test((error as Error).name);
      if (place === undefined || isFinal || ++lost > 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
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
      for (const event of events)
        yield Object.fromEntries(event.split('\n').map((line) => line.split(/: (.*)/s)));
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
