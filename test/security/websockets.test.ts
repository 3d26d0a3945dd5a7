// Boundary: pages of other sites and callers over a WebSocket. Promises: a page of another site brings no credentials of
// its user, no message changes what a proxy says of its caller, and what is no message ends its connection or is refused.
import { once } from 'node:events';
import { connect } from 'node:net';
import { constants, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defineContext,
  restTransport,
  type Server,
} from '../../server-runtime/index.ts';
import { webSocketTransport } from '../../server-runtime/websocket/index.ts';
import { openRaw, readAll } from '../helpers/raw-http.ts';
import { recordLog } from '../helpers/start-rest.ts';
import { openTalk } from '../helpers/start-web-sockets.ts';

const context = defineContext(({ headers }) => ({ headers }));
const cap = capability.withContext<{ readonly headers: unknown }>();
const items = {
  getHeaders: cap((_input: unknown, { headers }) => headers, 'query'),
  createItem: cap(z.looseObject({}), (input) => input),
};
const lines: string[] = [];
const log = recordLog();
let server: Server;
let url = '';
beforeAll(async () => {
  const note = (line: string): void => void lines.push(line);
  server = createServer({
    context,
    capabilities: { items },
    accessLog: true,
    logger: { ...log, info: note, warn: note },
    transports: [
      restTransport({ port: 0, host: '127.0.0.1' }),
      webSocketTransport({ compression: true, limits: { maxMessageSize: 100_000 } }),
    ],
  });
  url = (await server.start())[0]?.url ?? '';
});
afterAll(() => server.stop({ graceMs: 0 }));
beforeEach(() => void (lines.length = 0));

function toUpgrade(fields: readonly string[], path = '/_call'): string {
  const key = `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`;
  const own = ['host: shop.test', 'connection: upgrade', 'upgrade: websocket', key];
  const head = [`GET ${path} HTTP/1.1`, ...own, 'sec-websocket-version: 13', ...fields];
  return `${head.join('\r\n')}\r\n\r\n`;
}

/** The status of an upgrade, whose caller closes the connection it may get. */
async function upgrade(fields: readonly string[], path?: string): Promise<number> {
  const socket = openRaw(url);
  socket.end(toUpgrade(fields, path));
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await readAll(socket))?.[1]);
}

const cookie = 'cookie: session=1';
describe('a page with the credentials of its user is not let in', () => {
  it.each([
    ['of another site', ['origin: https://evil.test', cookie]],
    ['without an origin of its own', ['origin: null', cookie]],
    ['whose host begins with this one', ['origin: https://shop.test.evil.test', cookie]],
    ['whose host ends with this one', ['origin: https://evilshop.test', cookie]],
    ['whose user has the name of this host', ['origin: https://shop.test@evil.test', cookie]],
    ['of another port', ['origin: https://shop.test:8443', cookie]],
    ['of two origins', ['origin: https://evil.test', 'origin: https://shop.test', cookie]],
    ['whose user has typed a password', ['origin: https://evil.test', 'authorization: Basic eA==']],
    ['of a network with a ticket', ['origin: https://evil.test', 'authorization: Negotiate eA==']],
    ['that asks by a query', ['origin: https://evil.test', cookie], '/_call?token=1'],
  ])('%s', async (_what, fields, path?: string) => {
    expect(await upgrade(fields, path)).toBe(403);
  });

  it.each(['/_call/', '//_call', '/_CALL', '/%5Fcall', '/_call;x', '/./_call', '/x/../_call'])(
    'by the path %s',
    async (path) => {
      const status = await upgrade(['origin: https://evil.test', cookie], path);
      expect([400, 403, 404]).toContain(status);
    },
  );

  it('but one of this host is', async () => {
    expect(await upgrade(['origin: https://shop.test', cookie])).toBe(101);
  });
});

const ofProxies = [
  'cookie',
  'Host',
  'origin',
  'upgrade',
  'via',
  'forwarded',
  'sec-fetch-site',
  'proxy-authorization',
  'x-forwarded-for',
  'X-Forwarded-User',
  'x-forwarded-email',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'fly-client-ip',
  'fastly-client-ip',
  'x-cluster-client-ip',
  'cf-connecting-ip',
  'cf-access-authenticated-user-email',
  'x-original-url',
  'x-rewrite-url',
  'x-envoy-external-address',
  'x-auth-request-email',
  'x-authenticated-user',
  'x-remote-user',
  'remote-user',
  'x-webauth-user',
  'x-ssl-client-verify',
  'x-client-cert-dn',
  'x-amzn-oidc-identity',
  'x-ms-client-principal-name',
  'x-goog-authenticated-user-email',
  'tailscale-user-login',
];

