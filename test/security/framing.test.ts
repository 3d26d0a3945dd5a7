// Boundary: anybody, over HTTP. Promise: bytes on a connection have one reading: what is not one request, framed in one
// way, is refused and its connection ends, so that nothing behind it is taken for a request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  restTransport,
  silentLogger,
} from '../../server-runtime/index.ts';
import { openRaw, readAll } from '../helpers/raw-http.ts';

const ran: string[] = [];
const server = createServer({
  capabilities: {
    items: {
      listItems: capability(() => void ran.push('list'), 'query'),
      createItem: capability(z.object({ name: z.string() }), ({ name }) => void ran.push(name)),
    },
    hidden: { listHidden: capability(() => void ran.push('hidden'), 'query') },
  },
  logger: silentLogger,
  transports: [restTransport({ port: 0, host: '127.0.0.1' })],
});
let url = '';
beforeAll(async () => {
  url = (await server.start())[0]?.url ?? '';
});
afterAll(() => server.stop({ graceMs: 0 }));

const second = 'GET /hidden HTTP/1.1\r\nhost: x\r\n\r\n';
const json = 'content-type: application/json\r\n';
const post = (fields: string, body: string): string =>
  `POST /items HTTP/1.1\r\nhost: x\r\n${json}${fields}\r\n${body}`;

/** The statuses of all answers to some bytes, after which the client sends no more. */
async function send(bytes: string): Promise<readonly number[]> {
  ran.length = 0;
  const socket = openRaw(url);
  socket.end(Buffer.from(bytes, 'latin1'));
  const text = await readAll(socket);
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
}

describe('nothing behind a request runs that is framed by', () => {
  it.each([
    [
      'a length and a coding',
      post('content-length: 4\r\ntransfer-encoding: chunked\r\n', `0\r\n\r\n${second}`),
    ],
    ['two lengths', post('content-length: 4\r\ncontent-length: 40\r\n', `{}  ${second}`)],
    ['a list of lengths', post('content-length: 4, 40\r\n', `{}  ${second}`)],
    ['a length with a sign', post('content-length: +4\r\n', `{}  ${second}`)],
    ['a negative length', post('content-length: -4\r\n', `{}  ${second}`)],
    ['a length in hexadecimal', post('content-length: 0x4\r\n', `{}  ${second}`)],
    ['an empty length', post('content-length: \r\n', `{}  ${second}`)],
    ['an unknown coding', post('transfer-encoding: xchunked\r\n', `0\r\n\r\n${second}`)],
    [
      'a coding in front of chunked',
      post('transfer-encoding: gzip, chunked\r\ncontent-length: 0\r\n', second),
    ],
    [
      'chunked that is not the last',
      post('transfer-encoding: chunked, identity\r\n', `0\r\n\r\n${second}`),
    ],
    ['a space before the colon', post('content-length : 4\r\n', `{}  ${second}`)],
    ['a folded length', post('content-length:\r\n 4\r\n', `{}  ${second}`)],
    [
      'a size of a chunk that is none',
      post('transfer-encoding: chunked\r\n', `z\r\n{}\r\n0\r\n\r\n${second}`),
    ],
    [
      'a size of a chunk with a sign',
      post('transfer-encoding: chunked\r\n', `+2\r\n{}\r\n0\r\n\r\n${second}`),
    ],
    [
      'a chunk that is longer than its size',
      post('transfer-encoding: chunked\r\n', `2\r\n{}xx\r\n0\r\n\r\n${second}`),
    ],
    ['a line feed alone', `GET /items HTTP/1.1\nhost: x\n\n${second}`],
    ['a return alone', `GET /items HTTP/1.1\rhost: x\r\r${second}`],
    ['a version that is none', `GET /items HTTP/1.1x\r\nhost: x\r\n\r\n${second}`],
    ['a zero in a header', `GET /items HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n${second}`],
    ['no host', `GET /items HTTP/1.1\r\n\r\n`],
  ])('%s', async (_what, bytes) => {
    const statuses = await send(bytes);
    expect(ran).not.toContain('hidden');
    expect(statuses.every((status) => status === 400 || status === 501)).toBe(true);
    expect(statuses.length).toBeLessThanOrEqual(1);
  });
});

describe('the next request runs as itself behind', () => {
  it.each([
    ['a body of its length', post('content-length: 12\r\n', '{"name":"a"}'), 'a'],
    [
      'a body in chunks',
      post('transfer-encoding: chunked\r\n', 'c\r\n{"name":"a"}\r\n0\r\n\r\n'),
      'a',
    ],
    [
      'extensions of a chunk',
      post('transfer-encoding: chunked\r\n', 'c;x=1\r\n{"name":"a"}\r\n0\r\n\r\n'),
      'a',
    ],
    [
      'trailers',
      post('transfer-encoding: chunked\r\n', 'c\r\n{"name":"a"}\r\n0\r\nx-t: 1\r\n\r\n'),
      'a',
    ],
    [
      'a GET with a body',
      'GET /items HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nabcd',
      'list',
    ],
    [
      'a body whose text is a request',
      post(
        'content-length: 51\r\n',
        JSON.stringify({ name: 'GET /hidden HTTP/1.1\r\nhost: x\r\n' }).padEnd(51),
      ),
      'GET /hidden HTTP/1.1\r\nhost: x\r\n',
    ],
    ['an expectation', post('expect: 100-continue\r\ncontent-length: 12\r\n', '{"name":"a"}'), 'a'],
    ['empty lines', `\r\n\r\n${post('content-length: 12\r\n', '{"name":"a"}')}`, 'a'],
  ])('%s', async (_what, bytes, name) => {
    await send(bytes + second);
    expect(ran).toEqual([name, 'hidden']);
  });
});

it('what an unread body holds is never a request', async () => {
  const unread = `POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: ${second.length}\r\n\r\n${second}`;
  const [status] = await send(unread);
  expect([status, ran]).toEqual([404, []]);
});
