// Boundary: agents and their clients, over MCP. Promises: nothing of a capability is read around its guards, a user's
// answer counts for one call of one caller, and no caller takes the place of others.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  defineContext,
  defineError,
  defineGuard,
  withCaller,
} from '../../server-runtime/index.ts';
import type { Authorize } from '../../server-runtime/mcp/index.ts';
import { askStateless } from '../helpers/ask-stateless.ts';
import { serveTools } from '../helpers/connect-to-tools.ts';

interface Ctx {
  readonly user: string | undefined;
}

const authorize: Authorize = ({ token }) => (token === undefined ? undefined : { sub: token });
const context = defineContext(({ identity }) => ({
  user: (identity as { readonly sub: string } | undefined)?.sub,
}));
const Forbidden = defineError(403, 'Forbidden');
const mustBeAlice = defineGuard(({ user }: Ctx) => {
  if (user !== 'alice') throw Forbidden();
});
const as = (token: string) => ({ authorization: `Bearer ${token}` });

describe('suggestions', () => {
  const cap = capability.withContext<Ctx>();
  const suggested: string[] = [];
  const getOrder = cap(
    z.object({ id: z.string(), state: z.enum(['open', 'sent']) }),
    () => null,
    'query',
  )
    .guard(mustBeAlice)
    .resource('shop://orders/{id}/{state}', {
      suggest: {
        id: (typed, _filled, ctx: Ctx) => {
          suggested.push(typed);
          return [`${typed}-of-${ctx.user}`];
        },
      },
    })
    .prompt({ name: 'review' });
  const refs = [
    { type: 'ref/resource', uri: 'shop://orders/{id}/{state}' },
    { type: 'ref/prompt', name: 'review' },
  ];

  it.each(refs)(
    'of a $type are for whom the guards let pass, and know who that is',
    async (ref) => {
      const url = await serveTools(
        { context, capabilities: { shop: { getOrder } } },
        { authorize },
      );
      const complete = (token: string, name: string) =>
        askStateless(url, {
          method: 'completion/complete',
          params: { ref, argument: { name, value: 'o' } },
          headers: as(token),
        });
      const values = ref.type === 'ref/prompt' ? [] : ['o-of-alice'];
      expect((await complete('alice', 'id')).result).toMatchObject({ completion: { values } });
      expect((await complete('alice', 'state')).result).toMatchObject({
        completion: { values: ['open'] },
      });
      suggested.length = 0;
      for (const name of ['id', 'state']) {
        const { error } = await complete('bob', name);
        expect(error?.message).toBe(`There is no prompt or resource '${ref.uri ?? ref.name}'.`);
      }
      expect(suggested).toEqual([]);
    },
  );

  it('say why they are refused where lists hide nothing', async () => {
    const url = await serveTools({ context, capabilities: { shop: { getOrder } } });
    const params = { ref: refs[0], argument: { name: 'id', value: 'o' } };
    const { error } = await askStateless(url, { method: 'completion/complete', params });
    expect(error?.message).toContain('Forbidden (403)');
  });

  it('whose function fails say no more than that', async () => {
    const listAll = cap(z.object({ id: z.string() }), () => null, 'query').resource(
      'shop://all/{id}',
      {
        suggest: {
          id: () => {
            throw new Error('select * from secrets');
          },
        },
      },
    );
    const url = await serveTools({ context, capabilities: { shop: { listAll } } });
    const ref = { type: 'ref/resource', uri: 'shop://all/{id}' };
    const params = { ref, argument: { name: 'id', value: 'o' } };
    const { error } = await askStateless(url, { method: 'completion/complete', params });
    expect(error).toMatchObject({ code: -32_603 });
    expect(JSON.stringify(error)).not.toContain('select');
  });
});

describe('the answer of a user', () => {
  const ran: string[] = [];
  const deleting = () =>
    capability.withContext<Ctx>().use(withCaller)(
      z.object({ id: z.string(), deep: z.object({ a: z.int(), b: z.int() }).optional() }),
      async ({ id }, { user, elicit }) => {
        const { action } = await elicit(`Delete ${id}?`, z.object({}));
        if (action === 'accept') ran.push(`${user} ${id}`);
        return action;
      },
    );
  const accept = { 'question-1': { action: 'accept', content: {} } };
  const serve = () => {
    ran.length = 0;
    const capabilities = { shop: { deleteOne: deleting(), removeOne: deleting() } };
    return serveTools({ context, capabilities }, { authorize });
  };
  const call = (url: string, token: string, params: Readonly<Record<string, unknown>>) =>
    askStateless(url, {
      method: 'tools/call',
      params: { name: 'shop_deleteOne', arguments: { id: 'cheap' }, ...params },
      capabilities: { elicitation: {} },
      headers: as(token),
    });

  it('is used for the call that asked, whatever the order of its fields', async () => {
    const url = await serve();
    const input = { id: 'cheap', deep: { a: 1, b: 2 } };
    const first = await call(url, 'alice', { arguments: input });
    const requestState = first.result?.['requestState'];
    const turned = { deep: { b: 2, a: 1 }, id: 'cheap' };
    await call(url, 'alice', { arguments: turned, requestState, inputResponses: accept });
    expect(ran).toEqual(['alice cheap']);
  });

  it.each([
    ['by another caller', 'bob', {}],
    ['for another input', 'alice', { arguments: { id: 'EXPENSIVE' } }],
    ['for another tool', 'alice', { name: 'shop_removeOne' }],
    ['by another for another input', 'bob', { arguments: { id: 'EXPENSIVE' } }],
    ['without what the server gave to keep', 'alice', { requestState: undefined }],
  ])('is not used %s: that call asks', async (_what, token, change) => {
    const url = await serve();
    const { result } = await call(url, 'alice', {});
    const answered = { requestState: result?.['requestState'], inputResponses: accept, ...change };
    const other = await call(url, token, answered);
    expect(other.result).toMatchObject({ resultType: 'input_required' });
    expect(ran).toEqual([]);
  });
});

describe('sessions', () => {
  const initialize = async (url: string, token: string) => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const opened = await fetch(url, {
      method: 'POST',
      headers: {
        ...as(token),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
    });
    await opened.text();
    return opened.headers.get('mcp-session-id') ?? '';
  };

  it('of a caller end for nobody else: its own oldest makes room', async () => {
    const capabilities = { a: { greet: capability(() => 'hello', 'query') } };
    const url = await serveTools({ context, capabilities }, { authorize });
    const [alice, first] = [await initialize(url, 'alice'), await initialize(url, 'bob')];
    for (let count = 0; count < 100; count += 20)
      await Promise.all(Array.from({ length: 20 }, () => initialize(url, 'bob')));
    const listen = async (token: string, session: string) => {
      const headers = { ...as(token), accept: 'text/event-stream', 'mcp-session-id': session };
      const { status, body } = await fetch(url, { headers });
      await body?.cancel();
      return status;
    };
    expect([await listen('alice', alice), await listen('bob', first)]).toEqual([200, 404]);
  });
});
