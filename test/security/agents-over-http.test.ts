// Boundary: agents and pages that reach the port of MCP. Promises: Host, Origin and the type of a message are looked at
// before anything runs, a session is found by its own id alone, and no message takes more than its share.
import { request as ask } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  restTransport,
  silentLogger,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { mcpTransport } from '../../server-runtime/mcp/index.ts';

let runs = 0;
const createItem = capability(z.object({ name: z.string() }), () => ++runs);
const getItem = capability(z.object({ id: z.string(), part: z.string() }), ({ id }) => id, 'query')
  .resource('shop://{id}/of/{part}')
  .prompt();
const server = createServer({
  capabilities: { items: { createItem, getItem } },
  logger: silentLogger,
  transports: [restTransport({ port: 0, host: '127.0.0.1' }), mcpTransport({ port: false })],
});
const through = toFetchHandler(server);
let port = '';
beforeAll(async () => {
  port = new URL((await server.start())[0]?.url ?? '').port;
});
afterAll(() => server.stop({ graceMs: 0 }));
beforeEach(() => {
  runs = 0;
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Sends the head as it is: fetch sets a host of its own. An answer that does not end is cut at its head. */
function send({ method = 'POST', path = '/mcp', headers = {}, body = '' }: Sent) {
  return new Promise<{ status: number; text: string; sessionId: string }>((resolve, reject) => {
    const sent = { host: `localhost:${port}`, ...usual, ...headers };
    const named = Object.fromEntries(
      Object.entries(sent).filter(([, value]) => value !== undefined),
    );
    const to = { host: '127.0.0.1', port, setHost: false } as const;
    const asked = ask({ ...to, method, path, headers: named as never });
    asked.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      const sessionId = String(response.headers['mcp-session-id']);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, sessionId }));
    });
    asked.end(body);
  });
}

