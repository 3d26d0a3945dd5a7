import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import {
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
} from '../../../server-runtime/index.ts';
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
      { interval: 200 },
    )
    .toBe(true);
  expect((measureMemory() - before) / READERS).toBeLessThan(1_000_000);
  // They have not read what would have cost more.
  expect((made / READERS) * 20_000).toBeLessThan(20_000_000);
});

it('a connection that is closed is held by nothing, though it had streams, or waited for better headers', async () => {
  const held: WeakRef<object>[] = [];
  const context = defineContext(({ connection, headers }) => {
    if (connection !== undefined) held.push(new WeakRef(connection));
    return { user: headers.authorization };
  });
  const mustBeUser = defineGuard(({ user }: { readonly user?: unknown }) => {
    if (user === undefined) throw defaultErrors.Unauthorized();
  });
  const count = capability(async function* () {
    for (let at = 0; ; at++) yield at;
  });
  const { open } = await startSockets({
    context,
    capabilities: { all: { count } },
    socket: { guards: [mustBeUser] },
  });
  const protocols = 'capix.v1';
  const streaming = await open({ headers: { authorization: 'ada' }, protocols });
  streaming.call('all.count', {}, { window: 1 });
  await streaming.next();
  const refused = await open({ protocols });
  expect(held.length).toBeGreaterThan(1);
  streaming.webSocket.terminate();
  refused.webSocket.terminate();
  const countHeld = () => {
    collect();
    return held.filter((each) => each.deref() !== undefined).length;
  };
  await expect.poll(countHeld).toBe(0);
});
