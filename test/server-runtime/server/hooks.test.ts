import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { ContextRequest } from '../../../server-runtime/capability/context.ts';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  definePlugin,
  type Hooks,
  reply,
  restTransport,
  type Server,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import type { AnsweredRequest, FailedRequest } from '../../../server-runtime/server/hooks.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';
import { connectToUrl } from '../../helpers/connect-to-tools.ts';
import { openTalk } from '../../helpers/start-web-sockets.ts';

const mustPass = defineGuard(() => {
  throw defaultErrors.Forbidden();
});

const capabilities = {
  items: {
    getItem: capability(z.object({ id: z.string() }), ({ id }) => {
      if (id === '0') throw defaultErrors.NotFound();
      if (id === '!') throw new Error('broken');
      return { id };
    }),
    createItem: capability(() => reply({}, { status: 201 })),
    listItems: capability(async function* () {
      yield 1;
    }),
    getTicks: capability(async function* () {
      yield 1;
      throw defaultErrors.Conflict();
    }),
    deleteItem: capability(z.object({ id: z.string() }), () => null).guard(mustPass),
    getCircle: capability(() => {
      const circle: { self?: object } = {};
      circle.self = circle;
      return circle;
    }),
  },
};

/** Each call of a hook in a line. */
function record(): { readonly hooks: Hooks; readonly seen: string[] } {
  const seen: string[] = [];
  const about = ({ transport, requestId }: ContextRequest): string => `${transport} ${requestId}`;
  return {
    seen,
    hooks: {
      onRequest: (request) => void seen.push(`${about(request)} begins`),
      onResponse: ({ request, capability: key, status, durationMs }: AnsweredRequest) =>
        void seen.push(
          `${about(request)} ${key} ${status} ${durationMs >= 0 && durationMs < 60_000}`,
        ),
      onError: ({ request, capability: key, failure }: FailedRequest) =>
        void seen.push(`${about(request)} ${key} ${failure.name}`),
    },
  };
}

async function start(hooks: Hooks) {
  const transports = [restTransport({ port: 0 }), webSocketTransport(), mcpTransport({ port: 0 })];
  const server = createServer({ capabilities, hooks, transports, logger: silentLogger });
  const [rest, , mcp] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { server, restUrl: rest?.url ?? '', mcpUrl: mcp?.url ?? '' };
}

const headers = { 'x-request-id': 'r1' };

/** What is called, and what every door makes of it. */
const cases: readonly [name: string, input: Record<string, string>, lines: readonly string[]][] = [
  ['getItem', { id: '7' }, ['items.getItem 200 true']],
  ['getItem', { id: '0' }, ['items.getItem NotFound', 'items.getItem 404 true']],
  ['getItem', { id: '!' }, ['items.getItem Internal', 'items.getItem 500 true']],
  ['getItem', {}, ['items.getItem BadRequest', 'items.getItem 400 true']],
  ['createItem', {}, ['items.createItem 201 true']],
  ['listItems', {}, ['items.listItems 200 true']],
  ['deleteItem', { id: '1' }, ['items.deleteItem Forbidden', 'items.deleteItem 403 true']],
];

const onlyOfAgents: typeof cases = [
  ['getTicks', {}, ['items.getTicks Conflict', 'items.getTicks 409 true']],
  ['getCircle', {}, ['items.getCircle Internal', 'items.getCircle 500 true']],
];

it.each([...cases, ...onlyOfAgents])(
  'hooks see a call of %s with %j by an agent',
  async (name, input, lines) => {
    const { hooks, seen } = record();
    const client = await connectToUrl((await start(hooks)).mcpUrl, headers);
    await client.callTool({ name: `items_${name}`, arguments: input });
    expect(seen).toEqual(['begins', ...lines].map((line) => `mcp r1 ${line}`));
  },
);

