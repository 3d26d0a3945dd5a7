import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AnyCapability,
  capability,
  createServer,
  defaultErrors,
  type GroupTree,
  reply,
  type Server,
  silentLogger,
  sse,
} from '../../../server-runtime/index.ts';
import { type McpOptions, mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { shop, shopContext } from '../../helpers/shop.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const odd = {
  odd: {
    getReply: capability(() => reply({ a: 1 }, { status: 201 })),
    getText: capability(() => new Response('hello')),
    getJson: capability(() => Response.json({ b: 2 })),
    getItems: capability(async function* () {
      yield 1;
      yield sse(2, { event: 'second' });
    }),
    getCircle: capability(() => {
      const circle: { self?: object } = {};
      circle.self = circle;
      return circle;
    }),
    getNothing: capability(() => undefined),
  },
};

function serve(options: McpOptions): { readonly server: Server; readonly logged: unknown[] } {
  const logged: unknown[] = [];
  const server = createServer({
    context: shopContext,
    capabilities: { ...shop, ...odd },
    transports: [mcpTransport(options)],
    logger: { ...silentLogger, error: (_message, details) => logged.push(details?.error) },
  });
  closers.push(() => server.stop());
  return { server, logged };
}

async function startHttp(
  options: McpOptions = {},
): Promise<{ readonly url: string; readonly logged: unknown[] }> {
  const { server, logged } = serve({ port: 0, ...options });
  const [mcp] = await server.start();
  return { url: mcp?.url ?? '', logged };
}

async function connectHttp(
  headers: Record<string, string> = {},
): Promise<{ readonly client: Client; readonly logged: unknown[] }> {
  const { url, logged } = await startHttp();
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Parameters<
      Client['connect']
    >[0],
  );
  closers.push(() => client.close());
  return { client, logged };
}

/** A client over a pair of streams, and what the server is told of their end. */
async function connectStdio(): Promise<{
  readonly client: Client;
  readonly toServer: PassThrough;
  readonly closed: Promise<void>;
}> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const closed = new Promise<void>((onClose) => {
    const { server } = serve({ stdio: { input: toServer, output: toClient, onClose } });
    closers.push(() => server.start());
  });
  await closers.pop()?.();
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioServerTransport(toClient, toServer));
  closers.push(() => client.close());
  return { client, toServer, closed };
}

const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content[0]?.text ?? '';

const transports = [
  ['Streamable HTTP', async () => (await connectHttp()).client],
  ['stdio', async () => (await connectStdio()).client],
] as const;

describe.each(transports)('mcpTransport over %s', (_name, connect) => {
  it('says its name and version', async () => {
    expect((await connect()).getServerVersion()).toEqual({ name: 'capix', version: '0.1.0' });
  });

  it('lists the capabilities as tools, in the order of declaration, without those that need a file', async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'users_getUser',
      'users_listUsers',
      'users_createUser',
      'users_updateUser',
      'users_replaceUser',
      'users_deleteUser',
      'users_unfollow',
      'users_sendNote',
      'catalog_categories_getCategory',
      'catalog_categories_createCategory',
      'catalog_prices',
      'catalog_find',
      'catalog_buy',
      'catalog_echo',
      'health',
      ...Object.keys(odd.odd).map((name) => `odd_${name}`),
    ]);
  });

  it('answers with the value as text and as data that fits the output schema', async () => {
    const client = await connect();
    await client.listTools();
    const result = await client.callTool({ name: 'users_getUser', arguments: { id: 'u7' } });
    expect(result.structuredContent).toMatchObject({
      data: { id: 'u7', home: { country: 'ch' }, bornAt: '1970-01-01T00:00:00.000Z' },
    });
    expect(JSON.parse(textOf(result))).toEqual(
      (result.structuredContent as { data: unknown }).data,
    );
    expect(
      await client.callTool({ name: 'catalog_categories_getCategory', arguments: {} }),
    ).toMatchObject({
      structuredContent: { data: { name: 'all', children: [] } },
    });
  });

  it('names every wrong field, with what was sent', async () => {
    const result = await (await connect()).callTool({
      name: 'users_listUsers',
      arguments: { page: 'two', kind: 'car' },
    });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^BadRequest \(400\): Input validation failed\nCorrect these fields and call again:\n- page: .*number.* \(received "two"\)\n- kind: .* \(received "car"\)$/,
    );
  });

  it('does not coerce texts: agents send JSON', async () => {
    const result = await (await connect()).callTool({
      name: 'users_listUsers',
      arguments: { page: '2' },
    });
    expect(result.isError).toBe(true);
  });

  it('names the guard that refuses', async () => {
    const result = await (await connect()).callTool({
      name: 'users_deleteUser',
      arguments: { id: 'u1' },
    });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'Unauthorized (401): Unauthorized\nThe guard mustBeUser refused the caller, whatever the input. It wants the header authorization: bearer …. The same caller will be refused again.',
    );
  });

  it('gives the error and its details where a capability refuses', async () => {
    const result = await (await connect()).callTool({
      name: 'users_getUser',
      arguments: { id: 'missing' },
    });
    expect([result.isError, textOf(result)]).toEqual([true, 'NotFound (404): No user missing']);
  });

  it('suggests the nearest name for an unknown tool', async () => {
    await expect(
      (await connect()).callTool({ name: 'users_getUsers', arguments: {} }),
    ).rejects.toThrow("There is no tool 'users_getUsers'. Did you mean 'users_getUser'?");
  });

  it.each<[string, unknown]>([
    ['odd_getReply', { a: 1 }],
    ['odd_getText', 'hello'],
    ['odd_getJson', { b: 2 }],
    ['odd_getItems', [1, 2]],
    ['odd_getNothing', null],
  ])('reads what %s gives to its end', async (name, data) => {
    expect((await (await connect()).callTool({ name, arguments: {} })).structuredContent).toEqual({
      data,
    });
  });
});

