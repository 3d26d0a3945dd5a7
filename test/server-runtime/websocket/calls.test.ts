import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ContextRequest } from '../../../server-runtime/capability/context.ts';
import { capability, defineError, reply } from '../../../server-runtime/index.ts';
import { openRaw, readAll } from '../../helpers/raw-http.ts';
import { defer } from '../../helpers/start-rest.ts';
import { startSockets } from '../../helpers/start-web-sockets.ts';

const Gone = defineError(410, 'Gone');
const shown: unknown[] = [];

const items = {
  getItem: capability(z.object({ id: z.coerce.number().int() }), ({ id }) => ({ id })),
  listItems: capability((input) => ({ input })),
  noteItem: capability((input) => void shown.push(input)),
  createItem: capability(() => reply({ id: 1 }, { status: 201 })),
  loseItem: capability(() => {
    throw Gone('It was taken', { by: 'Ada' });
  }),
  breakItem: capability(() => {
    throw new TypeError('secret');
  }),
  getDate: capability(() => ({ at: new Date(0), tags: new Set(['a']) })),
  getMap: capability(() => ({ map: new Map() })),
  openPage: capability(() =>
    reply(null, { status: 303, headers: { location: 'https://a.example' } }),
  ),
  getFile: capability(() => new Uint8Array([1, 2])),
  setCookie: capability(() => reply('set', { headers: { 'set-cookie': 'a=1' } })),
};
const capabilities = { items };

const broken = (code: number, message: string, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data: { error: 'BadRequest', status: 400 } },
});

