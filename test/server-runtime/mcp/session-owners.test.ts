import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defineContext,
  defineGuard,
  definePlugin,
  type Observer,
  silentLogger,
  withCaller,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import {
  type Authorize,
  type McpOptions,
  mcpTransport,
} from '../../../server-runtime/mcp/index.ts';

/** Tokens of people: `alice-2` is what Alice gets for `alice-1` when that has ended. */
const authorize: Authorize = ({ token }) =>
  token === undefined ? undefined : { sub: token.split('-')[0], exp: Number(token.split('-')[1]) };

import { defer } from '../../helpers/start-rest.ts';

async function toList<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A server whose calls wait until they are let go or cancelled, with the calls that ran and those that were cancelled. */
async function serve(options: McpOptions = { authorize }) {
  const ran: string[] = [];
  const [began, cancelled] = [defer(), defer()];
  const context = defineContext(({ identity, signal }) => ({
    who: (identity as { sub: string }).sub,
    signal,
  }));
  const cap = capability.withContext<{ who: string; signal: AbortSignal }>();
  const a = {
    deleteAll: cap.use(withCaller)(async (_input, { who, elicit }) => {
      const { action } = await elicit('Delete everything?', z.object({}));
      if (action === 'accept') ran.push(who);
    }),
    wait: cap(async (_input, { signal }) => {
      began.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      cancelled.resolve();
    }, 'query'),
  };
  const transports = [mcpTransport({ port: 0, ...options })];
  const server = createServer({ context, capabilities: { a }, transports, logger: silentLogger });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { url: started?.url ?? '', ran, began: began.promise, cancelled: cancelled.promise };
}

type Send = (message: object | undefined, session?: string, method?: string) => Promise<Response>;

function as(token: string, url: string): Send {
  return (message, session, method = 'POST') =>
    fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      ...(message === undefined ? {} : { body: JSON.stringify({ jsonrpc: '2.0', ...message }) }),
    });
}

async function openSession(send: Send): Promise<string> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: { elicitation: {} },
    clientInfo: { name: 't', version: '1' },
  };
  const opened = await send({ id: 0, method: 'initialize', params });
  await opened.text();
  const session = opened.headers.get('mcp-session-id') ?? '';
  await (await send({ method: 'notifications/initialized' }, session)).text();
  return session;
}

const call = (name: string, id: number) => ({
  id,
  method: 'tools/call',
  params: { name: `a_${name}`, arguments: {} },
});

/** The messages of an answer that is a stream, one after the other. */
async function* readMessages(
  response: Response,
): AsyncGenerator<{ readonly id?: unknown; readonly method?: string }> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const [, data] = /^data: (.+)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (data !== undefined)
        yield JSON.parse(data) as { readonly id?: unknown; readonly method?: string };
    }
  }
}

describe('a session that somebody else has opened', () => {
  it('is not found, by whatever request, and goes on for the one who has', async () => {
    const { url, ran, began } = await serve();
    const [alice, bob] = [as('alice-1', url), as('bob-1', url)];
    const session = await openSession(alice);
    const messages = readMessages(await alice(call('deleteAll', 1), session));
    const { value: asked } = await messages.next();
    expect(asked?.method).toBe('elicitation/create');
    const accept = { id: asked?.id, result: { action: 'accept', content: {} } };
    const waiting = alice(call('wait', 2), session);
    await began;

    expect((await bob(accept, session)).status).toBe(404);
    expect(
      (await bob({ method: 'notifications/cancelled', params: { requestId: 2 } }, session)).status,
    ).toBe(404);
    expect((await bob({ id: 9, method: 'tools/list' }, session)).status).toBe(404);
    expect((await bob(undefined, session, 'GET')).status).toBe(404);
    expect((await bob(undefined, session, 'DELETE')).status).toBe(404);
    expect(ran).toEqual([]);

    expect((await alice(accept, session)).status).toBe(202);
    await messages.next();
    expect(ran).toEqual(['alice']);
    await alice({ method: 'notifications/cancelled', params: { requestId: 2 } }, session);
    await (await waiting).text();
  });

  it('is still that of its owner with a new token', async () => {
    const { url } = await serve();
    const session = await openSession(as('alice-1', url));
    expect((await as('alice-2', url)({ id: 1, method: 'ping' }, session)).status).toBe(200);
    expect((await as('bob-2', url)({ id: 1, method: 'ping' }, session)).status).toBe(404);
  });

  it('is that of its owner where identities are objects of a class, which hide what they hold', async () => {
    class User {
      readonly #name: string;
      constructor(name: string) {
        this.#name = name;
      }
      get sub(): string {
        return this.#name;
      }
    }
    const users = new Map(['alice', 'bob'].map((name) => [name, new User(name)]));
    const { url } = await serve({
      authorize: ({ token = '' }) => users.get(token.split('-')[0] ?? ''),
    });
    const session = await openSession(as('alice-1', url));
    expect((await as('alice-2', url)({ id: 1, method: 'ping' }, session)).status).toBe(200);
    expect((await as('bob-1', url)({ id: 1, method: 'ping' }, session)).status).toBe(404);
  });
});

it('a cancelled call ends its response', async () => {
  const { url, began, cancelled } = await serve();
  const alice = as('alice-1', url);
  const session = await openSession(alice);
  const waiting = alice(call('wait', 7), session);
  await began;
  await alice({ method: 'notifications/cancelled', params: { requestId: 7 } }, session);
  await cancelled;
  expect(await toList(readMessages(await waiting))).toEqual([]);
});

it('a list of tools makes no calls and takes no tokens of limits', async () => {
  const seen: string[] = [];
  const mustBeUser = defineGuard(() => void seen.push('guard'));
  const observe: Observer = ({ kind }) =>
    kind === 'call' ? (run) => (seen.push('call'), run()) : undefined;
  const context = defineContext(() => ({}));
  const limit = withRateLimit({ limit: 1, windowMs: 60_000, countsRefused: true });
  const a = {
    getIt: capability(() => 'it', 'query')
      .guard(mustBeUser)
      .enhance(limit),
  };
  const server = createServer({
    context,
    capabilities: { a },
    plugins: [definePlugin({ observe })],
    transports: [mcpTransport({ port: 0, authorize })],
    logger: silentLogger,
  });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const alice = as('alice-1', started?.url ?? '');
  const session = await openSession(alice);
  for (const id of [1, 2, 3]) {
    const [list] = await toList(readMessages(await alice({ id, method: 'tools/list' }, session)));
    expect(list).toMatchObject({ result: { tools: [{ name: 'a_getIt' }] } });
  }
  expect(seen).toEqual(['guard', 'guard', 'guard']);
  const [answer] = await toList(readMessages(await alice(call('getIt', 4), session)));
  expect(answer).toMatchObject({ result: { structuredContent: { data: 'it' } } });
});