describe('mcpTransport over HTTP', () => {
  it('gives the headers of the request to the context', async () => {
    const { client } = await connectHttp({ authorization: 'Bearer ann' });
    const result = await client.callTool({ name: 'users_deleteUser', arguments: { id: 'u1' } });
    expect(result.structuredContent).toEqual({ data: { id: 'u1', force: false } });
  });

  it('logs what nobody foresaw, and tells the agent no more than that', async () => {
    const { client, logged } = await connectHttp();
    const result = await client.callTool({ name: 'odd_getCircle', arguments: {} });
    expect(textOf(result)).toBe(
      'Internal (500): Internal server error\nThe cause is in the log of the server.',
    );
    expect(String(logged[0])).toContain('circular');
  });

  /** By hand, because fetch sets Host and Origin itself. */
  function ask(
    url: string,
    { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string> },
  ): Promise<{ status: number | undefined; allow: string | undefined }> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    return new Promise((resolve, reject) => {
      const asked = request(
        url,
        {
          method,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
        },
        (response) => {
          response
            .resume()
            .once('end', () =>
              resolve({ status: response.statusCode, allow: response.headers.allow }),
            );
        },
      );
      asked.once('error', reject).end(method === 'POST' ? body : undefined);
    });
  }

  it.each<[string, Record<string, string>, number]>([
    ['a page elsewhere', { origin: 'https://evil.example' }, 403],
    ['a name that somebody else gave this machine', { host: 'evil.example' }, 403],
    ['an opaque origin', { origin: 'null' }, 403],
    ['no host that can be read', { host: 'a b' }, 400],
    ['a page of this machine', { origin: 'http://localhost:5173' }, 200],
    ['localhost', { host: 'localhost:1234' }, 200],
    ['the IPv6 address of this machine', { host: '[::1]:80' }, 200],
  ])('with %s', async (_name, headers, status) => {
    expect(await ask((await startHttp()).url, { headers })).toMatchObject({ status });
  });

  it('lets in the hosts and origins that it is told', async () => {
    const { url } = await startHttp({
      allowedHosts: ['mcp.example.org'],
      allowedOrigins: ['https://app.example.org'],
    });
    expect(
      await ask(url, { headers: { host: 'mcp.example.org', origin: 'https://app.example.org' } }),
    ).toMatchObject({
      status: 200,
    });
  });

  it('speaks at /mcp by POST alone', async () => {
    const { url } = await startHttp();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(await ask(url, { method: 'GET' })).toEqual({ status: 405, allow: 'POST' });
    expect(await ask(url.replace('/mcp', '/'), {})).toMatchObject({ status: 404 });
  });

  it('says which port is taken, with the code of the system', async () => {
    const { url } = await startHttp();
    const port = Number(new URL(url).port);
    await expect(startHttp({ port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `Port ${port} is already in use. Stop the program that uses it, or choose another port.`,
    });
  });

  it('refuses to listen where others can reach it unless it is told their names', () => {
    expect(() => mcpTransport({ host: '0.0.0.0' })).toThrow(
      /others can reach '0\.0\.0\.0'.*allowedHosts/,
    );
    expect(() =>
      mcpTransport({ host: '0.0.0.0', allowedHosts: ['mcp.example.org'] }),
    ).not.toThrow();
    expect(() => mcpTransport({ path: 'mcp' })).toThrow("expected a path such as '/mcp'");
  });

  it('fires the signal of the call when the agent leaves', async () => {
    const controller = new AbortController();
    const reason = new Promise<unknown>((resolve) => {
      const wait = capability((_input, { signal }) => {
        signal.addEventListener('abort', () => resolve(signal.reason));
        controller.abort();
        return new Promise(() => {});
      });
      void startHttp({ capabilities: { odd: { wait } } }).then(async ({ url }) => {
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'odd_wait', arguments: {} },
        });
        const headers = {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        };
        await expect(
          fetch(url, { method: 'POST', headers, body, signal: controller.signal }),
        ).rejects.toThrow('aborted');
      });
    });
    expect(await reason).toMatchObject({ name: 'AbortError' });
  });
});