describe('a message does not carry what a proxy says of its caller', () => {
  it.each(ofProxies)('in %s', async (name) => {
    const talk = await openTalk(url.replace('http', 'ws'));
    const headers = { [name]: 'forged' };
    expect((await talk.ask('items.getHeaders', {}, { headers })).error?.data.status).toBe(400);
    expect((await talk.ask('$/headers', headers)).error?.data.status).toBe(400);
    expect((await talk.ask('$/headers', { [name]: null })).error?.data.status).toBe(400);
    expect(JSON.stringify(await talk.ask('items.getHeaders', {}))).not.toContain('forged');
  });

  it('in any header that the request for the connection had, but for those that a client renews', async () => {
    const opened = { 'x-employee': 'bob', authorization: 'Bearer old', 'accept-language': 'en' };
    const talk = await openTalk(url.replace('http', 'ws'), { headers: opened });
    for (const name of ['x-employee', 'X-Employee']) {
      const text = `No message may change the header ${name}, which the request for the connection had`;
      for (const value of ['ada', null]) {
        const answer = await talk.ask('$/headers', { [name]: value });
        expect(answer.error?.message).toBe(text);
      }
      const answer = await talk.ask('items.getHeaders', {}, { headers: { [name]: 'ada' } });
      expect(answer.error?.message).toBe(text);
    }
    await talk.ask('$/headers', {
      authorization: 'Bearer new',
      'accept-language': 'de',
      'x-a': 'b',
    });
    expect((await talk.ask('items.getHeaders', {})).result).toMatchObject({
      'x-employee': 'bob',
      authorization: 'Bearer new',
      'accept-language': 'de',
      'x-a': 'b',
    });
  });
});

describe('a message is refused, or is data,', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'items.createItem' };
  it.each([
    [
      'of 30,000 levels',
      `{"jsonrpc":"2.0","id":1,"method":"items.createItem","params":${'{"a":'.repeat(16_000)}1${'}'.repeat(16_000)}}`,
    ],
    ['that is a batch', JSON.stringify([call])],
    ['that is null', 'null'],
    ['that is a text', '"items.createItem"'],
    [
      'with an id that is rounded',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"items.createItem"}',
    ],
    ['with an infinite id', '{"jsonrpc":"2.0","id":1e999,"method":"items.createItem"}'],
    ['with an id that is an object', JSON.stringify({ ...call, id: { toString: 1 } })],
    ['with an id of 257 characters', JSON.stringify({ ...call, id: 'x'.repeat(257) })],
    ['with headers that are a list', JSON.stringify({ ...call, headers: [['a', 'b']] })],
    ['with a header of two lines', JSON.stringify({ ...call, headers: { a: 'b\r\nc: d' } })],
    ['with a name of a header that is none', JSON.stringify({ ...call, headers: { 'a:b': 'c' } })],
    ['with a window below one', JSON.stringify({ ...call, window: -1 })],
    ['to the prototype', JSON.stringify({ ...call, method: '__proto__' })],
    ['to a method of objects', JSON.stringify({ ...call, method: 'toString' })],
    ['to a group', JSON.stringify({ ...call, method: 'items' })],
    ['to a key in another case', JSON.stringify({ ...call, method: 'ITEMS.CREATEITEM' })],
    ['to a key and a space', JSON.stringify({ ...call, method: 'items.createItem ' })],
    ['to a control that there is not', JSON.stringify({ ...call, method: '$/toString' })],
    ['to nothing', JSON.stringify({ ...call, method: '' })],
  ])('%s', async (_what, text) => {
    const talk = await openTalk(url.replace('http', 'ws'));
    talk.webSocket.send(text);
    const { error } = await talk.next();
    expect(error?.data.status).toSatisfy((status: number) => status === 400 || status === 404);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('with the unsafe name %s', async (name) => {
    const talk = await openTalk(url.replace('http', 'ws'));
    const unsafe = `{"jsonrpc":"2.0","id":1,"method":"items.createItem","params":{"${name}":{"a":1},"b":2}}`;
    talk.webSocket.send(unsafe);
    expect((await talk.next()).result).toEqual({ b: 2 });
  });

  it('and a long key stands neither in an answer nor in a line of the log', async () => {
    const talk = await openTalk(url.replace('http', 'ws'));
    const answer = await talk.ask('x'.repeat(90_000));
    expect(answer.error?.code).toBe(-32_601);
    expect(JSON.stringify(answer).length).toBeLessThan(1000);
    await talk.ask('x\n[capix] GET /admin 200');
    for (const line of lines) {
      expect(line.length).toBeLessThan(2000);
      expect(line).not.toMatch(/\n/);
    }
    expect(lines.length).toBeGreaterThan(0);
  });
});

