import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { HttpFront } from '../../../../source/mcp/session/http-front.ts';
import type { RelayServer } from '../../../../source/mcp/session/relay.ts';

it('tells that the code has ended its process when that is known, so that the next request starts another', async () => {
  const wanted: number[] = [];
  const front = new HttpFront(() => {
    wanted.push(1);
    front.refuse('The project could not be loaded.');
  });
  onTestFinished(() => front.close());
  const url = await front.listen(0);
  const ending = { send: () => {}, end: () => {} } satisfies RelayServer;
  // The connection is gone at once; the end of the process is told a little later, as by the system.
  front.use(ending, await openEnding(() => setTimeout(() => front.drop(ending), 100)));

  expect(await ask(url)).toContain('ended the process before it answered');
  expect(wanted).toEqual([]);
  expect(await ask(url)).toContain('could not be loaded');
  expect(wanted).toEqual([1]);
});

/** The URL of a server that ends the connection of each request. */
async function openEnding(onRequest: () => void): Promise<string> {
  const server = createServer((request) => {
    request.socket.destroy();
    onRequest();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(url: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' });
  return response.text();
}
