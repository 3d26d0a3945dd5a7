import { expect, it } from 'vitest';
import {
  capability,
  createServer,
  defineMiddleware,
  reply,
  withCache,
} from '../../../server-runtime/index.ts';
import { describeOverSockets } from '../../helpers/every-door.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

/** A query that gives what `toValue` makes of the number of the call, cached for a minute. */
function cached(toValue: (call: number) => unknown) {
  let calls = 0;
  return capability(() => toValue(++calls)).enhance(withCache({ ttlMs: 60_000 }));
}

describeOverSockets('over HTTP', () => {
  it.each([
    [
      'an answer that sets a cookie',
      (call: number) => reply(call, { headers: { 'Set-Cookie': `sid=${call}` } }),
      2,
    ],
    [
      'an answer that sets cookies',
      (call: number) => reply(call, { headers: { 'set-cookie': ['a=1', 'b=2'] } }),
      2,
    ],
    ['a status from 400', (call: number) => reply(call, { status: 404 }), 2],
    [
      'another status, with other headers',
      (call: number) => reply(call, { status: 201, headers: { etag: 'x' } }),
      1,
    ],
    ['data that holds itself', (call: number) => toCircle(call), 2],
  ])('%s: the second caller gets the answer of call %#', async (_name, toValue, expected) => {
    let calls = 0;
    const getIt = capability(() => toValue(++calls)).enhance(withCache({ ttlMs: 60_000 }));
    const { request } = await startOverSocket({ capabilities: { a: { getIt } } });
    await request('/a/it');
    const second = await request('/a/it');
    expect(calls).toBe(expected);
    if (expected !== 1) return;
    expect(second.status).toBe(201);
    // Messages have no headers.
    expect([null, 'x']).toContain(second.headers.get('etag'));
  });
});

describeOverSockets('within the process', () => {
  it('what one caller changes is not changed for another', async () => {
    const kept = {
      list: [{ name: 'one' }],
      at: new Date(0),
      bytes: Buffer.from('abc'),
      names: new Map([['a', { b: 1 }]]),
    };
    const server = createServer({ capabilities: { a: { getIt: cached(() => kept) } } });
    const ask = (): Promise<typeof kept> =>
      server.invoke({ capability: 'a.getIt' }) as Promise<typeof kept>;
    for (const answer of [await ask(), await ask()]) {
      expect(answer).toEqual({
        list: [{ name: 'one' }],
        at: new Date(0),
        bytes: Buffer.from('abc'),
        names: new Map([['a', { b: 1 }]]),
      });
      answer.list.push({ name: 'two' });
      if (answer.list[0] !== undefined) answer.list[0].name = 'changed';
      answer.at.setFullYear(1999);
      answer.bytes[0] = 0;
      answer.names.clear();
    }
    expect((await ask()).list).toEqual([{ name: 'one' }]);
  });

  it('what an enhancer around it changes is changed once for each caller', async () => {
    const withMark = defineMiddleware(async ({ next }) => {
      const value = await next();
      (value as unknown as { count: number }).count++;
      return value;
    });
    const getIt = capability(() => ({ count: 0 }))
      .enhance(withMark)
      .enhance(withCache({ ttlMs: 60_000 }));
    const server = createServer({ capabilities: { a: { getIt } } });
    for (let round = 0; round < 3; round++)
      expect(await server.invoke({ capability: 'a.getIt' })).toEqual({ count: 1 });
  });

  it('an answer with an instance of a class or a function is made for each caller', async () => {
    class Money {
      readonly cents = 5;
    }
    for (const toValue of [
      (call: number) => ({ call, price: new Money() }),
      (call: number) => ({ call, later: () => 1 }),
    ]) {
      const server = createServer({ capabilities: { a: { getIt: cached(toValue) } } });
      const ask = async (): Promise<unknown> => server.invoke({ capability: 'a.getIt' });
      expect([await ask(), await ask()]).toMatchObject([{ call: 1 }, { call: 2 }]);
    }
  });

  it('a field that is called __proto__ is no field of the next answer', async () => {
    const server = createServer({
      capabilities: {
        a: {
          getIt: cached((call) => ({
            call,
            ...(JSON.parse('{"__proto__": {"admin": true}}') as object),
          })),
        },
      },
    });
    await server.invoke({ capability: 'a.getIt' });
    const answer = (await server.invoke({ capability: 'a.getIt' })) as object;
    expect(Object.getPrototypeOf(answer)).toBe(Object.prototype);
    expect('admin' in answer).toBe(false);
  });
});

function toCircle(call: number): unknown {
  const value: { call: number; self?: unknown; toJSON?: () => number } = {
    call,
    toJSON: () => call,
  };
  value.self = value;
  return value;
}