describe('a call over a WebSocket', () => {
  it('1 gets its answer', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    expect(await talk.ask('items.getItem', { id: 7 })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { id: 7 },
    });
    talk.send({ id: 'a', method: 'items.createItem' });
    expect(await talk.next()).toEqual({ jsonrpc: '2.0', id: 'a', result: { id: 1 }, status: 201 });
  });

  it('2 has {} for an input where it has no params', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    expect(await talk.ask('items.listItems')).toMatchObject({ result: { input: {} } });
    expect(await talk.ask('items.listItems', {})).toMatchObject({ result: { input: {} } });
  });

  it('3 is -32602 with params in an array', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    const text = 'The `params` must be an object, got an array';
    expect(await talk.ask('items.listItems', [1])).toEqual(broken(-32_602, text, 1));
  });

  it('4 is -32601 for a key that does not exist', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    expect(await talk.ask('items.getItme')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32_601,
        message: "There is no capability 'items.getItme'.",
        data: { error: 'NotFound', status: 404 },
      },
    });
  });

  it('5 is -32602 with the fields of an input that does not fit', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    expect(await talk.ask('items.getItem', { id: 'x' })).toMatchObject({
      error: {
        code: -32_602,
        data: { error: 'BadRequest', status: 400, meta: { fields: [{ path: 'id' }] } },
      },
    });
  });

  it('6 has a declared error with its name, status and meta', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    expect(await talk.ask('items.loseItem')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: 410,
        message: 'It was taken',
        data: { error: 'Gone', status: 410, meta: { by: 'Ada' } },
      },
    });
  });

  it('7 is -32603 where nobody foresaw it, and the log has its id', async () => {
    const { open, log } = await startSockets({ capabilities });
    const talk = await open();
    const more = { headers: { 'x-request-id': 'mine' } };
    const answer = await talk.ask('items.breakItem', {}, more);
    expect(answer.error).toMatchObject({ code: -32_603, data: { error: 'Internal', status: 500 } });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(log.errors).toMatchObject([
      {
        message: '[capix] WS items.breakItem failed',
        requestId: 'mine',
        error: new TypeError('secret'),
      },
    ]);
  });

  it('is -32603 where its handler gives a Response that has no status', async () => {
    const getError = capability(() => Response.error());
    const talk = await (await startSockets({ capabilities: { items: { getError } } })).open();
    expect(await talk.ask('items.getError')).toMatchObject({ error: { code: -32_603 } });
  });

  it('8 is -32700 for what is not JSON', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    talk.webSocket.send('{"id": 1');
    expect(await talk.next()).toEqual(broken(-32_700, 'The message is not valid JSON'));
  });

  it('9 is -32600 without a method', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    const text = 'A message must have `jsonrpc`, which is "2.0", and `method`, which is a text';
    talk.send({ id: 1 });
    expect(await talk.next()).toEqual(broken(-32_600, text));
    talk.webSocket.send('{"id": 1, "method": "items.listItems"}');
    expect(await talk.next()).toEqual(broken(-32_600, text));
  });

  it('10 is -32600 in a batch', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    talk.webSocket.send('[{"jsonrpc":"2.0","id":1,"method":"items.listItems"}]');
    expect(await talk.next()).toEqual(
      broken(-32_600, 'A message must be one JSON object, got an array'),
    );
  });

  it('11 is -32600 with an id of null, 1.5, or one in use', async () => {
    const begun = defer();
    const hold = defer<string>();
    const waitItem = capability(() => {
      begun.resolve();
      return hold.promise;
    });
    const talk = await (
      await startSockets({ capabilities: { items: { ...items, waitItem } } })
    ).open();
    for (const id of [null, 1.5, {}, true]) {
      talk.send({ id, method: 'items.listItems' });
      expect(await talk.next()).toEqual(
        broken(-32_600, 'The `id` must be a text of at most 256 characters or a safe integer'),
      );
    }
    talk.send({ id: 'x', method: 'items.waitItem' });
    await begun.promise;
    talk.send({ id: 'x', method: 'items.listItems' });
    expect(await talk.next()).toEqual(broken(-32_600, 'The id "x" is that of an open call'));
    hold.resolve('done');
    expect(await talk.next()).toMatchObject({ id: 'x', result: 'done' });
    talk.send({ id: 'x', method: 'items.listItems' });
    expect(await talk.next()).toMatchObject({ id: 'x', result: { input: {} } });
  });

  it('12 runs without an id, and is not answered', async () => {
    const { open, log } = await startSockets({ capabilities });
    const talk = await open();
    talk.send({ method: 'items.noteItem', params: { a: 12 } });
    talk.send({ method: 'items.breakItem' });
    expect(await talk.ask('items.listItems')).toMatchObject({ id: 1 });
    expect(shown).toContainEqual({ a: 12 });
    expect(log.errors).toHaveLength(1);
  });

  it('13 has no __proto__, constructor or prototype in its input', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    talk.webSocket.send(
      '{"jsonrpc":"2.0","id":1,"method":"items.listItems","params":{"__proto__":{"a":1},"b":{"constructor":1,"c":2}}}',
    );
    expect(await talk.next()).toMatchObject({ result: { input: { b: { c: 2 } } } });
    const { result } = await talk.ask('items.listItems', { b: 1 });
    expect(result).toEqual({ input: { b: 1 } });
  });

  it('14 is refused with an input of 65 levels', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const send = (levels: number): void =>
      talk.webSocket.send(
        `{"jsonrpc":"2.0","id":1,"method":"items.noteItem","params":${nested(levels)}}`,
      );
    send(65);
    expect(await talk.next()).toEqual(
      broken(-32_602, 'The input is nested deeper than 64 levels', 1),
    );
    send(64);
    expect(await talk.next()).toMatchObject({ id: 1, result: null });
    talk.webSocket.send('['.repeat(200_000));
    expect(await talk.next()).toMatchObject({ error: { code: -32_700 } });
  });

  it('15 has its x-request-id in hooks and log', async () => {
    const seen: unknown[] = [];
    const see = (name: string, { transport, method, path, requestId }: ContextRequest): void =>
      void seen.push([name, transport, method, path, requestId]);
    const { open } = await startSockets({
      capabilities,
      hooks: {
        onRequest: (request) => see('request', request),
        onResponse: ({ request, status }) => see(`response ${status}`, request),
      },
    });
    const talk = await open({ headers: { 'x-request-id': 'opened' } });
    await talk.ask('items.listItems', {}, { headers: { 'X-Request-Id': 'first' } });
    expect(seen).toEqual([
      ['request', 'websocket', 'GET', '/_call', 'opened'],
      ['response 101', 'websocket', 'GET', '/_call', 'opened'],
      ['request', 'websocket', 'WS', 'items.listItems', 'first'],
      ['response 200', 'websocket', 'WS', 'items.listItems', 'first'],
    ]);
    await talk.ask('items.listItems');
    expect(seen.at(-1)).not.toContain('opened');
  });

  it('has dates and sets as devalue flattens them, over capix.v1.flat', async () => {
    const { open } = await startSockets({ capabilities });
    const flat = await open({ protocols: ['capix.v1.flat', 'capix.v1'] });
    expect(flat.webSocket.protocol).toBe('capix.v1.flat');
    expect(await flat.ask('items.getDate')).toMatchObject({
      result: [{ at: 1, tags: 2 }, ['Date', '1970-01-01T00:00:00.000Z'], ['Set', 3], 'a'],
    });
    const plain = await open({ protocols: ['capix.v1'] });
    expect(await plain.ask('items.getDate')).toMatchObject({ error: { code: -32_603 } });
  });

  it('is an error where its value cannot be sent, gets the place of a redirect, and is 415 for bytes', async () => {
    const { open, log } = await startSockets({ capabilities });
    const talk = await open();
    expect(await talk.ask('items.getMap')).toMatchObject({ error: { code: -32_603 } });
    expect(await talk.ask('items.openPage')).toMatchObject({
      result: 'https://a.example',
      status: 303,
    });
    expect(await talk.ask('items.getFile')).toMatchObject({ error: { code: 415 } });
    expect(log.errors).toHaveLength(1);
    expect(await talk.ask('items.setCookie')).toMatchObject({ result: 'set' });
    expect(log.errors.at(-1)?.message).toBe('[capix] WS items.setCookie set a cookie');
  });

  it('is refused where no WebSocket is asked for: 426 for a plain request', async () => {
    const { url } = await startSockets({ capabilities, rest: { prefix: '/api' } });
    const plain = await fetch(`${url.replace('ws', 'http')}/api/_call?a=1`);
    expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
    const socket = openRaw(url.replace('ws', 'http'));
    socket.write(
      'GET /api/_call HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    );
    expect(await readAll(socket)).toContain('HTTP/1.1 400 Bad Request');
    const outside = await fetch(`${url.replace('ws', 'http')}/_call`);
    expect(outside.status).toBe(404);
  });
});

