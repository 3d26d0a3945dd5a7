import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import type { Store } from '../../../server-runtime/stores/store.ts';
import { Gap, SlowReader, type Subscription, topic } from '../../../server-runtime/topics/index.ts';
import { countInputs } from '../../helpers/count-inputs.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';

/** What happens to a topic; `who` is taken modulo the subscribers that there are. */
type Step =
  | { readonly kind: 'publish'; readonly count: number }
  | { readonly kind: 'subscribe' }
  | { readonly kind: 'go on' | 'leave'; readonly who: number }
  | { readonly kind: 'read'; readonly who: number; readonly count: number };

const who = fc.nat({ max: 20 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('publish'), count: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ kind: fc.constant('subscribe') }),
    fc.record({ kind: fc.constantFrom('go on', 'leave'), who }),
    fc.record({ kind: fc.constant('read'), who, count: fc.integer({ min: 1, max: 60 }) }),
  ) as fc.Arbitrary<Step>,
  { minLength: 5, maxLength: 40 },
);

/** A subscriber with what it must see next. */
interface Seen {
  live: Subscription<number>;
  readonly leaving: AbortController;
  /** The number of the item that comes next. */
  expected: number;
  lastId: string;
  /** Set where it has ended with an error that says so, or was left. */
  isOver: boolean;
}

function expectReason(error: unknown): undefined {
  expect(error).toSatisfy((each) => Gap.is(each) || SlowReader.is(each));
}

let topics = 0;

/** Runs the steps; every subscriber sees each item from its beginning on, in order, or an error. */
async function run(all: readonly Step[], store: Store | undefined): Promise<void> {
  const room = topic<number>(`random ${topics++}`, { store, maxItems: 30, maxWaitingItems: 20 });
  let published = 0;
  const everyone: Seen[] = [];
  const begin = async (expected: number, after?: string): Promise<void> => {
    const leaving = new AbortController();
    try {
      const live = await room.subscribe({ signal: leaving.signal, after });
      everyone.push({ live, leaving, expected, lastId: live.id, isOver: false });
    } catch (error) {
      expect(error).toSatisfy(Gap.is);
      // What it asks for must have been so long ago that it may be gone.
      expect(published - expected).toBeGreaterThanOrEqual(30);
    }
  };
  const read = async (one: Seen, count: number): Promise<void> => {
    for (let at = 0; at < count && one.expected < published && !one.isOver; at++) {
      const result = await one.live.next().catch(expectReason);
      one.isOver = result === undefined;
      if (result === undefined) return;
      expect(result).toMatchObject({ done: false, value: { data: one.expected } });
      one.lastId = result.value?.id ?? '';
      one.expected++;
    }
  };
  const at = (index: number): Seen | undefined => everyone[index % Math.max(1, everyone.length)];
  for (const step of all) {
    const one = 'who' in step ? at(step.who) : undefined;
    if (step.kind === 'publish')
      for (let made = 0; made < step.count; made++) await room.publish(published++);
    else if (step.kind === 'subscribe') await begin(published);
    else if (one === undefined) continue;
    else if (step.kind === 'read') await read(one, step.count);
    else if (step.kind === 'go on') await begin(one.expected, one.lastId);
    else {
      one.leaving.abort();
      // It may have ended before, with an error that nobody has read.
      const last = await one.live.next().catch(expectReason);
      expect(last?.done ?? true).toBe(true);
      one.isOver = true;
    }
  }
  for (const one of everyone) await read(one, published);
  for (const one of everyone) if (!one.isOver) expect(one.expected).toBe(published);
  for (const { leaving } of everyone) leaving.abort();
}

describe('after anything that happens to a topic, a subscriber has every item, or an error', () => {
  it('in memory', async () => {
    await fc.assert(
      fc.asyncProperty(steps, (all) => run(all, undefined)),
      { numRuns: countInputs(300) },
    );
  });

  describeWithRedis('in Redis', () => {
    let store: Store | undefined;
    beforeAll(async () => {
      store = redisStore((await startRedis()).url, { prefix: 'random:' });
      return () => store?.stop?.();
    });

    it('too', async () => {
      await fc.assert(
        fc.asyncProperty(steps, (all) => run(all, store)),
        { numRuns: 25 },
      );
    });
  });
});
