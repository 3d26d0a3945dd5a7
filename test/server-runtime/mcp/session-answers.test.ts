import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { capability, withCaller } from '../../../server-runtime/index.ts';
import { serveTools } from '../../helpers/connect-to-tools.ts';
import { defer } from '../../helpers/start-rest.ts';

const events = 'application/json, text/event-stream';

/** Opens a session, and gives the function that posts a message to it. */
async function openSession(
  group: Parameters<typeof serveTools>[0]['capabilities'],
  capabilities: object = {},
) {
  const url = await serveTools({ capabilities: group });
  const send = (message: object, session?: string, signal?: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: events,
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      signal: signal ?? null,
    });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  const opened = await send({ id: 0, method: 'initialize', params });
  await opened.text();
  const session = opened.headers.get('mcp-session-id') ?? '';
  await send({ method: 'notifications/initialized' }, session);
  return { post: (message: object, signal?: AbortSignal) => send(message, session, signal) };
}

/** Holds the timers that tick until the end of the test. Gives the function that counts them. */
function fakeIntervals(): () => number {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return () => vi.getTimerCount();
}

const toCall = (id: number | string, name: string, meta?: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...(meta !== undefined && { _meta: meta }) },
});

/** The messages of an answer in events. */
const toMessages = (text: string): object[] =>
  [...text.matchAll(/^data: (.+)$/gm)].map(([, json]) => JSON.parse(json ?? '') as object);

describe('the answer to a call of a session', () => {
  it('is sent as a whole where it is one message', async () => {
    const { post } = await openSession({ a: { getOne: capability(() => ({ name: 'é' })) } });
    const response = await post(toCall(1, 'a_getOne'));
    const text = await response.text();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'content-length': String(Buffer.byteLength(text)),
      'mcp-session-id': expect.stringMatching(/^[\w-]{36}$/) as string,
    });
    expect(toMessages(text)).toMatchObject([
      { id: 1, result: { structuredContent: { data: { name: 'é' } } } },
    ]);
  });

  it('begins with the notes of progress, as they come', async () => {
    const seen = defer();
    const { post } = await openSession({
      a: {
        doOne: capability.use(withCaller)(async (_input, { progress }) => {
          progress(1, 2);
          await seen.promise;
          return 'done';
        }),
      },
    });
    const response = await post(toCall('x', 'a_doOne', { progressToken: 7 }));
    // The head and the note are here while the call waits.
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(toMessages(first)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 7, progress: 1, total: 2 } },
    ]);
    seen.resolve();
    const second = new TextDecoder().decode((await reader.read()).value);
    expect(toMessages(second)).toMatchObject([{ id: 'x', result: {} }]);
    expect((await reader.read()).done).toBe(true);
  });

  it('ends the call when its connection is closed, and leaves no timer behind', async () => {
    const left = fakeIntervals();
    const began = defer();
    const fired = defer<unknown>();
    const { post } = await openSession({
      a: {
        wait: capability((_input, { signal }) => {
          signal.addEventListener('abort', () => fired.resolve(signal.reason));
          began.resolve();
          return new Promise<never>(() => {});
        }),
      },
    });
    const leave = new AbortController();
    const asked = post(toCall(1, 'a_wait'), leave.signal);
    await began.promise;
    leave.abort();
    await expect(asked).rejects.toThrow('abort');
    expect(await fired.promise).toMatchObject({ name: 'AbortError' });
    await expect.poll(left).toBe(0);
  });

  it('is there for each of two calls that have one number', async () => {
    const [began, both] = [defer(), defer()];
    const { post } = await openSession({
      a: {
        wait: capability(async () => {
          began.resolve();
          await both.promise;
          return 'first';
        }),
        getOne: capability(() => {
          both.resolve();
          return 'second';
        }),
      },
    });
    const first = post(toCall(1, 'a_wait'));
    await began.promise;
    const second = post(toCall(1, 'a_getOne'));
    const texts = await Promise.all([first, second].map(async (each) => (await each).text()));
    expect(texts.map((text) => toMessages(text).length)).toEqual([1, 1]);
  });

  it('says every 15 seconds that it is under way', async () => {
    const left = fakeIntervals();
    const [began, over] = [defer(), defer()];
    const { post } = await openSession({
      a: {
        wait: capability(async () => {
          began.resolve();
          await over.promise;
          return 'done';
        }),
      },
    });
    const asked = post(toCall(1, 'a_wait'));
    await began.promise;
    vi.advanceTimersByTime(30_000);
    const response = await asked;
    over.resolve();
    const text = await response.text();
    expect(text.startsWith(': keepalive\n\n: keepalive\n\nevent: message\n')).toBe(true);
    expect(toMessages(text)).toMatchObject([{ id: 1, result: {} }]);
    await expect.poll(left).toBe(0);
  });
});
