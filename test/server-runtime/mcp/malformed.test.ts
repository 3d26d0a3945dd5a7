import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { capability, createServer, silentLogger } from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { connectToTools, serveTools } from '../../helpers/connect-to-tools.ts';
import { openRaw, readAll } from '../../helpers/raw-http.ts';

const capabilities = {
  jobs: {
    getJob: capability(z.object({ id: z.string().min(3) }), ({ id }) => id)
      .resource('jobs://{id}')
      .prompt(),
  },
};
const nested = '['.repeat(100_000) + ']'.repeat(100_000);

async function ask(head: string, body = ''): Promise<string> {
  const url = new URL(await serveTools({ capabilities }));
  const socket = openRaw(url.href.replace('localhost', '127.0.0.1'));
  const host = /^host:/im.test(head) ? '' : `host: localhost\r\n`;
  const json = 'content-type: application/json\r\naccept: application/json, text/event-stream\r\n';
  const length = `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`;
  socket.write(`${head}\r\n${host}${json}${length}${body}`);
  return readAll(socket);
}

describe('over HTTP', () => {
  it.each([
    ['a body null', 'POST /mcp HTTP/1.1', 'null', /^HTTP\/1.1 400 .*-32600/s],
    ['a body of text', 'POST /mcp HTTP/1.1', '"hello"', /^HTTP\/1.1 400 .*-32600/s],
    ['what is not JSON', 'POST /mcp HTTP/1.1', '{', /^HTTP\/1.1 400 .*-32700/s],
    ['100,000 nested arrays', 'POST /mcp HTTP/1.1', nested, /^HTTP\/1.1 400 .*-32600/s],
    [
      'nested arrays in parameters',
      'POST /mcp HTTP/1.1',
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${nested}}`,
      /^HTTP\/1.1 400 .*"id":7/s,
    ],
    [
      'more than 4 MiB',
      'POST /mcp HTTP/1.1',
      `{"id":7,"a":"${'a'.repeat(4 * 1024 * 1024)}"}`,
      /^HTTP\/1.1 413 .*-32000/s,
    ],
    ['TRACE', 'TRACE /mcp HTTP/1.1', '', /^HTTP\/1.1 405 .*allow: GET, POST, DELETE/is],
    ['a Host with a user', 'POST /mcp HTTP/1.1\r\nhost: user@localhost', '{}', /^HTTP\/1.1 400 /],
    ['a Host that is a path', 'POST /mcp HTTP/1.1\r\nhost: localhost/a', '{}', /^HTTP\/1.1 400 /],
  ])('%s is refused as what it is', async (_what, head, body, expected) => {
    expect(await ask(head, body)).toMatch(expected);
  });
});

describe('over streams', () => {
  it.each([
    ['text', 'hello', { id: null, error: { code: -32_700 } }],
    ['null', 'null', { id: null, error: { code: -32_600 } }],
    ['a message of no version', '{"id":3,"method":"ping"}', { id: 3, error: { code: -32_600 } }],
    [
      'an id null',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      { id: null, error: { code: -32_600 } },
    ],
    [
      'an id with a fraction',
      '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
      { id: 1.5, error: { code: -32_600 } },
    ],
    [
      'parameters null',
      '{"jsonrpc":"2.0","id":4,"method":"ping","params":null}',
      { id: 4, error: { code: -32_600 } },
    ],
    [
      'parameters in a list',
      '{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}',
      { id: 5, error: { code: -32_600 } },
    ],
    [
      'a batch',
      '[{"jsonrpc":"2.0","id":6,"method":"ping"}]',
      { id: null, error: { code: -32_600 } },
    ],
    [
      'a message without a method',
      '{"jsonrpc":"2.0","id":"a"}',
      { id: 'a', error: { code: -32_600 } },
    ],
    ['100,000 nested arrays', nested, { id: null, error: { code: -32_600 } }],
  ])(
    'a line that is %s gets an error, and the conversation goes on',
    async (_what, line, expected) => {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const transports = [mcpTransport({ stdio: { input, output } })];
      const server = createServer({ capabilities, transports, logger: silentLogger });
      await server.start();
      onTestFinished(() => server.stop());
      const read = async (): Promise<unknown> =>
        JSON.parse(String((await once(output, 'data'))[0]));
      const answer = read();
      input.write(`${line}\n`);
      expect(await answer).toMatchObject({ jsonrpc: '2.0', ...expected });
      const next = read();
      const params = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      };
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'initialize', params })}\n`);
      expect(await next).toMatchObject({ id: 9, result: { serverInfo: { name: 'capix' } } });
    },
  );
});

it('a prompt and a resource name the field that is wrong', async () => {
  const client = await connectToTools({ capabilities });
  await expect(client.readResource({ uri: 'jobs://a' })).rejects.toThrow(/id: /);
  await expect(client.getPrompt({ name: 'jobs_getJob', arguments: { id: 'a' } })).rejects.toThrow(
    /id: /,
  );
});
