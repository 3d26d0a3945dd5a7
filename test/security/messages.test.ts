// Boundary: anybody, over HTTP, and agents. Promise: what is sent has one reading and an answer, and the next is served.
import { connect } from 'node:net';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  restTransport,
  silentLogger,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { mcpTransport } from '../../server-runtime/mcp/index.ts';
import { countInputs } from '../helpers/count-inputs.ts';
import { readAll } from '../helpers/raw-http.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const capabilities = {
  items: {
    getItem: capability(z.object({ id: z.string() }), ({ id }) => id)
      .resource('items://{id}')
      .prompt(),
    createItem: capability(z.object({ name: z.string() }), ({ name }) => name),
  },
};

it('reads any bytes as requests or refuses them, and answers none with 500', async () => {
  const piece = fc.constantFrom(
    'GET /items/1 HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET /items/1 HTTP/1.1\r\n',
    'POST /items HTTP/1.1\r\n',
    'HEAD / HTTP/1.1\r\n',
    'host: x\r\n',
    'content-type: application/json\r\n',
    'content-type: multipart/form-data; boundary=X\r\n',
    'content-length: 5\r\n',
    'content-length: 0005\r\n',
    'transfer-encoding: chunked\r\n',
    'expect: 100-continue\r\n',
    '\r\n',
    '\n',
    '5\r\nhello\r\n',
    '0\r\n\r\n',
    '{"name":"a"}',
    '--X\r\n',
  );
  const parts = fc.array(fc.oneof({ weight: 6, arbitrary: piece }, fc.string()), { maxLength: 14 });
  // Each input has a connection of its own: a machine does not have so many ports.
  const path = join(await temporaryFolder(), 'socket');
  const transports = [restTransport({ unix: path })];
  const server = createServer({ capabilities, logger: silentLogger, transports });
  await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const send = (bytes: Buffer): Promise<string> => {
    const socket = connect(path);
    socket.end(bytes);
    return readAll(socket);
  };
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(parts, async (all) => {
      const answers = await send(Buffer.from(all.join(''), 'latin1'));
      const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code));
      for (const status of statuses) {
        seen.add(status);
        expect(status).toSatisfy(isNoFault);
      }
    }),
    { numRuns: countInputs(100) },
  );
  // Some were requests, and some were not.
  expect([...seen]).toEqual(expect.arrayContaining([200, 400]));
  const next = await send(Buffer.from('GET /items/1 HTTP/1.1\r\nhost: x\r\n\r\n'));
  expect(next).toMatch(/^HTTP\/1\.1 200/);
});

it('answers any message of MCP, by its id or by a refusal', async () => {
  const agents = createServer({
    capabilities,
    logger: silentLogger,
    transports: [mcpTransport({ port: false })],
  });
  const answer = toFetchHandler(agents);
  await agents.start();
  onTestFinished(() => agents.stop({ graceMs: 0 }));
  const word = fc.constantFrom(
    'items_getItem',
    'items.getItem',
    'items://1',
    '__proto__',
    '',
    '../',
  );
  const params = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.record(
      { name: word, uri: word, arguments: fc.jsonValue({ maxDepth: 2 }), _meta: fc.jsonValue() },
      { requiredKeys: [] },
    ),
  );
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0', 2),
      id: fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, {}, [])),
      method: fc.constantFrom(
        'initialize',
        'tools/list',
        'tools/call',
        'resources/read',
        'prompts/get',
        'ping',
        'completion/complete',
        'notifications/cancelled',
        'toString',
        '',
      ),
      params,
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(message, fc.array(message, { maxLength: 3 }), fc.jsonValue());
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const init = { method: 'POST', headers, body: JSON.stringify(sent) };
      const response = await answer(new Request('http://localhost/mcp', init));
      statuses.add(response.status);
      expect([response.status, await response.text()]).toSatisfy(
        ([status, text]: [number, string]) => isNoFault(status) && !/ at .*\.[jt]s:\d/.test(text),
      );
    }),
    { numRuns: countInputs(200) },
  );
  // Some were messages, and some were not.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400]));
});

function isNoFault(status: number): boolean {
  return status < 500;
}
