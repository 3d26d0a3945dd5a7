import { expect, it, onTestFinished, vi } from 'vitest';
import { AddressReader } from '../../../../source/sides/references/address-reader.ts';

/** A server whose answer comes when the test writes it, and a reader of it for whom time passes when the test says so. */
function openAnswer() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  vi.stubGlobal('fetch', async (_url: string, { signal }: { readonly signal: AbortSignal }) => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (body = controller),
    });
    signal.addEventListener('abort', () => body?.error(signal.reason));
    return new Response(stream);
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  const answer = new AddressReader({}).read('http://example.com/api.json', true);
  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
  return {
    answer,
    /** Writes a part, or the end, and lets it be read. */
    write: async (part?: string): Promise<void> => {
      await turn();
      if (part === undefined) body?.close();
      else body?.enqueue(new TextEncoder().encode(part));
      await turn();
    },
    pass: (seconds: number) => void vi.advanceTimersByTime(seconds * 1000),
  };
}

it('a document may take a minute to come, as long as its parts do', async () => {
  const { answer, write, pass } = openAnswer();
  for (const part of [
    '{"openapi": ',
    '"3.1.0", ',
    '"info": {"title": "a", "version": "1"}, ',
    '"paths": {}}',
  ]) {
    await write(part);
    pass(15);
  }
  await write();
  expect((await answer).text).toMatchObject({ kind: 'document' });
});

it('a server that says nothing for 20 seconds is given up, which is said', async () => {
  const { answer, write, pass } = openAnswer();
  await write('{"openapi": ');
  pass(20);
  expect((await answer).text).toMatchObject({ reason: 'the server said nothing for 20 seconds' });
});
