import { describe, expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  restTransport,
} from '../../../server-runtime/index.ts';
import {
  type Authorize,
  type McpOptions,
  mcpTransport,
} from '../../../server-runtime/mcp/index.ts';
import { askStateless, postStateless } from '../../helpers/ask-stateless.ts';
import { connectToUrl } from '../../helpers/connect-to-tools.ts';
import { recordLog } from '../../helpers/start-rest.ts';

interface User {
  readonly name: string;
  readonly admin: boolean;
}
interface Context {
  readonly user: User | undefined;
}

const context = defineContext(({ identity }): Context => ({ user: identity as User | undefined }));
let guarded = 0;
const mustBeAdmin = defineGuard(
  ({ user }: Context) => {
    guarded += 1;
    if (user?.admin !== true) throw defaultErrors.Forbidden();
  },
  { name: 'mustBeAdmin' },
);
const cap = capability.withContext<Context>();
const users = {
  whoAmI: cap((_input, { user }) => user?.name ?? 'nobody', 'query'),
  deleteUser: cap.guard(mustBeAdmin)(() => 'deleted'),
  purge: cap.guard(mustBeAdmin)(() => 'purged'),
};

const tokens: Readonly<Record<string, User>> = {
  ann: { name: 'Ann', admin: true },
  bob: { name: 'Bob', admin: false },
};
const authorize: Authorize = ({ token }) => {
  if (token === 'old') throw defaultErrors.Forbidden('The token lacks the scope users:write.');
  if (token === 'broken') throw new Error('The keys cannot be read: db://root:secret@db');
  return token === undefined ? undefined : tokens[token];
};
const resourceMetadata = {
  resource: 'https://api.example.org/mcp',
  authorizationServers: ['https://login.example.org'],
  scopes: ['users:read', 'users:write'],
};

async function serve(options: McpOptions = { authorize, resourceMetadata }) {
  const log = recordLog();
  const transports = [mcpTransport({ port: 0, ...options })];
  const server = createServer({ context, capabilities: { users }, transports, logger: log });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { server, url: started?.url ?? '', log };
}

const whereAmI = capability.withContext<{ from: string | undefined }>()(
  (_input, { from }) => from ?? 'nowhere',
  'query',
);

describe('readOnly', () => {
  it('serves what changes nothing: no other tool is listed, or runs', async () => {
    let removed = 0;
    const read = capability(() => 'read', 'query').resource('shop://order');
    const findAndRemove = capability(() => ++removed).prompt();
    const archive = capability(() => ++removed, 'query')
      .resource('shop://archive')
      .tool({ readOnly: false });
    const remove = capability(() => ++removed);
    const capabilities = { orders: { read, findAndRemove, archive, remove } };
    const transports = [mcpTransport({ port: 0, readOnly: true })];
    const server = createServer({ capabilities, transports, logger: recordLog() });
    const [started] = await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const client = await connectToUrl(started?.url ?? '');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['orders_read']);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['shop://order']);
    expect((await client.listPrompts()).prompts).toEqual([]);
    for (const name of ['orders_remove', 'orders_findAndRemove', 'orders_archive'])
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(name);
    await expect(client.readResource({ uri: 'shop://archive' })).rejects.toThrow('shop://archive');
    expect(removed).toBe(0);
  });
});

