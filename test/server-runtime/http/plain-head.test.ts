import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { findPlainHeads, toPlainHead } from '../../../server-runtime/http/plain-head.ts';
import { capability, cors } from '../../../server-runtime/index.ts';
import { sendRaw } from '../../helpers/raw-http.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const capabilities = { items: { getItem: capability(() => ({ name: 'Änne' })) } };
const request = 'GET /items HTTP/1.1\r\nhost: x\r\nx-request-id: mine\r\norigin: https://a.example\r\n\r\n';

it('the head that is joined beforehand has the lines that Node writes for each answer', async () => {
  expect(findPlainHeads()).toBeDefined();
  const anyone = await startOverSocket({ capabilities });
  // An origin that is asked for is in no head that was made before.
  const one = await startOverSocket({ capabilities, rest: cors({ origin: ['https://a.example'] }) });
  const [plain, checked] = await Promise.all([anyone, one].map(async ({ url }) => toLines(await sendThrice(url))));
  expect(plain).toContain('x-request-id: mine');
  expect(plain).toContain('access-control-allow-origin: *');
  const isOrigin = (line: string): boolean => /^(access-control-allow-origin|vary|date): /i.test(line);
  expect(plain?.filter((line) => !isOrigin(line)).sort()).toEqual(checked?.filter((line) => !isOrigin(line)).sort());
});

it('the headers that an observer of Node sets, and what it puts in the place of writeHead, have their part', async () => {
  const heads: unknown[] = [];
  const observe = (message: unknown): void => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
    if (request.url === '/items') response.setHeader('x-trace', '1');
    const { writeHead } = response;
    response.writeHead = (...parts: unknown[]) => {
      heads.push(parts[0]);
      return Reflect.apply(writeHead, response, parts) as ServerResponse;
    };
  };
  subscribe('http.server.request.start', observe);
  onTestFinished(() => void unsubscribe('http.server.request.start', observe));
  const { request: ask } = await startOverSocket({ capabilities });
  expect((await ask('/items')).headers.get('x-trace')).toBe('1');
  expect((await ask('/nothing')).status).toBe(404);
  expect(heads).toEqual([200, 404]);
});

it('an observer that puts its own in the place of writeHead for every response has its part', async () => {
  const { request: ask } = await startOverSocket({ capabilities });
  const { writeHead } = ServerResponse.prototype;
  onTestFinished(() => void (ServerResponse.prototype.writeHead = writeHead));
  const heads: unknown[] = [];
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...parts: unknown[]) {
    heads.push(parts[0]);
    return Reflect.apply(writeHead, this, parts) as ServerResponse;
  };
  expect((await ask('/items')).status).toBe(200);
  expect(heads).toEqual([200]);
});

it('a header of Node that an observer takes away is in no answer of the same second', async () => {
  const observe = (message: unknown): void => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
    if (request.url === '/items?without') for (const name of ['date', 'connection']) response.removeHeader(name);
  };
  subscribe('http.server.request.start', observe);
  onTestFinished(() => void unsubscribe('http.server.request.start', observe));
  const { url } = await startOverSocket({ capabilities });
  const without = request.replace('/items', '/items?without');
  const last = request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');
  const { text } = await sendRaw(url, request + without + request + last);
  const answers = text.split('HTTP/1.1 200 OK\r\n').slice(1);
  expect(answers.map((answer) => /^Date: /m.test(answer))).toEqual([true, false, true, true]);
  expect(answers.map((answer) => /^Connection: (.*)\r$/m.exec(answer)?.[1])).toEqual([
    'keep-alive',
    undefined,
    'keep-alive',
    'close',
  ]);
});

/** The time by which a timer of a busy process may be late, milliseconds. */
const LATE_MS = 500;

it('an answer on a kept connection says its own time', async () => {
  const { request: ask } = await startOverSocket({ capabilities });
  const dates = new Set<string>();
  for (const endMs = Date.now() + 30_000; dates.size < 3 && Date.now() < endMs; ) {
    // Node itself says the new second when its timer has fired.
    const secondMs = Math.floor((Date.now() - LATE_MS) / 1000) * 1000;
    const date = (await ask('/items')).headers.get('date') ?? '';
    expect(Date.parse(date)).toBeGreaterThanOrEqual(secondMs);
    dates.add(date);
  }
  expect(dates.size).toBe(3);
});

it('a header that cannot be sent is in no head that is joined beforehand', () => {
  expect(toPlainHead(['x-a', 'b\r\nx-c: d'])).toBe(undefined);
  expect(toPlainHead(['x-a', 'b'])).toBe('x-a: b\r\n');
});

/** The answers of one connection: the first of a second, the next, and the last. */
async function sendThrice(url: string): Promise<string> {
  const last = request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');
  return (await sendRaw(url, request + request + last)).text;
}

function toLines(text: string): string[] {
  return text.split('\r\n');
}