/** A frame of a client, by its first byte. */
function toFrame(first: number, content: string | Uint8Array, isMasked = true): Buffer {
  const payload = Buffer.from(content as string);
  const { length } = payload;
  const mask = isMasked ? 0x80 : 0;
  const short = [mask | length];
  const long = [mask | 127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255];
  const head = [first, ...(length < 126 ? short : long), ...(isMasked ? [0, 0, 0, 0] : [])];
  return Buffer.concat([Buffer.from(head), payload]);
}

/** Compresses what is much longer than a message may be. */
function toBomb(length: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(length, 'x'), { finishFlush: constants.Z_SYNC_FLUSH });
  return packed.subarray(0, -4);
}

describe('a connection ends by', () => {
  const many = (count: number, each: Buffer): Buffer =>
    Buffer.concat(Array.from({ length: count }, () => each));
  it.each<[string, number, Buffer]>([
    ['a frame that is not masked', 1002, toFrame(0x81, '{}', false)],
    ['a second reserved bit', 1002, toFrame(0xa1, '{}')],
    ['an operation that there is not', 1002, toFrame(0x83, '{}')],
    ['a control that there is not', 1002, toFrame(0x8f, '')],
    ['a continuation of nothing', 1002, toFrame(0x80, '{}')],
    ['a message within a message', 1002, Buffer.concat([toFrame(0x01, '{'), toFrame(0x81, '{}')])],
    ['a ping in parts', 1002, toFrame(0x09, 'a')],
    ['a long ping', 1002, toFrame(0x89, 'x'.repeat(126))],
    ['what is no UTF-8', 1007, toFrame(0x81, Buffer.from([0xc3, 0x28]))],
    ['a code of close that is none', 1002, toFrame(0x88, Buffer.from([0, 1]))],
    ['half a code of close', 1002, toFrame(0x88, Buffer.from([0]))],
    ['a length of 63 bits', 1009, Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['a length of a terabyte', 1009, Buffer.from([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['a message that is too long', 1009, toFrame(0x81, 'x'.repeat(100_001))],
    [
      'parts that are too long',
      1009,
      Buffer.concat([toFrame(0x01, 'x'.repeat(60_000)), toFrame(0x00, 'x'.repeat(60_000))]),
    ],
    [
      '200,000 parts of nothing',
      1008,
      Buffer.concat([toFrame(0x01, ''), many(200_000, toFrame(0x00, ''))]),
    ],
    ['what is a hundred megabytes when it is unpacked', 1009, toFrame(0xc1, toBomb(100_000_000))],
    ['what cannot be unpacked', 1007, toFrame(0xc1, Buffer.from([255, 255, 255]))],
    ['bytes', 1003, toFrame(0x82, '{}')],
  ])('%s, with %d', async (_what, code, bytes) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(toUpgrade(['sec-websocket-extensions: permessage-deflate']));
    await once(socket, 'data');
    const received: Buffer[] = [];
    socket.on('data', (part: Buffer) => received.push(part));
    const closed = once(socket, 'close');
    socket.write(bytes);
    await closed;
    const answer = Buffer.concat(received);
    // The frame of a close, and its code.
    expect([answer[0], answer.readUInt16BE(2)]).toEqual([0x88, code]);
    expect(log.errors).toEqual([]);
  });

  it('twenty messages that are none, after which the next connection is served', async () => {
    const talk = await openTalk(url.replace('http', 'ws'));
    for (let count = 0; count < 20; count++) talk.webSocket.send('[');
    expect((await talk.closed).code).toBe(1008);
    const next = await openTalk(url.replace('http', 'ws'));
    expect((await next.ask('items.createItem', { a: 1 })).result).toEqual({ a: 1 });
  });
});
