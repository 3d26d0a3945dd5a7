import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { capability } from '../../../server-runtime/index.ts';
import { topic } from '../../../server-runtime/topics/index.ts';
import { startSockets } from '../../helpers/start-web-sockets.ts';

const READERS = 30;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The bytes of objects and buffers that something uses. */
function measureMemory(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it('a reader that stops costs at most 1 MB, whatever its calls stream and its topics publish', async () => {
  const room = topic<string>('of stopped readers', { maxItems: 100 });
  let [heard, made] = [0, 0];
  const listTexts = capability(async function* () {
    for (;;) {
      made++;
      yield `${made} ${'x'.repeat(20_000)}`;
    }
  });
  const listNews = capability(async (_input: unknown, { signal }) => {
    const live = await room.subscribe({ signal });
    heard++;
    return live;
  });
  const capabilities = { texts: { listTexts }, all: { listNews } };
  const { open } = await startSockets({ capabilities });
  const talks = await Promise.all(Array.from({ length: READERS }, () => open()));
  const before = measureMemory();
  for (const talk of talks) {
    talk.call('texts.listTexts');
    talk.call('all.listNews');
    talk.webSocket.pause();
  }
  await expect.poll(() => heard).toBe(READERS);
  for (let at = 0; at < 900; at++) await room.publish(`${at} ${'y'.repeat(5000)}`);
  let last = -1;
  await expect
    .poll(
      () => {
        const isQuiet = made === last;
        last = made;
        return isQuiet;
      },
      { interval: 200, timeout: 20_000 },
    )
    .toBe(true);
  expect((measureMemory() - before) / READERS).toBeLessThan(1_000_000);
  // They have not read what would have cost more.
  expect((made / READERS) * 20_000).toBeLessThan(20_000_000);
});
