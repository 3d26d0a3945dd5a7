import { connect } from 'node:net';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionLost, createClient } from '../../../server-runtime/client/index.ts';
import {
  capability,
  defaultErrors,
  defineGuard,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { openTelemetry } from '../../../server-runtime/observe/open-telemetry.ts';
import { prometheus } from '../../../server-runtime/observe/prometheus.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';
import { startSockets, startTalk } from '../../helpers/start-web-sockets.ts';

const capabilities = {
  items: {
    getItem: capability(() => ({ at: new Date(0) })),
    createItem: capability(() => {
      throw defaultErrors.Conflict();
    }),
    getNumbers: capability(async function* () {
      yield 1;
      yield 2;
    }),
  },
};

describe('calls over a WebSocket', () => {
  it('are made by a test server, whose stop closes its connections', async () => {
    const api = await testServer({ capabilities, webSocket: true });
    const client = createClient<typeof capabilities>({ transport: api.webSocket() });
    expect(await client.items.getItem()).toEqual({ at: new Date(0) });
    await api.stop();
    await expect(client.items.getItem()).rejects.toBeInstanceOf(ConnectionLost);
    await using plain = await testServer({ capabilities });
    expect(() => plain.webSocket()).toThrow('The test server takes no WebSockets');
  });

  it('have a line of the access log each, and so has their connection', async () => {
    const lines: string[] = [];
    const add = (line: string): void => void lines.push(line.replace(/[\d.]+ ms/, 'n ms'));
    await using api = await testServer({
      capabilities,
      accessLog: true,
      logger: { ...silentLogger, info: add, warn: add },
      webSocket: true,
    });
    const { items } = createClient<typeof capabilities>({ transport: api.webSocket() });
    await items.getItem();
    await items.createItem.safe();
    for await (const item of await items.getNumbers()) if (item === 2) break;
    expect(lines.filter((line) => line.endsWith(' in n ms'))).toEqual([
      '[capix] GET /_call 101 in n ms',
      '[capix] WS items.getItem 200 in n ms',
      '[capix] WS items.createItem 409 in n ms',
      '[capix] WS items.getNumbers 200 in n ms',
    ]);
  });

  it('end with 499 for hooks where their caller has left', async () => {
    const ends: string[] = [];
    let begun = (): void => {};
    const waits = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        begun();
      });
    const isBegun = (): Promise<void> =>
      new Promise((resolve) => {
        begun = resolve;
      });
    const { open } = await startSockets({
      capabilities: {
        items: {
          getLater: capability((_input: unknown, { signal }) => waits(signal)),
          getItems: capability(async function* (_input: unknown, { signal }) {
            yield await waits(signal);
          }),
        },
      },
      hooks: {
        onResponse: ({ request, status }) => void ends.push(`${request.path} ${status}`),
      },
    });
    const talk = await open();
    for (const method of ['items.getLater', 'items.getItems']) {
      const first = isBegun();
      const id = talk.call(method);
      await first;
      talk.send({ method: '$/cancel', params: { id } });
    }
    const last = isBegun();
    talk.call('items.getLater');
    await last;
    talk.webSocket.terminate();
    await expect
      .poll(() => ends)
      .toEqual(['/_call 101', 'items.getLater 499', 'items.getItems 499', 'items.getLater 499']);
  });

  it('are not made for a client that leaves while guards look at its upgrade, whose signal fires', async () => {
    const ends: number[] = [];
    let begun = (): void => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const waits = defineGuard(
      ({ signal }: { readonly signal: AbortSignal }) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          begun();
        }),
    );
    const { url } = await startSockets({
      capabilities,
      hooks: { onResponse: ({ status }) => void ends.push(status) },
      socket: { guards: [waits] },
    });
    const talk = startTalk(url);
    await isBegun;
    talk.webSocket.terminate();
    await expect.poll(() => ends).toEqual([499]);
  });

  it('are read from the first byte on, also of a client that sent them while guards looked at its upgrade', async () => {
    let letPass = (): void => {};
    const slow = defineGuard(
      () =>
        new Promise<void>((resolve) => {
          letPass = resolve;
        }),
    );
    const { url } = await startSockets({ capabilities, socket: { guards: [slow] } });
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const key = 'sec-websocket-key: PbTnYLkjzgEvNlZyHlTiZA==\r\nsec-websocket-version: 13';
    socket.write(
      `GET /_call HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${key}\r\n\r\n`,
    );
    let answer = '';
    socket.on('data', (bytes) => (answer += bytes.toString()));
    const toFrame = (message: object): Buffer => {
      const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
      // A mask of zeros leaves the bytes as they are.
      return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
    };
    for (const id of [1, 2, 3]) {
      socket.write(toFrame({ id, method: 'items.getItem' }));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    letPass();
    await expect.poll(() => answer.match(/"id":(\d)/g)).toEqual(['"id":1', '"id":2', '"id":3']);
  });

  it('are counted and timed by their capability', async () => {
    const plugins = [prometheus({ registry: new Registry() })] as const;
    await using api = await testServer({ capabilities, plugins, webSocket: true });
    const { items } = createClient<typeof capabilities>({ transport: api.webSocket() });
    await items.getItem();
    await items.getItem();
    await items.createItem.safe();
    const text = await (await api.fetch('/metrics')).text();
    const count = (labels: string) =>
      new RegExp(`^capix_request_duration_seconds_count\\{${labels}\\} (\\d+)$`, 'm').exec(
        text,
      )?.[1];
    const of = (key: string, status: number): string =>
      `capability="${key}",transport="websocket",method="WS",status="${status}"`;
    expect([count(of('items.getItem', 200)), count(of('items.createItem', 409))]).toEqual([
      '2',
      '1',
    ]);
    expect(text).toMatch(/^capix_calls_in_progress\{capability="items.getItem"\} 0$/m);
  });

  it('are named by the document of the server', async () => {
    await using api = await testServer({
      capabilities,
      rest: { docs: true, prefix: '/api' },
      webSocket: { limits: { connections: 3 } },
    });
    expect(await (await api.fetch('/api/openapi.json')).json()).toMatchObject({
      'x-websockets': [
        { path: '/api/_call', security: [], limits: { connections: 3, calls: 100 } },
      ],
    });
    await using plain = await testServer({ capabilities, rest: { docs: true } });
    expect(await (await plain.fetch('/openapi.json')).json()).not.toHaveProperty('x-websockets');
  });

  it('have spans of the trace that their own headers name', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    trace.setGlobalTracerProvider(provider);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    onTestFinished(async () => {
      trace.disable();
      context.disable();
      propagation.disable();
      await provider.shutdown();
    });
    const plugins = [openTelemetry()] as const;
    await using api = await testServer({ capabilities, plugins, webSocket: true });
    const { items } = createClient<typeof capabilities>({ transport: api.webSocket() });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await items.getItem({}, { headers: { traceparent } });
    await items.getItem();
    const spans = exporter.getFinishedSpans().filter(({ name }) => name.includes('items.getItem'));
    const ids = new Set(spans.map((span) => span.spanContext().traceId));
    expect([ids.has(traceId), ids.size]).toEqual([true, 2]);
  });
});
