import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import {
  afterSuccess,
  type BaseContext,
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineMiddleware,
  reply,
  type ServerOptions,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { describeOverSockets, itOverHttp } from '../../helpers/every-door.ts';
import { defer, type ErrorBody, json, startOverSocket } from '../../helpers/start-rest.ts';

/** A server on which `POST /items` runs a handler that may write to `log`. */
async function serve(
  handle: (ctx: BaseContext, log: string[]) => unknown,
  {
    around = [],
    ...options
  }: Partial<ServerOptions> & { around?: readonly ((log: string[]) => never)[] } = {},
) {
  const log: string[] = [];
  let createItem = capability((_input, ctx) => handle(ctx, log));
  for (const make of around) createItem = createItem.use(make(log));
  const started = await startOverSocket({ capabilities: { items: { createItem } }, ...options });
  const post = async () => {
    const response = await started.request('/items', json({}));
    return { status: response.status, text: await response.text() };
  };
  return { ...started, post, told: log };
}

/** Middleware that writes down when it has returned. */
const written = (name: string) => (log: string[]) =>
  defineMiddleware(async ({ next }) => {
    const answer = await next();
    log.push(name);
    return answer;
  }) as never;

const later =
  (log: string[], name = 'after') =>
  async () => {
    await Promise.resolve();
    log.push(name);
  };

describeOverSockets('what a call leaves for after its success', () => {
  it('is done, in order, when all middleware has returned, and before the answer', async () => {
    const { post, told } = await serve(
      (ctx, log) => {
        afterSuccess(ctx, later(log, 'first'));
        afterSuccess({ ...ctx, more: true }, later(log, 'second'));
        return 'done';
      },
      { around: [written('outer'), written('inner')], use: [written('server')([]) as never] },
    );
    expect((await post()).status).toBe(200);
    expect(told).toEqual(['inner', 'outer', 'first', 'second']);
  });

  it.each([
    ['no context of its own', undefined],
    ['a context', defineContext(() => ({ user: 'ann' }))],
    [
      'a context that is never the same',
      defineContext(({ signal, requestId }) => Object.freeze({ signal, requestId })),
    ],
    [
      'a context that is always the same',
      defineContext(
        (
          (all: object) => () =>
            all
        )({ user: 'ann' }),
      ),
    ],
  ])('is known by %s, with and without middleware', async (_name, context) => {
    for (const around of [[], [written('outer')]]) {
      const { post, told } = await serve(
        (ctx, log) => {
          afterSuccess(ctx, () => log.push('after'));
          log.push('handled');
        },
        { around, ...(context === undefined ? {} : { context }) },
      );
      await post();
      await post();
      const once = ['handled', ...around.map(() => 'outer'), 'after'];
      expect(told).toEqual([...once, ...once]);
    }
  });

  it('is not done when the handler, a middleware or the declared answer fails', async () => {
    const failing = defineMiddleware(async ({ next }) => {
      await next();
      throw defaultErrors.Conflict();
    });
    const { post, told } = await serve((ctx, log) => afterSuccess(ctx, later(log)), {
      use: [failing],
    });
    expect((await post()).status).toBe(409);
    const refused = await serve((ctx, log) => {
      afterSuccess(ctx, later(log));
      throw new Error('no');
    });
    expect((await refused.post()).status).toBe(500);
    expect([...told, ...refused.told]).toEqual([]);
  });

  it('is not done twice, or for an attempt that failed, when a middleware tries again', async () => {
    let attempts = 0;
    const { post, told } = await serve(
      (ctx, log) => {
        attempts++;
        afterSuccess(ctx, later(log, `of attempt ${attempts}`));
        if (attempts === 1) throw new Error('a deadlock');
      },
      { use: [defineMiddleware(({ next }) => next().catch(() => next()))] },
    );
    expect((await post()).status).toBe(200);
    expect(told).toEqual(['of attempt 2']);
  });

  it('is done for a change that was made, also when its caller no longer waits', async () => {
    const { promise, resolve } = defer();
    const log: string[] = [];
    const createItem = capability(async (_input, ctx) => {
      afterSuccess(ctx, later(log));
      await promise;
    }).enhance(withTimeout(20));
    const { request } = await startOverSocket({ capabilities: { items: { createItem } } });
    expect((await request('/items', json({}))).status).toBe(504);
    expect(log).toEqual([]);
    resolve();
    await expect.poll(() => log).toEqual(['after']);
  });

  it('makes a 500 with one error in the log when it fails, and the rest is done', async () => {
    const { post, told, log } = await serve((ctx, into) => {
      afterSuccess(ctx, () => {
        throw defaultErrors.NotFound('no such page');
      });
      afterSuccess(ctx, later(into));
      return 'done';
    });
    const { status, text } = await post();
    expect([status, (JSON.parse(text) as ErrorBody).error]).toEqual([500, 'Internal']);
    expect(told).toEqual(['after']);
    expect(log.errors).toHaveLength(1);
    expect(log.errors[0]?.error).toMatchObject({ cause: { message: 'no such page' } });
  });

  it('may leave more', async () => {
    const { post, told } = await serve((ctx, log) =>
      afterSuccess(ctx, () => {
        log.push('one');
        afterSuccess(ctx, later(log, 'two'));
      }),
    );
    await post();
    expect(told).toEqual(['one', 'two']);
  });
});

describeOverSockets('what a stream leaves', () => {
  async function* items(ctx: BaseContext, log: string[], fails = false) {
    afterSuccess(ctx, () => void log.push('after'));
    yield 1;
    log.push('item');
    if (fails) throw new Error('broken');
    yield 2;
    log.push('last');
  }

  it('is done after the last item, at every door', async () => {
    const { post, told } = await serve((ctx, log) => items(ctx, log));
    expect((await post()).text).toBe('data: 1\n\ndata: 2\n\n');
    expect(told.splice(0)).toEqual(['item', 'last', 'after']);

    const log: string[] = [];
    const createItem = capability((_input, ctx) => items(ctx, log));
    const server = createServer({ capabilities: { items: { createItem } } });
    const given: unknown[] = [];
    for await (const item of (await server.invoke({
      capability: 'items.createItem',
    })) as AsyncIterable<unknown>)
      given.push(item);
    expect(given).toEqual([1, 2]);
    expect(log.splice(0)).toEqual(['item', 'last', 'after']);

    const client = await connectToTools({ capabilities: { items: { createItem } } });
    await client.callTool({ name: 'items_createItem' });
    expect(log).toEqual(['item', 'last', 'after']);
  });

  it('is not done where the stream fails', async () => {
    const { post, told } = await serve((ctx, log) => items(ctx, log, true));
    expect((await post()).text).toContain('Internal');
    expect(told).toEqual(['item']);
  });

  itOverHttp.each([
    ['Node', () => Readable.from([Buffer.from('ab')])],
    ['the web', () => new Blob(['ab']).stream()],
    ['a reply', () => reply(Readable.from([Buffer.from('ab')]), { status: 201 })],
    ['a response', () => new Response('ab')],
  ])('is done before the answer ends: %s', async (_name, make) => {
    const { promise, resolve } = defer();
    const { post, told } = await serve((ctx, log) => {
      afterSuccess(ctx, async () => {
        await promise;
        log.push('after');
      });
      return make();
    });
    const answer = post().then(({ text }) => [text, ...told]);
    setImmediate(resolve);
    expect(await answer).toEqual(['ab', 'after']);
  });
});

describeOverSockets('what waits for the success of a call', () => {
  it('is done at once outside of a call, and after one that succeeded', async () => {
    const log: string[] = [];
    afterSuccess({}, () => log.push('outside'));
    expect(() =>
      afterSuccess({}, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    let ctx: BaseContext | undefined;
    const { post } = await serve((given) => void (ctx = given));
    await post();
    afterSuccess(ctx as BaseContext, () => log.push('late'));
    expect(log).toEqual(['outside', 'late']);
  });

  it('is not done after a call that failed', async () => {
    const log: string[] = [];
    let ctx: BaseContext | undefined;
    const { post } = await serve((given) => {
      ctx = given;
      throw new Error('no');
    });
    await post();
    afterSuccess(ctx as BaseContext, () => log.push('late'));
    expect(log).toEqual([]);
  });

  it('is known behind a middleware that hands on a context of its own', async () => {
    const log: string[] = [];
    const wider = defineMiddleware(({ ctx, next }) => next({ ...ctx, more: true }));
    const createItem = capability.use(wider)((_input, ctx) => {
      afterSuccess(ctx, () => log.push('after'));
      throw new Error('no');
    });
    const { request } = await startOverSocket({ capabilities: { items: { createItem } } });
    await request('/items', json({}));
    expect(log).toEqual([]);
  });
});
