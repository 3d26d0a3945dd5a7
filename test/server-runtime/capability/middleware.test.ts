import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  type Answer,
  type ContextOf,
  capability,
  defaultErrors,
  defineContext,
  defineMiddleware,
  type GroupTree,
  type MiddlewareCall,
  reply,
  type ServerOptions,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { mockContext } from '../../../server-runtime/testing/test-server.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { describeOverSockets, itOverHttp } from '../../helpers/every-door.ts';
import { type RunningRest, startOverSocket } from '../../helpers/start-rest.ts';

const Id = z.object({ id: z.string() });

function serve(
  capabilities: GroupTree,
  options: Partial<ServerOptions> = {},
): Promise<RunningRest> {
  return startOverSocket({ ...options, capabilities } as ServerOptions);
}

describeOverSockets('a middleware', () => {
  it('gets the input, the context and the operation, and adds to the context of what is behind it', async () => {
    const seen: unknown[] = [];
    const withUser = defineMiddleware(
      ({ input, ctx, operation, next }: MiddlewareCall<{ name: string }>) => {
        seen.push(input, ctx.name, operation.key, operation.intent);
        return next({ user: { name: ctx.name } });
      },
    );
    const hello = capability.use(withUser)(
      Id,
      (_input, ctx) => `${ctx.user.name}, ${ctx.name}`,
      'query',
    );
    const context = defineContext(({ headers }) => ({ name: String(headers['x-name']) }));
    const api = await serve({ people: { hello } }, { context });
    const response = await api.request('/people/hello?id=7', { headers: { 'x-name': 'Ada' } });
    expect(await response.json()).toEqual({ data: 'Ada, Ada' });
    expect(seen).toEqual([{ id: '7' }, 'Ada', 'people.hello', 'query']);
  });

  it('stands around those that come after it', async () => {
    const log: string[] = [];
    const logged = (name: string) =>
      defineMiddleware(async ({ next }) => {
        log.push(`> ${name}`);
        const answer = await next({ [name]: true });
        log.push(`< ${name}`);
        return answer;
      });
    const plain = defineMiddleware(({ ctx, next }) => {
      log.push(Object.keys(ctx).join());
      return next();
    });
    const run = capability.use(logged('a')).use(logged('b')).enhance(plain)(() => 1);
    await run.use(logged('c')).resolve({}, mockContext());
    expect(log).toEqual(['> a', '> b', 'requestId,signal,log,a,b', '> c', '< c', '< b', '< a']);
  });

  itOverHttp(
    'may answer with other headers, without going on, and look at the outcome',
    async () => {
      const outcomes: string[] = [];
      const kept = new Map<string, Answer>();
      const remembered = defineMiddleware(async ({ input, next }) => {
        const key = JSON.stringify(input);
        const answer = kept.get(key) ?? ((await next()) as unknown as Answer);
        kept.set(key, answer);
        return reply(answer, { headers: { 'x-kept': String(kept.size) } });
      });
      const audited = defineMiddleware(async ({ next }) => {
        try {
          const answer = await next();
          outcomes.push(`ok ${JSON.stringify(answer)}`);
          return answer;
        } catch (error) {
          outcomes.push(`failed ${(error as Error).name}`);
          throw error;
        }
      });
      let calls = 0;
      const getItem = capability.use(remembered).use(audited)(Id, ({ id }) => {
        calls += 1;
        if (id === '0') throw defaultErrors.NotFound();
        return { id };
      });
      const api = await serve({ items: { getItem } });
      for (const _ of [1, 2]) {
        const response = await api.request('/items/7');
        expect(response.headers.get('x-kept')).toBe('1');
        expect(await response.json()).toEqual({ data: { id: '7' } });
      }
      expect(calls).toBe(1);
      expect((await api.request('/items/0')).status).toBe(404);
      expect(outcomes).toEqual(['ok {"id":"7"}', 'failed NotFound']);
    },
  );

  it('keeps the methods of a context that is an instance of a class', async () => {
    class Context {
      readonly name = 'Ada';
      greet(): string {
        return `hello ${this.name}`;
      }
    }
    const more = defineMiddleware(({ next }: MiddlewareCall<Context>) => next({ more: 1 }));
    const greet = capability.use(more)((_input, ctx) => [ctx.greet(), ctx.more], 'query');
    const api = await serve({ greet }, { context: defineContext(() => new Context()) });
    expect(await api.server.invoke({ capability: 'greet' })).toEqual(['hello Ada', 1]);
  });

  it('has the signal of the request behind it', async () => {
    const more = defineMiddleware(({ next }) => next({ more: 1 }));
    let aborted = false;
    const wait = capability.use(withTimeout(30)).use(more)(async (_input, ctx) => {
      await delay(10_000, undefined, { signal: ctx.signal }).catch(() => {});
      aborted = ctx.signal.aborted;
    }, 'query');
    const api = await serve({ wait });
    expect((await api.request('/wait')).status).toBe(504);
    await expect.poll(() => aborted).toBe(true);
  });

  it('is refused where it is not one', () => {
    expect(() => capability.use((() => 1) as never)).toThrow(
      '.use: expected defineMiddleware(…), or an enhancer',
    );
    expect(() => capability(() => 1).use(undefined as never)).toThrow('got undefined');
  });
});