describe('mcpTransport over stdio', () => {
  it('answers what was asked before the input ended, then closes', async () => {
    const { client, toServer, closed } = await connectStdio();
    const asked = client.callTool({ name: 'health', arguments: {} });
    toServer.end();
    expect((await asked).structuredContent).toEqual({ data: { ok: true } });
    await closed;
  });

  it('closes at once where nothing was asked', async () => {
    const { toServer, closed } = await connectStdio();
    toServer.end();
    await expect(closed).resolves.toBeUndefined();
  });
});

describe('tools', () => {
  const Query = z.object({ q: z.string() });
  const Named = z
    .object({ id: z.string(), parent: z.string().optional() })
    .meta({ id: 'NamedInput' });

  async function toolsOf(
    capabilities: GroupTree,
  ): Promise<Record<string, Awaited<ReturnType<Client['listTools']>>['tools'][number]>> {
    const server = createServer({
      capabilities: { a: capabilities },
      transports: [mcpTransport({ port: 0 })],
      logger: silentLogger,
    });
    const [mcp] = await server.start();
    closers.push(() => server.stop());
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(mcp?.url ?? '')) as Parameters<
        Client['connect']
      >[0],
    );
    closers.push(() => client.close());
    const { tools } = await client.listTools();
    return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  }

  it('have JSON Schemas whose root is an object', async () => {
    const tools = await toolsOf({
      plain: capability(() => 1),
      query: capability(Query, () => 'x').output(z.string()),
      named: capability(Named, () => 1),
      choice: capability(z.union([Query, z.object({ id: z.string() })]), () => 1),
    });
    expect(tools['a_plain']?.inputSchema).toEqual({ type: 'object', properties: {} });
    expect(tools['a_query']).toMatchObject({
      inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
      outputSchema: {
        type: 'object',
        properties: { data: { type: 'string' } },
        required: ['data'],
      },
    });
    expect(tools['a_named']?.inputSchema).toMatchObject({ type: 'object', required: ['id'] });
    expect(tools['a_choice']?.inputSchema).toMatchObject({
      type: 'object',
      properties: { q: {}, id: {} },
    });
  });

  it.each<[string, AnyCapability, object]>([
    ['getThing', capability(() => 1), { readOnlyHint: true }],
    ['createThing', capability(() => 1), { destructiveHint: false }],
    ['updateThing', capability(() => 1), { destructiveHint: true }],
    ['replaceThing', capability(() => 1), { destructiveHint: true, idempotentHint: true }],
    ['deleteThing', capability(() => 1), { destructiveHint: true, idempotentHint: true }],
    ['purge', capability(() => 1), { destructiveHint: true }],
    [
      'purge',
      capability(() => 1).tool({ destructive: false, openWorld: true }),
      { destructiveHint: false, openWorldHint: true },
    ],
  ])('say what a call of %s may do', async (name, cap, annotations) => {
    expect((await toolsOf({ [name]: cap }))[`a_${name}`]?.annotations).toEqual(annotations);
  });

  it('are renamed, described and hidden by `.tool`', async () => {
    const tools = await toolsOf({
      find: capability(() => 1)
        .describe('Finds.')
        .tool({ name: 'find-it', title: 'Find', description: 'For agents.' }),
      secret: capability(() => 1).tool(false),
      old: capability(() => 1)
        .describe('Runs.')
        .deprecated({ use: 'a.find' })
        .errors(defaultErrors.NotFound),
    });
    expect(Object.keys(tools)).toEqual(['find-it', 'a_old']);
    expect(tools['find-it']).toMatchObject({ title: 'Find', description: 'For agents.' });
    expect(tools['a_old']?.description).toBe(
      'Runs.\nDeprecated: use find-it.\nMay answer with the errors NotFound.',
    );
  });

  it('are offered under names that all clients take', async () => {
    expect(Object.keys(await toolsOf({ a: capability(() => 1).tool({ name: 'a b' }) }))).toEqual([
      'a_b',
    ]);
  });

  it('refuse a name that is taken at start', async () => {
    const capabilities = { a: capability(() => 1), b: capability(() => 1).tool({ name: 'a_a' }) };
    await expect(toolsOf(capabilities)).rejects.toThrow("`a.a` and `a.b` are both the tool 'a_a'");
  });
});
