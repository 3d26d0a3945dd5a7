import { PassThrough } from 'node:stream';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  type GroupTree,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { askStateless, postStateless, toStatelessMessage } from '../../helpers/ask-stateless.ts';
import { connectToUrl } from '../../helpers/connect-to-tools.ts';
import { defer } from '../../helpers/start-rest.ts';

async function serve(capabilities: GroupTree): Promise<string> {
  const transports = [mcpTransport({ port: 0 })];
  const server = createServer({ capabilities, transports, logger: silentLogger });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return started?.url ?? '';
}

const a = {
  double: capability(z.object({ n: z.number() }), ({ n }) => n * 2, 'query'),
};

/** A call that waits, when it began, and why its signal fired. */
function createWaiting() {
  const [began, fired] = [defer(), defer<unknown>()];
  const wait = capability((_input, { signal }) => {
    signal.addEventListener('abort', () => fired.resolve(signal.reason));
    began.resolve();
    return new Promise<never>(() => {});
  });
  return { capabilities: { a: { wait } }, began: began.promise, fired: fired.promise };
}

/** A conversation over streams, by hand: each message that is sent, and the lines that come back. */
async function converse(capabilities: GroupTree) {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const closed = defer();
  const transports = [mcpTransport({ stdio: { input, output, onClose: closed.resolve } })];
  await createServer({ capabilities, transports, logger: silentLogger }).start();
  return {
    send: (message: object) => void input.write(`${JSON.stringify(message)}\n`),
    end: () => void input.end(),
    closed: closed.promise,
    readAll: () =>
      (output.read() as string | null)
        ?.trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object) ?? [],
  };
}

describe('the revision 2026-07-28', () => {
  it('is spoken at the same address as those before, each request alone', async () => {
    const url = await serve({ a: { double: a.double } });
    expect(await askStateless(url, { method: 'server/discover' })).toMatchObject({
      result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    });
    const params = { name: 'a_double', arguments: { n: 21 } };
    expect((await askStateless(url, { method: 'tools/call', params })).result).toMatchObject({
      resultType: 'complete',
      structuredContent: { data: 42 },
    });
    const client = await connectToUrl(url);
    expect((await client.callTool(params)).structuredContent).toEqual({ data: 42 });
  });

  it('is spoken over stdio, where everything that was asked is answered after the end of the input', async () => {
    const gate = defer();
    const slow = capability(async () => {
      await gate.promise;
      return 'done';
    });
    const { send, end, closed, readAll } = await converse({ a: { slow } });
    const ask = toStatelessMessage({
      method: 'tools/call',
      params: { name: 'a_slow', arguments: {} },
    });
    send(ask);
    end();
    gate.resolve();
    await closed;
    expect(readAll()).toMatchObject([
      { id: ask.id, result: { structuredContent: { data: 'done' } } },
    ]);
  });

  it('ends a subscription with the input, so that the process can end', async () => {
    const { send, end, closed } = await converse({ a: { double: a.double } });
    send(
      toStatelessMessage({
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true } },
      }),
    );
    end();
    await expect(closed).resolves.toBeUndefined();
  });

  it('ends a subscription over HTTP when the server stops', async () => {
    const server = createServer({
      capabilities: { a },
      transports: [mcpTransport({ port: 0 })],
      logger: silentLogger,
    });
    const [started] = await server.start();
    const params = { notifications: { toolsListChanged: true } };
    const response = await postStateless(started?.url ?? '', {
      method: 'subscriptions/listen',
      params,
    });
    await server.stop({ graceMs: 60_000 });
    expect(await response.text()).toContain('notifications/subscriptions/acknowledged');
  });

  it('ends a call when its request is closed', async () => {
    const { capabilities, began, fired } = createWaiting();
    const url = await serve(capabilities);
    const leave = new AbortController();
    const params = { name: 'a_wait', arguments: {} };
    const asked = postStateless(url, { method: 'tools/call', params, signal: leave.signal });
    await began;
    leave.abort();
    await expect(asked).rejects.toThrow('abort');
    expect(await fired).toMatchObject({ name: 'AbortError' });
  });

  it('says which revisions there are to whoever asks for another', async () => {
    const url = await serve({ a });
    const message = toStatelessMessage({ method: 'tools/list' });
    const meta = {
      ...message.params._meta,
      'io.modelcontextprotocol/protocolVersion': '2031-01-01',
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ ...message, params: { _meta: meta } }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { data: { supported: ['2026-07-28'] } } });
  });
});

describe('a session of the revisions before', () => {
  it('ends a call that its client cancels', async () => {
    const { capabilities, began, fired } = createWaiting();
    const client = await connectToUrl(await serve(capabilities));
    const cancel = new AbortController();
    const asked = client.callTool({ name: 'a_wait', arguments: {} }, undefined, {
      signal: cancel.signal,
    });
    await began;
    cancel.abort();
    await expect(asked).rejects.toThrow('abort');
    expect(await fired).toMatchObject({ name: 'AbortError' });
  });

  it('ends no call of another client with the same number', async () => {
    const { capabilities, began, fired } = createWaiting();
    const url = await serve(capabilities);
    const [first, second] = [await connectToUrl(url), await connectToUrl(url)];
    const asked = first.callTool({ name: 'a_wait', arguments: {} });
    await began;
    await second.notification({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await second.ping();
    expect(await Promise.race([fired, second.ping()])).toEqual({});
    await first.close();
    await expect(asked).rejects.toThrow('closed');
  });

  it('ends at the word of its client and is not found afterwards; what names one of another server is answered alone', async () => {
    const url = await serve({ a });
    const transport = new StreamableHTTPClientTransport(new URL(url));
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const { sessionId = '' } = transport;
    expect(sessionId).toMatch(/^[\w-]{36}$/);
    await transport.terminateSession();
    await client.close();
    const ping = (session: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': session,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' }),
      });
    expect(await (await ping('of-another-server')).text()).toContain(
      '{"result":{},"jsonrpc":"2.0","id":7}',
    );
    const ended = await ping(sessionId);
    expect([ended.status, await ended.json()]).toMatchObject([
      404,
      { error: { message: 'Session not found' } },
    ]);
    expect(
      (await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': sessionId } })).status,
    ).toBe(404);
  });
});