describeOverSockets('the resources of a request', () => {
  const log: string[] = [];
  const context = defineContext(({ resources }) => {
    log.length = 0;
    const connection = resources.use({
      query: (text: string) => log.push(text),
      [Symbol.asyncDispose]: async () => void log.push('released'),
    });
    return { connection };
  });
  const cap = capability.withContext<ContextOf<typeof context>>();

  const answers: Readonly<Record<string, () => unknown>> = {
    data: () => ({ ok: true }),
    reply: () => reply({ ok: true }, { status: 201 }),
    bytes: () => Buffer.from('bytes'),
    nodeStream: () => Readable.from(['a', 'b']),
    webStream: () => new Blob(['web']).stream(),
    response: () => new Response('response'),
    emptyResponse: () => new Response(null, { status: 204 }),
    async *items() {
      yield 1;
      yield 2;
    },
    async *failing() {
      yield 1;
      throw new Error('broken');
    },
    throws: () => {
      throw new Error('broken');
    },
  };
  const capabilities = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      cap((_input, ctx) => {
        ctx.connection.query('query');
        return answer();
      }, 'query'),
    ]),
  );

  it.each(Object.keys(answers))('are let go of after %s', async (name) => {
    const api = await serve(capabilities, { context });
    const path = `/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const text = await (await api.request(path)).text();
    await expect.poll(() => log).toEqual(['query', 'released']);
    // No message carries bytes.
    const texts: Readonly<Record<string, RegExp>> = {
      nodeStream: /^ab$|UnsupportedMediaType/,
      webStream: /^web$|UnsupportedMediaType/,
      response: /^response$|UnsupportedMediaType/,
      items: /^data: 1\n\ndata: 2\n\n$/,
      emptyResponse: /^$/,
    };
    expect(text).toMatch(texts[name] ?? '');
  });

  itOverHttp('are let go of after a call by an agent', async () => {
    const tools = await connectToTools({ capabilities, context });
    for (const name of ['data', 'items', 'throws']) {
      await tools.callTool({ name });
      expect(log).toEqual(['query', 'released']);
    }
  });

  itOverHttp('are let go of where a stream is not asked for', async () => {
    const api = await serve(capabilities, { context });
    expect((await api.request('/items', { method: 'HEAD' })).status).toBe(200);
    await expect.poll(() => log).toEqual(['query', 'released']);
  });

  it('are let go of where the caller leaves a stream, at whichever door', async () => {
    const endless = cap(async function* (_input, ctx) {
      for (let n = 0; ; n += 1) {
        ctx.connection.query(String(n));
        yield n;
        await delay(5, undefined, { signal: ctx.signal });
      }
    }, 'query');
    const api = await serve({ endless }, { context });
    const leave = new AbortController();
    const response = await api.request('/endless', { signal: leave.signal });
    await response.body?.getReader().read();
    expect(log).not.toContain('released');
    leave.abort();
    await expect.poll(() => log).toContain('released');

    for await (const item of (await api.server.invoke({
      capability: 'endless',
    })) as AsyncIterable<number>)
      if (item > 1) break;
    expect(log.at(-1)).toBe('released');
  });

  it('are let go of when a handler ends that timed out, and not while it still works with them', async () => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const slow = cap(async (_input, ctx) => {
      await ended;
      ctx.connection.query('late');
    }, 'query').use(withTimeout(20));
    const api = await serve({ slow }, { context });
    expect((await api.request('/slow')).status).toBe(504);
    expect(log).toEqual([]);
    end();
    await expect.poll(() => log).toEqual(['late', 'released']);
  });

  it('that cannot be let go of fail a call which had succeeded, and leave the error of one that had not', async () => {
    const stuck = defineContext(({ resources }) => {
      resources.defer(() => Promise.reject(new Error('stuck')));
      return {};
    });
    const good = capability(() => 1, 'query');
    const bad = capability(() => {
      throw defaultErrors.NotFound();
    }, 'query');
    const api = await serve({ good, bad }, { context: stuck });
    await expect(api.server.invoke({ capability: 'good' })).rejects.toThrow('stuck');
    await expect(api.server.invoke({ capability: 'bad' })).rejects.toThrow('Not found');
  });
});