it.each(cases)(
  'hooks see a call of %s with %j over a WebSocket, behind the request for the connection',
  async (name, input, lines) => {
    const { hooks, seen } = record();
    const { restUrl } = await start(hooks);
    const talk = await openTalk(restUrl.replace('http', 'ws'), { headers });
    expect(seen.splice(0)).toEqual(['websocket r1 begins', 'websocket r1 undefined 101 true']);
    talk.call(`items.${name}`, input, { headers: { 'x-request-id': 'r2' } });
    await talk.next();
    expect(seen).toEqual(['begins', ...lines].map((line) => `websocket r2 ${line}`));
  },
);

it.each(cases)(
  'hooks see a call of %s with %j from inside the process',
  async (name, input, lines) => {
    const { hooks, seen } = record();
    const { server } = await start(hooks);
    await (server as Server)
      .invoke({ capability: `items.${name}`, input, headers })
      .catch(() => {});
    expect(seen).toEqual(['begins', ...lines].map((line) => `invoke r1 ${line}`));
  },
);

it('hooks see a request over REST once', async () => {
  const { hooks, seen } = record();
  const { restUrl } = await start(hooks);
  await (await fetch(`${restUrl}/items/7`, { headers })).text();
  await (await fetch(`${restUrl}/items/0`, { headers })).text();
  expect(seen).toEqual([
    'rest r1 begins',
    'rest r1 items.getItem 200 true',
    'rest r1 begins',
    'rest r1 items.getItem NotFound',
    'rest r1 items.getItem 404 true',
  ]);
});

it('hooks see a call of what does not exist', async () => {
  const { hooks, seen } = record();
  const { server } = await start(hooks);
  await expect((server as Server).invoke({ capability: 'items.none', headers })).rejects.toThrow(
    "no capability 'items.none'",
  );
  expect(seen).toEqual([
    'invoke r1 begins',
    'invoke r1 undefined NotFound',
    'invoke r1 undefined 404 true',
  ]);
});

it('hooks see a call whose caller leaves', async () => {
  const { hooks, seen } = record();
  const { server } = await start(hooks);
  await server
    .invoke({
      capability: 'items.getItem',
      input: { id: '1' },
      headers,
      signal: AbortSignal.abort(),
    })
    .catch(() => {});
  expect(seen).toEqual([
    'invoke r1 begins',
    'invoke r1 items.getItem ServiceUnavailable',
    'invoke r1 items.getItem 503 true',
  ]);
});

it('hooks of plugins see agents too, and contexts are told the way in and the address', async () => {
  const seen: string[] = [];
  const server = createServer({
    context: defineContext(({ transport, remoteAddress, method, path }) => ({
      facts: [transport, remoteAddress, method, path],
    })),
    capabilities: {
      a: {
        getFacts: capability.withContext<{ facts: unknown; signal: AbortSignal }>()(
          (_input, { facts }) => facts,
        ),
      },
    },
    plugins: [
      definePlugin({ hooks: { onResponse: ({ capability: key }) => void seen.push(`${key}`) } }),
    ],
    transports: [mcpTransport({ port: 0 }), restTransport({ port: 0, host: '127.0.0.1' })],
    logger: silentLogger,
  });
  const [mcp, rest] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const client = await connectToUrl(mcp?.url ?? '');
  const { structuredContent } = await client.callTool({ name: 'a_getFacts', arguments: {} });
  expect(structuredContent).toEqual({ data: ['mcp', '127.0.0.1', 'INVOKE', 'a.getFacts'] });
  expect(await (await fetch(`${rest?.url}/a/facts`)).json()).toEqual({
    data: ['rest', '127.0.0.1', 'GET', '/a/facts'],
  });
  expect(await server.invoke({ capability: 'a.getFacts' })).toEqual([
    'invoke',
    undefined,
    'INVOKE',
    'a.getFacts',
  ]);
  expect(seen).toEqual(['a.getFacts', 'a.getFacts', 'a.getFacts']);
});
