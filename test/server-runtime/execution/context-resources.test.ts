import { expect, it } from 'vitest';
import type { BuilderRequest } from '../../../server-runtime/capability/context.ts';
import {
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
  definePlugin,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { describeOverSockets } from '../../helpers/every-door.ts';
import { type RunningRest, startOverSocket } from '../../helpers/start-rest.ts';

/** A server whose context builder and plugin take something for each request, and what was let go of. */
async function serve(): Promise<{
  readonly api: RunningRest;
  readonly log: string[];
  readonly end: () => void;
}> {
  const log: string[] = [];
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const context = defineContext(({ resources, headers }: BuilderRequest) => {
    log.push('taken');
    const connection = resources.use({
      [Symbol.asyncDispose]: async () => void log.push('connection'),
    });
    if (headers['x-fail'] !== undefined) throw new Error('the builder failed');
    return { connection };
  });
  const lock = definePlugin({
    name: 'lock',
    context: ({ resources }) => {
      resources.defer(() => void log.push('lock'));
      return { locked: true };
    },
  });
  const refuse = defineGuard(() => {
    throw defaultErrors.Forbidden();
  });
  const capabilities = {
    data: capability(() => log.push('data'), 'query'),
    refused: capability(() => 1, 'query').guard(refuse),
    async: capability(async function* () {
      yield log.push('first');
      yield log.push('second');
    }, 'query'),
    slow: capability(() => ended.then(() => log.push('slow')), 'query').enhance(withTimeout(20)),
  };
  const api = await startOverSocket({ context, plugins: [lock], capabilities } as never);
  return { api, log, end };
}

describeOverSockets('what the builder of a context takes', () => {
  it('is let go of before the answer, and of a stream at its end', async () => {
    const { api, log } = await serve();
    await api.request('/data');
    expect(log).toEqual(['taken', 'data', 'lock', 'connection']);
    log.length = 0;
    expect(await (await api.request('/async')).text()).toBe('data: 2\n\ndata: 3\n\n');
    expect(log).toEqual(['taken', 'first', 'second', 'lock', 'connection']);
  });

  it('is let go of when the request is refused by a guard, by its input or by the builder itself', async () => {
    const { api, log } = await serve();
    expect((await api.request('/refused')).status).toBe(403);
    expect(log).toEqual(['taken', 'lock', 'connection']);
    log.length = 0;
    expect((await api.request('/data', { headers: { 'x-fail': '1' } })).status).toBe(500);
    expect(log).toEqual(['taken', 'connection']);
  });

  it('is let go of when a handler ends whose request had timed out', async () => {
    const { api, log, end } = await serve();
    expect((await api.request('/slow')).status).toBe(504);
    expect(log).toEqual(['taken']);
    end();
    await expect.poll(() => log).toEqual(['taken', 'slow', 'lock', 'connection']);
  });

  it('is let go of after calls from inside the process', async () => {
    const { api, log } = await serve();
    await api.server.invoke({ capability: 'data' });
    expect(log).toEqual(['taken', 'data', 'lock', 'connection']);
    log.length = 0;
    const items = (await api.server.invoke({ capability: 'async' })) as AsyncIterable<number>;
    expect(log).toEqual(['taken']);
    for await (const item of items) if (item === 2) break;
    expect(log).toEqual(['taken', 'first', 'lock', 'connection']);
  });
});
