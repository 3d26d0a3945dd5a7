import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { capability, createServer, defaultErrors, defineGuard, silentLogger } from '../../../server-runtime/index.ts';
import { createResourceChanges, mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { postStateless, toStatelessMessage } from '../../helpers/ask-stateless.ts';
import { connectToTools, connectToUrl } from '../../helpers/connect-to-tools.ts';

const refuse = defineGuard(() => {
  throw defaultErrors.Unauthorized();
});
const shop = {
  getOrder: capability(z.object({ id: z.int() }), ({ id }) => ({ id }), 'query').resource('shop://orders/{id}'),
  getSecret: capability(() => 'secret', 'query')
    .guard(refuse)
    .resource('shop://secret'),
};

async function serve(options: { readonly hidesRefused?: boolean } = {}) {
  const changes = createResourceChanges();
  const transports = [mcpTransport({ port: 0, changes, ...options })];
  const server = createServer({ capabilities: { shop }, transports, logger: silentLogger });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { url: started?.url ?? '', tell: changes.tell };
}

/** The addresses that a client is told. */
function listenTo(client: Client) {
  const told: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri));
  return told;
}

describe('a resource that is watched', () => {
  it('is told in a session when it changes, and no longer than its client wants', async () => {
    const { url, tell } = await serve();
    const client = await connectToUrl(url);
    const told = listenTo(client);
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true });
    await client.subscribeResource({ uri: 'shop://orders/7' });
    // The stream that carries what belongs to no call is opened beside the first call.
    await expect
      .poll(() => {
        tell('shop://orders/8');
        tell('shop://orders/7');
        return told.at(-1);
      })
      .toBe('shop://orders/7');
    await client.unsubscribeResource({ uri: 'shop://orders/7' });
    await client.subscribeResource({ uri: 'shop://orders/9' });
    tell('shop://orders/7');
    tell('shop://orders/9');
    await expect.poll(() => told.at(-1)).toBe('shop://orders/9');
    expect(new Set(told)).toEqual(new Set(['shop://orders/7', 'shop://orders/9']));
  });

  it('is told over stdio', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const changes = createResourceChanges();
    const transports = [mcpTransport({ stdio: { input, output }, changes })];
    await createServer({ capabilities: { shop }, transports, logger: silentLogger }).start();
    const client = new Client({ name: 'test', version: '1' });
    const told = listenTo(client);
    await client.connect(new StdioServerTransport(output, input));
    onTestFinished(() => client.close());
    await client.subscribeResource({ uri: 'shop://orders/7' });
    for (const id of [8, 7]) changes.tell(`shop://orders/${id}`);
    await expect.poll(() => told).toEqual(['shop://orders/7']);
  });

  it('is told to whoever listens in the revision 2026-07-28', async () => {
    const { url, tell } = await serve();
    const params = { notifications: { resourceSubscriptions: ['shop://orders/7'] } };
    const response = await postStateless(url, { method: 'subscriptions/listen', params });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('notifications/subscriptions/acknowledged');
    for (const id of [8, 7]) tell(`shop://orders/${id}`);
    const { value } = (await reader?.read()) ?? {};
    expect(value).toContain('"method":"notifications/resources/updated"');
    expect(value).toContain('"uri":"shop://orders/7"');
    await reader?.cancel();
  });

  it('is told over the streams of the revision 2026-07-28', async () => {
    const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
    const changes = createResourceChanges();
    const transports = [mcpTransport({ stdio: { input, output }, changes })];
    await createServer({ capabilities: { shop }, transports, logger: silentLogger }).start();
    const params = { notifications: { resourceSubscriptions: ['shop://orders/7'] } };
    const lines: string[] = [];
    output.on('data', (text: string) => void lines.push(...text.trim().split('\n')));
    input.write(`${JSON.stringify(toStatelessMessage({ method: 'subscriptions/listen', params }))}\n`);
    await expect.poll(() => lines[0]).toContain('acknowledged');
    for (const id of [8, 7]) changes.tell(`shop://orders/${id}`);
    await expect.poll(() => lines[1]).toContain('shop://orders/7');
    input.end();
  });

  it('must be one that there is, and one that its client may read', async () => {
    const client = await connectToUrl((await serve({ hidesRefused: true })).url);
    for (const uri of ['shop://nothing', 'shop://secret'])
      await expect(client.subscribeResource({ uri })).rejects.toThrow(`There is no resource '${uri}'.`);
  });
});

describe('where nobody says what changes', () => {
  it('nothing can be watched, and clients know that', async () => {
    const client = await connectToTools({ capabilities: { shop } });
    expect(client.getServerCapabilities()?.resources).toEqual({});
  });
});
