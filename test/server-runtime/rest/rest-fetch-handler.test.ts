import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  capability,
  createServer,
  type RestOptions,
  reply,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { recordLog } from '../../helpers/start-rest.ts';

const capabilities = { things: { createThing: capability((input) => input) } };

function start(rest: RestOptions = {}) {
  const log = recordLog();
  let answered = 0;
  const onResponse = (): void => void answered++;
  const answer = toFetchHandler(
    createServer({ capabilities, logger: log, hooks: { onResponse } }),
    rest,
  );
  const post = (
    body: NonNullable<RequestInit['body']>,
    { type = 'application/json', ...more }: RequestInit & { readonly type?: string } = {},
  ) =>
    new Request('http://x/things', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
      duplex: 'half',
      ...more,
    });
  return { answer, log, post, answered: () => answered };
}

/**
 * Gives its texts and fails in a later turn, as a sender that is gone does: `Readable.fromWeb` of Node drops what it is
 * reading when the stream fails in the same turn.
 */
function breakingOff(...texts: readonly string[]): ReadableStream {
  const left = [...texts];
  return new ReadableStream({
    pull(controller) {
      const text = left.shift();
      if (text === undefined)
        setImmediate(() => controller.error(new TypeError('the sender is gone')));
      else controller.enqueue(new TextEncoder().encode(text));
    },
  });
}

describe('toFetchHandler', () => {
  it.each([
    ['at once', []],
    ['after its beginning', ['{"a":']],
    ['after what might be all of it', ['{"a":', '1}']],
  ])('answers a body that breaks off %s with 400', async (_when, texts) => {
    const { answer, log, post, answered } = start();
    const response = await answer(post(breakingOff(...texts)));
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'BadRequest', message: 'The request body broke off before its end' },
    ]);
    expect([log.errors, answered()]).toEqual([[], 1]);
  });

  it('answers a form that breaks off with 400', async () => {
    const { answer, post } = start();
    const form = breakingOff('--X\r\ncontent-disposition: form-data; name="a"\r\n\r\nvalue');
    expect((await answer(post(form, { type: 'multipart/form-data; boundary=X' }))).status).toBe(
      400,
    );
  });

  it('answers a body that is too long and then breaks off with 413', async () => {
    const { answer, post } = start({ maxBodySize: 3 });
    expect((await answer(post(breakingOff('{"a":1}')))).status).toBe(413);
  });

  it('answers a body that never comes with 504', async () => {
    const { answer, post } = start({ timeoutMs: 50 });
    expect((await answer(post(new ReadableStream()))).status).toBe(504);
  });

  it('answers a request whose body somebody else has read', async () => {
    const { answer, post, log } = start();
    const request = post('{}');
    await request.text();
    expect((await answer(request)).status).toBe(500);
    expect(log.errors).toHaveLength(1);
  });

  it('rejects when the signal of the request fires while its body is read', async () => {
    const { answer, post } = start();
    const controller = new AbortController();
    const request = post(new ReadableStream(), { signal: controller.signal });
    const answering = answer(request);
    queueMicrotask(() => controller.abort(new Error('left')));
    await expect(answering).rejects.toThrow('left');
  });

  it('answers headers that cannot be sent with 500 where an adapter has put another Response in place, which looks at them late', async () => {
    const lateResponses = class extends Response {
      constructor(
        body?: ConstructorParameters<typeof Response>[0],
        { headers, ...init }: ResponseInit = {},
      ) {
        super(body, headers instanceof Headers ? { ...init, headers } : init);
      }
    };
    vi.stubGlobal('Response', lateResponses);
    onTestFinished(() => void vi.unstubAllGlobals());
    const createThing = capability(() => reply('made', { headers: { 'x-name': 'a\nb' } }));
    const answer = toFetchHandler(
      createServer({ capabilities: { things: { createThing } }, logger: recordLog() }),
    );
    const response = await answer(new Request('http://x/things', { method: 'POST' }));
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: 'Internal', message: 'Internal server error' },
    ]);
  });
});
