/** The place in a stream: the id of the last event, and how long to wait before asking for the rest. */
interface StreamPlace {
  id?: string;
  waitMs: number;
}

/**
 * The data of each event, until the stream ends. An error on the way is thrown; who stops reading ends the request. Where the connection is lost
 * behind an event with an id, the rest is asked for by `Last-Event-ID`, up to five times in a row.
 */
async function* readStream(first: Response, sending: Sending): AsyncGenerator<unknown> {
  const place: StreamPlace = { waitMs: 1000 };
  let lost = 0;
  for (;;) {
    try {
      for await (const item of readItems(lost === 0 || place.id === undefined ? first : await askAgain(sending, place.id), place)) {
        lost = 0;
        yield item;
      }
      return;
    } catch (error) {
      if (place.id === undefined || error instanceof ApiError || (error as Error).name === 'AbortError' || ++lost > 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, place.waitMs));
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
          const { name, message, meta } = readError(item as Fields, undefined);
          throw new ApiError(name, message ?? 'The stream failed.', { status, meta });
        }
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function askAgain(sending: Sending, lastEventId: string): Promise<Response> {
  const headers = new Headers(sending.call.headers);
  headers.set('last-event-id', lastEventId);
  const response = await ask({ ...sending, call: { ...sending.call, headers } });
  const answer = response.ok ? undefined : await readAnswer(response, sending);
  if (answer?.ok === false) throw answer.error;
  return response;
}
