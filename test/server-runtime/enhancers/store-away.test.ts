import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  type Store,
  withCache,
  withIdempotency,
} from '../../../server-runtime/index.ts';
import { createMemoryStore } from '../../../server-runtime/stores/memory-store.ts';
import { describeOverSockets } from '../../helpers/every-door.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const ById = z.object({ id: z.string() });
const never = (): Promise<never> => new Promise<never>(() => {});

/** A server on a store in memory, some of whose steps are other ones. */
async function startOn(toSteps: (memory: Store) => Partial<Store>) {
  const memory = createMemoryStore();
  let runs = 0;
  const createItem = capability(ById, ({ id }) => ({ id })).enhance(withIdempotency());
  const getItem = capability(ById, ({ id }) => ({ id, run: ++runs })).enhance(
    withCache({ ttlMs: 60_000, key: ({ id }) => id }),
  );
  const { request, log } = await startOverSocket({
    capabilities: { items: { createItem, getItem } },
    store: { ...memory, name: 'mine', ...toSteps(memory) },
  });
  const create = async (key: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return (await request('/items', { method: 'POST', headers, body: '{"id":"a"}' })).status;
  };
  const get = async (id: string): Promise<number> => (await request(`/items/${id}`)).status;
  return { create, get, log, runs: () => runs };
}

describeOverSockets('a question of one key', () => {
  it.each([
    ['that has no answer within a second', never, 'There was no answer within 1000 ms'],
    ['that fails', () => Promise.reject(new Error('OOM')), 'OOM'],
  ])(
    '%s concerns the call that asked it alone, and the log says so',
    async (_name, fail, reason) => {
      const { create, log } = await startOn(({ swap }) => ({
        swap: (key, change) => (key.includes('slow') ? fail() : swap(key, change)),
      }));
      const slow = create('slow');
      expect(await create('one')).toBe(200);
      expect(await slow).toBe(503);
      expect(await create('two')).toBe(200);
      await expect
        .poll(() => log.warnings)
        .toEqual([`[capix] The store 'mine' has left a question unanswered: ${reason}`]);
    },
  );

  it('that the cache asks means that the handler runs, and other answers stay kept', async () => {
    const { get, runs } = await startOn(({ get: found }) => ({
      get: (key) => (key.endsWith('bad') ? Promise.reject(new Error('WRONGTYPE')) : found(key)),
    }));
    const statuses = [await get('good'), await get('bad'), await get('bad'), await get('good')];
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(runs()).toBe(3);
  });
});

describeOverSockets('a store that answers nobody', () => {
  it('is said once, and lets no call of a cache wait for it until it answers again', async () => {
    let isAway = false;
    let asked = 0;
    const { get, log, runs } = await startOn((memory) => ({
      get: (key) => {
        asked++;
        return isAway ? never() : memory.get(key);
      },
    }));
    isAway = true;
    await get('a');
    await expect.poll(() => log.warnings.length).toBe(1);
    expect(log.warnings[0]).toBe(
      "[capix] The store 'mine' does not answer: There was no answer within 1000 ms",
    );
    const before = asked;
    for (let call = 0; call < 20; call++) expect(await get('a')).toBe(200);
    expect(asked - before).toBeLessThan(5);
    isAway = false;
    await expect
      .poll(async () => {
        const ran = runs();
        await get('a');
        await get('a');
        return runs() - ran;
      })
      .toBeLessThan(2);
    expect(log.warnings).toHaveLength(1);
  });

  it('is asked by each call with a key, however long it was away', async () => {
    let isAway = true;
    const { create, log } = await startOn((memory) => ({
      get: (key) => (isAway ? Promise.reject(new Error('gone')) : memory.get(key)),
      swap: (key, change) =>
        isAway ? Promise.reject(new Error('gone')) : memory.swap(key, change),
    }));
    expect(await create('one')).toBe(503);
    await expect.poll(() => log.warnings.length).toBe(1);
    isAway = false;
    expect(await create('one')).toBe(200);
  });
});
