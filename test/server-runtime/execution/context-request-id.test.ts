import { expect, it } from 'vitest';
import {
  capability,
  defineContext,
  defineMiddleware,
  definePlugin,
} from '../../../server-runtime/index.ts';
import { describeInvocations } from '../../helpers/every-door.ts';

const headers = { 'x-request-id': 'r1' };
const getId = capability((_input, ctx) => ({ requestId: ctx.requestId }), 'query');
const passOn = defineMiddleware(({ ctx, next }) => next({ ...ctx }));

class Context {
  readonly signal = new AbortController().signal;
}

describeInvocations('every context has a request id', (serve) => {
  it.each([
    ['of no builder', undefined],
    ['of a builder that says none', defineContext(() => ({ db: 'pg' }))],
    ['of a builder of frozen objects', defineContext(() => Object.freeze({ db: 'pg' }))],
    ['of a builder that has one object', defineContext(toConstant({ db: 'pg' }))],
    ['of a builder with a signal of its own', defineContext(() => new Context())],
  ])('that of the request: %s', async (_name, context) => {
    const capabilities = { a: { getId, getEnhanced: getId.enhance(passOn) } };
    const invoke = serve({ ...(context && { context }), capabilities });
    for (const requestId of ['r1', 'r2']) {
      const invocation = { headers: { 'x-request-id': requestId } };
      expect(await invoke({ capability: 'a.getId', ...invocation })).toEqual({ requestId });
      expect(await invoke({ capability: 'a.getEnhanced', ...invocation })).toEqual({
        requestId,
      });
    }
  });

  it('or what the builder says', async () => {
    const context = defineContext(() => ({ requestId: 'own' }));
    const invoke = serve({ context, capabilities: { a: { getId } } });
    expect(await invoke({ capability: 'a.getId', headers })).toEqual({ requestId: 'own' });
  });

  it('or what a plugin says, where the builder says none', async () => {
    const plugin = definePlugin({ context: () => ({ requestId: 'of the plugin' }) });
    const context = defineContext(() => ({ db: 'pg' }));
    const invoke = serve({ context, capabilities: { a: { getId } }, plugins: [plugin] });
    expect(await invoke({ capability: 'a.getId', headers })).toEqual({
      requestId: 'of the plugin',
    });
  });

  it('which is shown where the context is sent', async () => {
    const getAll = capability((_input, ctx) => ctx, 'query');
    const invoke = serve({
      context: defineContext(() => ({ db: 'pg' })),
      capabilities: { a: { getAll } },
    });
    expect(JSON.stringify(await invoke({ capability: 'a.getAll', headers }))).toBe(
      '{"requestId":"r1","db":"pg"}',
    );
  });
});

function toConstant<T>(value: T): () => T {
  return () => value;
}