describe('trustProxy', () => {
  it('takes the word of so many proxies for the address of the caller, for `authorize` and for contexts', async () => {
    const told: unknown[] = [];
    const transport = mcpTransport({
      port: 0,
      trustProxy: 1,
      authorize: ({ remoteAddress }) => {
        told.push(remoteAddress);
        return {};
      },
    });
    const from = defineContext(({ remoteAddress }) => ({ from: remoteAddress }));
    const server = createServer({
      context: from,
      capabilities: { a: { whereAmI } },
      transports: [transport],
    });
    const [started] = await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const { result } = await askStateless(started?.url ?? '', {
      method: 'tools/call',
      params: { name: 'a_whereAmI', arguments: {} },
      headers: { 'x-forwarded-for': '6.6.6.6, 198.51.100.1' },
    });
    expect(result?.['structuredContent']).toEqual({ data: '198.51.100.1' });
    expect(told).toEqual(['198.51.100.1']);
  });

  it('is checked when the transport is made', () => {
    expect(() => mcpTransport({ trustProxy: '10.0.0.0/99' })).toThrow(
      "mcpTransport trustProxy: expected true, the number of proxies, or their addresses: a subnet such as '10.0.0.0/8'",
    );
    expect(() => mcpTransport({ trustProxy: -1 })).toThrow(
      'mcpTransport trustProxy: expected true, the number',
    );
  });
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const list = (url: string, token: string) =>
  askStateless(url, { method: 'tools/list', headers: bearer(token) }).then(({ result }) =>
    (result?.['tools'] as { name: string }[] | undefined)?.map(({ name }) => name),
  );

describe('authorize', () => {
  it('comes before everything, and says where tokens are given', async () => {
    const { url } = await serve();
    const where =
      'resource_metadata="https://api.example.org/.well-known/oauth-protected-resource/mcp"';
    const challengeOf = async (headers: Record<string, string>) => {
      const response = await fetch(url, { method: 'POST', headers, body: 'not JSON' });
      return [response.status, response.headers.get('www-authenticate')];
    };
    const scope = 'scope="users:read users:write"';
    expect(await challengeOf({})).toEqual([401, `Bearer ${scope}, ${where}`]);
    expect(await challengeOf(bearer('eve'))).toEqual([
      401,
      `Bearer error="invalid_token", ${scope}, ${where}`,
    ]);
    expect(await challengeOf(bearer('old'))).toEqual([
      403,
      `Bearer error="insufficient_scope", ${scope}, ${where}`,
    ]);
    expect(await challengeOf(bearer('ann'))).toEqual([415, null]);
  });

  it('gives contexts who asks, in both eras', async () => {
    const { url } = await serve();
    const call = { name: 'users_whoAmI', arguments: {} };
    const { result } = await askStateless(url, {
      method: 'tools/call',
      params: call,
      headers: bearer('ann'),
    });
    expect(result?.['structuredContent']).toEqual({ data: 'Ann' });
    const client = await connectToUrl(url, bearer('bob'));
    expect((await client.callTool(call)).structuredContent).toEqual({ data: 'Bob' });
  });

  it('that throws is 500, and tells its cause to the log alone', async () => {
    const { url, log } = await serve();
    const response = await postStateless(url, { method: 'tools/list', headers: bearer('broken') });
    expect([response.status, await response.text()]).toEqual([
      500,
      '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Internal server error"},"id":null}',
    ]);
    expect(log.errors.map(({ message }) => message)).toEqual([
      '[capix] authorize of mcpTransport failed',
    ]);
  });

  it('hides the tools whose guards would refuse, and asks each guard once', async () => {
    const { url } = await serve();
    guarded = 0;
    expect(await list(url, 'bob')).toEqual(['users_whoAmI']);
    expect(guarded).toBe(1);
    expect(await list(url, 'ann')).toEqual(['users_whoAmI', 'users_deleteUser', 'users_purge']);
    expect(await list((await serve({ authorize, hidesRefused: false })).url, 'bob')).toHaveLength(
      3,
    );
  });

  it('hides what is guarded from a caller for whom there is no context', async () => {
    const server = createServer({
      context: defineContext((): Context => {
        throw defaultErrors.Unauthorized('The account is closed.');
      }),
      capabilities: { users },
      transports: [mcpTransport({ port: 0, authorize })],
      logger: recordLog(),
    });
    const [started] = await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    expect(await list(started?.url ?? '', 'ann')).toEqual(['users_whoAmI']);
  });

  it('refuses what can be meant only by mistake', () => {
    expect(() => mcpTransport({ resourceMetadata })).toThrow('say who is let in, too');
    expect(() =>
      mcpTransport({ authorize, resourceMetadata: { ...resourceMetadata, resource: '/mcp' } }),
    ).toThrow(
      "resourceMetadata.resource: expected an address such as 'https://api.example.org/mcp', got '/mcp'",
    );
  });
});

describe('the document of RFC 9728', () => {
  const document = {
    resource: 'https://api.example.org/mcp',
    authorization_servers: ['https://login.example.org'],
    bearer_methods_supported: ['header'],
    scopes_supported: ['users:read', 'users:write'],
  };

  it.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])(
    'is read without a token: %s',
    async (path) => {
      const { url } = await serve();
      expect(await (await fetch(new URL(path, url))).json()).toEqual(document);
    },
  );

  it('is read at the port of the application, too', async () => {
    const mcp = mcpTransport({ authorize, resourceMetadata, port: false });
    const transports = [restTransport({ port: 0 }), mcp];
    const server = createServer({
      context,
      capabilities: { users },
      transports,
      logger: recordLog(),
    });
    const [{ url: origin = '' } = {}] = await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const ask = (path: string) => fetch(origin + path).then((response) => response.json());
    expect(await ask('/.well-known/oauth-protected-resource')).toEqual(document);
    expect(await ask('/.well-known/openid-configuration')).toMatchObject({ error: 'NotFound' });
  });
});

describe('a page in a browser', () => {
  const origin = 'https://app.example.org';

  it('may ask before it asks, and read the answer', async () => {
    const { url } = await serve({ authorize, allowedOrigins: [origin] });
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,mcp-param-region',
      },
    });
    expect([preflight.status, Object.fromEntries(preflight.headers)]).toMatchObject([
      204,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, DELETE',
        'access-control-allow-headers': 'authorization,content-type,mcp-param-region',
        vary: 'Origin',
      },
    ]);
    const refused = await postStateless(url, { method: 'tools/list', headers: { origin } });
    const answered = await postStateless(url, {
      method: 'tools/list',
      headers: { origin, ...bearer('ann') },
    });
    for (const [response, status] of [
      [refused, 401],
      [answered, 200],
    ] as const) {
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
        status,
        origin,
      ]);
      expect(response.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
    }
  });

  it('of another origin gets nothing', async () => {
    const { url } = await serve({ authorize, allowedOrigins: [origin] });
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const preflight = await fetch(url, { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      403,
      null,
    ]);
  });
});
