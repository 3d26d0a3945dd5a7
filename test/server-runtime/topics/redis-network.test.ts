import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import { Gap, topic } from '../../../server-runtime/topics/index.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { recordLog } from '../../helpers/start-rest.ts';

/** A Redis behind a network that can be cut, with a topic on each side: the near one publishes past the network. */
async function open({ maxItems = 100_000 } = {}) {
  const redis = await startRedis({ keeps: true });
  const network = await openNetwork(redis.port);
  const near = redisStore(redis.url, { prefix: 'a:' });
  const far = redisStore(`redis://127.0.0.1:${network.port}`, { prefix: 'a:' });
  for (const store of [near, far]) store.topics?.logTo(recordLog());
  onTestFinished(async () => {
    redis.thaw();
    await Promise.all([near.stop?.(), far.stop?.()]);
    network.close();
    await redis.kill();
  });
  const limits = { maxItems, maxWaitingItems: 100_000 };
  const publisher = topic<number>('room', { store: near, ...limits });
  const hearer = topic<number>('room', { store: far, ...limits });
  const live = await hearer.subscribe({ signal: new AbortController().signal });
  const seen: { readonly id: string; readonly value: number }[] = [];
  /** Resolves with the error with which the subscription ends. */
  const ended = (async () => {
    for await (const { id = '', data } of live) seen.push({ id, value: data });
  })().catch((error: unknown) => error);
  return { redis, network, publisher, hearer, seen, ended };
}

/** Passes bytes on to a port, until it is cut. */
async function openNetwork(target: number) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isSilent = false;
  const server = createServer((here) => {
    const there = connect(target, '127.0.0.1');
    const pair = [here, there] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [there, here] as const]) {
      from.on('data', (bytes) => isSilent || to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const [here, there] of pairs) {
      here.resetAndDestroy();
      there.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    /** Ends all connections, as where a machine between them is restarted. */
    cut,
    /** Loses all bytes from now on, and says nothing of it: those of the connections that are open never come. */
    silence: () => {
      isSilent = true;
    },
    heal: () => {
      isSilent = false;
    },
    close: () => {
      server.close();
      cut();
    },
  };
}

/** Publishes numbers one after the other, and gives those that were published for certain, with their ids. */
async function publishFor(
  { publisher }: Pick<Awaited<ReturnType<typeof open>>, 'publisher'>,
  isOver: () => boolean,
) {
  const done: { readonly id: string; readonly value: number }[] = [];
  for (let value = 0; !isOver(); value++) {
    const id = await publisher.publish(value).catch(() => undefined);
    if (id !== undefined) done.push({ id, value });
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return done;
}

describeWithRedis(
  'a topic whose network or Redis breaks in the middle of what is published',
  () => {
    type Open = Awaited<ReturnType<typeof open>>;
    it.each<[string, (opened: Open) => Promise<unknown>]>([
      [
        'connections are cut ten times',
        async ({ network, seen }) => {
          for (let round = 0; round < 10; round++) {
            const before = seen.length;
            network.cut();
            await expect.poll(() => seen.length).toBeGreaterThan(before + 20);
          }
        },
      ],
      [
        'Redis is killed and started again with what it had, three times',
        async ({ redis, seen }) => {
          for (let round = 0; round < 3; round++) {
            const before = seen.length;
            await redis.kill();
            await redis.restart();
            await expect.poll(() => seen.length).toBeGreaterThan(before + 20);
          }
        },
      ],
      [
        'Redis hangs, for shorter and for longer than it is waited for',
        async ({ redis, seen }) => {
          for (const ms of [1500, 6500]) {
            redis.freeze();
            await new Promise((resolve) => setTimeout(resolve, ms));
            const before = seen.length;
            redis.thaw();
            await expect.poll(() => seen.length).toBeGreaterThan(before + 20);
          }
        },
      ],
    ])('%s: each published item is heard once, in order', async (_what, breakIt) => {
      const opened = await open();
      let isOver = false;
      const publishing = publishFor(opened, () => isOver);
      await expect.poll(() => opened.seen.length).toBeGreaterThan(20);
      await breakIt(opened);
      isOver = true;
      const done = await publishing;
      const { seen } = opened;
      await expect.poll(() => seen.at(-1)?.id).toBe(done.at(-1)?.id);
      const ids = seen.map(({ id }) => Number(id.split('-')[1]));
      // No number is missing, and none comes twice: also of items whose publish has failed, and which Redis has.
      expect(ids).toEqual(ids.map((_, at) => (ids[0] ?? 0) + at));
      const heard = new Map(seen.map(({ id, value }) => [id, value]));
      expect(done.filter(({ id, value }) => heard.get(id) !== value)).toEqual([]);
    });

    it('a network that loses bytes in silence is noticed, and what was published meanwhile is heard', async () => {
      const { network, publisher, hearer, seen } = await open();
      await publisher.publish(0);
      await expect.poll(() => seen.length).toBe(1);
      network.silence();
      for (let value = 1; value <= 300; value++) await publisher.publish(value);
      await expect(hearer.publish(-1)).rejects.toMatchObject({
        name: 'ServiceUnavailable',
        status: 503,
      });
      // Longer than an answer is waited for, so that the connection is given up.
      await new Promise((resolve) => setTimeout(resolve, 6500));
      network.heal();
      await expect.poll(() => seen.length).toBe(301);
      expect(seen.map(({ value }) => value)).toEqual(Array.from({ length: 301 }, (_, at) => at));
    });

    it('ends with Gap where more was published meanwhile than the topic holds', async () => {
      const { network, publisher, hearer, seen, ended } = await open({ maxItems: 500 });
      await publisher.publish(0);
      await expect.poll(() => seen.length).toBe(1);
      network.silence();
      for (let value = 1; value <= 2000; value++) await publisher.publish(value);
      network.cut();
      network.heal();
      expect(await ended).toSatisfy(Gap.is);
      expect(seen).toHaveLength(1);
      await expect
        .poll(() =>
          hearer
            .subscribe({ signal: new AbortController().signal, after: seen[0]?.id })
            .catch((error: unknown) => error),
        )
        .toSatisfy(Gap.is);
    });
  },
);