describe('what is no frame, or none of ours', () => {
  const masked = (first: number, payload: Buffer | string, length?: number): Buffer => {
    const bytes = Buffer.from(payload);
    const size = length ?? bytes.length;
    const head =
      size < 126
        ? Buffer.from([first, 0x80 | size])
        : Buffer.from([first, 0xfe, size >> 8, size & 255]);
    return Buffer.concat([head, Buffer.alloc(4), bytes]);
  };
  const frames: readonly (readonly [string, Buffer, number])[] = [
    ['an unmasked frame', Buffer.from([0x81, 0x01, 0x61]), 1002],
    ['bad UTF-8', masked(0x81, Buffer.from([0xff])), 1007],
    ['opcode 3', masked(0x83, ''), 1002],
    ['RSV1', masked(0xc1, 'a'), 1002],
    ['a fragmented ping', masked(0x09, 'a'), 1002],
    ['a ping of 126 bytes', masked(0x89, 'a'.repeat(126)), 1002],
    ['a continuation that is first', masked(0x80, 'a'), 1002],
    ['a close of 1005', masked(0x88, Buffer.from([0x03, 0xed])), 1002],
    ['a close of 999', masked(0x88, Buffer.from([0x03, 0xe7])), 1002],
    ['a binary frame', masked(0x82, 'a'), 1003],
    ['a message over the limit', masked(0x81, 'a'.repeat(2000)), 1009],
    [
      'fragments over the limit',
      Buffer.concat([masked(0x01, 'a'.repeat(900)), masked(0x80, 'a'.repeat(900))]),
      1009,
    ],
    [
      '60,000 fragments',
      Buffer.concat([masked(0x01, ''), ...Array.from({ length: 60_000 }, () => masked(0x00, ''))]),
      1008,
    ],
  ];

  it.each(frames)('49 closes the connection: %s', async (_name, bytes, code) => {
    const { url, log, open } = await startSockets({
      capabilities,
      socket: { limits: { maxMessageSize: 1000 } },
    });
    const socket = openRaw(url.replace('ws', 'http'));
    const head = ['GET /_call HTTP/1.1', 'host: a', 'connection: upgrade', 'upgrade: websocket'];
    const key = [
      'sec-websocket-version: 13',
      `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
    ];
    socket.write([...head, ...key, '', ''].join('\r\n'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('101 Switching Protocols');
    socket.write(bytes);
    const rest = Buffer.from(await readAll(socket), 'latin1');
    expect(rest.subarray(0, 1)).toEqual(Buffer.from([0x88]));
    expect(rest.readUInt16BE(2)).toBe(code);
    expect(log.errors).toEqual([]);
    expect(await (await open()).ask('items.listItems')).toMatchObject({ id: 1 });
  });

  it('49 answers a ping between fragments, and takes the message', async () => {
    const { url } = await startSockets({ capabilities });
    const socket = openRaw(url.replace('ws', 'http'));
    const head = ['GET /_call HTTP/1.1', 'host: a', 'connection: upgrade', 'upgrade: websocket'];
    const key = [
      'sec-websocket-version: 13',
      `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
    ];
    socket.write([...head, ...key, '', ''].join('\r\n'));
    await once(socket, 'data');
    const text = '{"jsonrpc":"2.0","id":1,"method":"items.listItems"}';
    socket.write(
      Buffer.concat([
        masked(0x01, text.slice(0, 9)),
        masked(0x89, 'p'),
        masked(0x80, text.slice(9)),
      ]),
    );
    let received = '';
    while (!received.includes('result'))
      received += ((await once(socket, 'data')) as [Buffer])[0].toString('latin1');
    expect(received).toContain('\x8a\x01p');
    socket.destroy();
  });

  it('50 20 messages that are no requests close the connection with 1008', async () => {
    const talk = await (await startSockets({ capabilities })).open();
    for (let sent = 0; sent < 20; sent++) talk.webSocket.send('no');
    expect(await talk.closed).toEqual({
      code: 1008,
      reason: 'Too many messages were not requests',
    });
    expect(talk.unread).toHaveLength(20);
  });
});