const toMessage = (method: string, params?: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const toCall = (name = 'items_createItem', input: unknown = { name: 'x' }) =>
  toMessage('tools/call', { name, arguments: input });

it('a call of this machine runs', async () => {
  expect((await send({ body: toCall() })).status).toBe(200);
  expect(runs).toBe(1);
});

describe('nothing runs for', () => {
  it.each([
    'https://evil.test',
    'null',
    'http://localhost.evil.test',
    'http://127.0.0.1.nip.io',
    'http://evil.test#localhost',
    'http://localhost@evil.test',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0',
    'http://localhost.',
    'file://',
    'data:',
    'chrome-extension://abcdefghijklmnop',
    'https://evil.test, http://localhost',
  ])('the origin %s', async (origin) => {
    const { status } = await send({ headers: { origin }, body: toCall() });
    expect([status, runs]).toEqual([403, 0]);
  });

  it.each([
    'evil.test',
    'localhost.evil.test',
    '127.0.0.1.nip.io',
    '0.0.0.0',
    '169.254.169.254',
    '[::ffff:127.0.0.1]',
    'localhost@evil.test',
    'localhost#evil.test',
    'localhost/evil.test',
    'localhost?evil.test',
    'localhost\\evil.test',
    'localhost evil.test',
    '',
  ])('the host %s', async (host) => {
    const { status } = await send({ headers: { host }, body: toCall() });
    expect([400, 403]).toContain(status);
    expect(runs).toBe(0);
  });

  it.each([
    'text/plain',
    'text/plain; x=application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/json',
    'application/octet-stream',
    undefined,
  ])('a body of the type %s, as the form of a page sends it', async (type) => {
    const { status } = await send({ headers: { 'content-type': type }, body: toCall() });
    expect([status, runs]).toEqual([415, 0]);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('the method %s', async (method) => {
    const { status } = await send({ method });
    expect(status).toBeGreaterThanOrEqual(400);
    expect([status < 500, runs]).toEqual([true, 0]);
  });

  it('a message in the query', async () => {
    const path = `/mcp?body=${encodeURIComponent(toCall())}`;
    const { status } = await send({ method: 'GET', path, headers: { accept: 'text/html' } });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(runs).toBe(0);
  });
});

describe('a message that is answered as a fault is', () => {
  it.each([
    ['cut off', '{'],
    ['null', 'null'],
    ['a number', '1'],
    ['an empty batch', '[]'],
    ['without a method', '{"jsonrpc":"2.0","id":1}'],
    ['with an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ['of a task that nobody has', toMessage('tasks/get', { taskId: 'x' })],
    ['of the tasks of all', toMessage('tasks/list')],
    ['of the end of a task', toMessage('tasks/cancel', { taskId: '__proto__' })],
    ['of a question to the server', toMessage('elicitation/create', {})],
    ['of a model for the server', toMessage('sampling/createMessage', {})],
    ['of the folders of the server', toMessage('roots/list')],
    ['of a tool that is the prototype', toCall('__proto__', {})],
    [
      'of arguments in the prototype',
      toCall('items_createItem', JSON.parse('{"__proto__":{"name":"x"}}')),
    ],
    ['of a file', toMessage('resources/read', { uri: 'file:///etc/passwd' })],
    ['of a cursor that nobody gave', toMessage('tools/list', { cursor: '__proto__' })],
    ['of a method of objects', toMessage('toString')],
    ['of a resource to be watched', toMessage('resources/subscribe', { uri: 'shop://a/of/b' })],
  ])('%s', async (_what, body) => {
    const { status, text } = await send({ body });
    expect(status).toBeLessThan(500);
    expect(text).toMatch(/"error"|"isError":true/);
    expect(text).not.toMatch(/node_modules|\.[jt]s:\d/);
    expect(runs).toBe(0);
  });

  it('a batch of 20,000 calls', async () => {
    const body = `[${Array.from({ length: 20_000 }, () => toCall()).join(',')}]`;
    expect((await send({ body })).status).toBe(400);
    expect(runs).toBe(0);
  });
});

describe('a session is not found by', () => {
  it.each([
    ['another id', () => '00000000-0000-0000-0000-000000000000'],
    ['its id in capitals', (id: string) => id.toUpperCase()],
    ['its id and more', (id: string) => `${id}x`],
    ['a path to its id', (id: string) => `../${id}`],
    ['the name of the prototype', () => '__proto__'],
  ])('%s', async (_what, toId) => {
    const info = { name: 'a', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info };
    const opened = await send({ body: toMessage('initialize', params) });
    expect(opened.status).toBe(200);
    // An id of digits alone has no capitals.
    const { sessionId } = opened;
    const other = toId(sessionId) === sessionId ? `${sessionId}x` : toId(sessionId);
    const ended = await send({ method: 'DELETE', headers: { 'mcp-session-id': other } });
    expect(ended.status).toBe(404);
    const own = await send({ method: 'DELETE', headers: { 'mcp-session-id': sessionId } });
    expect(own.status).toBe(200);
  });
});

describe('no message takes more than five seconds of the process:', () => {
  it.each([
    ['a name of 3.9 MB', toCall('a'.repeat(3_900_000))],
    ['a name of many tools', toCall('items_createItem'.repeat(200_000))],
    [
      'an address of 3.9 MB',
      toMessage('resources/read', { uri: `shop://${'a'.repeat(3_900_000)}` }),
    ],
    [
      'an address of 900,000 parts',
      toMessage('resources/read', { uri: `shop://${'/of/'.repeat(900_000)}` }),
    ],
    [
      'an address of 3,000,000 signs',
      toMessage('resources/read', { uri: `shop://a/of/${'%'.repeat(3_000_000)}` }),
    ],
    [
      'a word of 3 MB that is completed',
      toMessage('completion/complete', {
        ref: { type: 'ref/resource', uri: 'shop://{id}/of/{part}' },
        argument: { name: 'id', value: 'x'.repeat(3_000_000) },
      }),
    ],
    [
      '50,000 arguments that there are not',
      toCall(
        'items_createItem',
        Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`a${at}`, 1])),
      ),
    ],
  ])('%s', async (_what, body) => {
    const before = process.cpuUsage();
    const { status } = await send({ body });
    const { user, system } = process.cpuUsage(before);
    expect(status).toBeLessThan(500);
    expect((user + system) / 1000).toBeLessThan(5000);
  });
});

describe('a message of more than 4 MiB is 413', () => {
  const long = toCall('items_createItem', { name: 'x'.repeat(5_000_000) });

  it('over a socket', async () => {
    expect((await send({ body: long })).status).toBe(413);
    expect(runs).toBe(0);
  });

  it.each(['with its length', 'in chunks'])(
    'through fetch, %s, and its rest is not read',
    async (how) => {
      let pulled = 0;
      const chunk = new Uint8Array(1_000_000).fill(32);
      const endless = new ReadableStream({
        pull: (controller) => {
          pulled++;
          controller.enqueue(chunk);
        },
      });
      const length = how === 'in chunks' ? {} : { 'content-length': '100000000' };
      const init = { method: 'POST', body: endless, duplex: 'half' } as const;
      const message = new Request('http://localhost/mcp', {
        ...init,
        headers: { ...usual, ...length },
      });
      expect((await through(message)).status).toBe(413);
      expect(pulled).toBeLessThan(8);
    },
  );

  it('and one of 4 MiB that comes in chunks is read', async () => {
    const text = new Blob([toCall('items_createItem', { name: 'ä'.repeat(2_000_000) })]);
    const init = { method: 'POST', headers: usual, body: text.stream(), duplex: 'half' } as const;
    expect((await through(new Request('http://localhost/mcp', init))).status).toBe(200);
    expect(runs).toBe(1);
  });
});
