import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import {
  bytes,
  capability,
  compileRegistry,
  createServer,
  noContent,
  redirect,
  reply,
  restTransport,
  silentLogger,
  stream,
  text,
} from '../../../../server-runtime/index.ts';
import { describeApi } from '../../../../source/manifest/describe-api.ts';
import { writeClient } from '../../../helpers/generated-client.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const Order = z.object({ id: z.string() }).meta({ id: 'Order' });
let ended = 0;
const capabilities = {
  orders: {
    createOrder: capability(z.object({}), () =>
      reply({ id: '7', secret: 1 }, { headers: { location: '/orders/7' } }),
    ).output(Order, { status: 201, headers: { location: z.string().describe('Where it is') } }),
    deleteOrder: capability(z.object({ id: z.string() }), () => {}).output(noContent),
    getCsv: capability(() => 'id\n7\n').output(text('text/csv')),
    getPixel: capability(() => new Uint8Array([1, 2, 3, 255])).output(bytes('image/png')),
    getPlace: capability(() => '/orders/7').output(redirect),
    watchOrders: capability(async function* () {
      try {
        for (let id = 1; id < 1000; id++) yield { id: String(id) };
      } finally {
        ended++;
      }
    }, 'query').output(stream(Order)),
    watchBroken: capability(async function* () {
      yield { id: '1' };
      throw new Error('lost');
    }, 'query').output(stream(Order)),
    startImport: capability(z.object({ later: z.boolean() }), ({ later }) =>
      later ? reply({ job: 'a' }, { status: 202 }) : { id: '1' },
    )
      .output(Order)
      .output(z.object({ job: z.string() }), { status: 202, description: 'It runs' }),
  },
};
const api = describeApi({ registry: compileRegistry(capabilities), restOptions: {} });
const source = await writeClient(api);

type Run = (input?: unknown) => Promise<unknown>;
let orders: Record<keyof typeof capabilities.orders, Run & { readonly safe: Run }>;
const server = createServer({
  capabilities,
  transports: [restTransport({ port: 0, host: '127.0.0.1' })],
  logger: silentLogger,
});
beforeAll(async () => {
  const [started] = await server.start();
  const file = join(await temporaryFolder(), 'client.mjs');
  await writeFile(file, (await transform(source, { loader: 'ts' })).code);
  const { createClient } = (await import(pathToFileURL(file).href)) as {
    readonly createClient: (options: object) => { readonly orders: typeof orders };
  };
  ({ orders } = createClient({ baseUrl: started?.url }));
});
afterAll(() => server.stop({ graceMs: 0 }));

it('says in the document what is sent', async () => {
  const responses = Object.fromEntries(
    Object.values(api.document.paths)
      .flatMap((item) => Object.values(item))
      .map(({ operationId, responses: all }) => [
        operationId.slice('orders_'.length),
        Object.fromEntries(Object.entries(all).filter(([status]) => Number(status) < 400)),
      ]),
  );
  const inEnvelope = (data: object): object => ({
    'application/json': { schema: { type: 'object', properties: { data }, required: ['data'] } },
  });
  const order = { $ref: '#/components/schemas/Order' };
  const item = {
    schema: { type: 'string', contentMediaType: 'application/json', contentSchema: order },
  };
  const job = { type: 'object', properties: { job: { type: 'string' } }, required: ['job'] };
  expect(responses).toMatchObject({
    createOrder: {
      201: {
        headers: {
          location: { description: 'Where it is', required: true, schema: { type: 'string' } },
        },
        content: inEnvelope(order),
      },
    },
    deleteOrder: { 204: { description: 'No content' } },
    getCsv: { 200: { content: { 'text/csv': { schema: { type: 'string' } } } } },
    getPixel: {
      200: { content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } },
    },
    getPlace: { 302: { headers: { Location: { required: true } } } },
    watchOrders: { 200: { content: { 'text/event-stream': item, 'application/x-ndjson': item } } },
    startImport: {
      200: { content: inEnvelope(order) },
      202: { description: 'It runs', content: inEnvelope(job) },
    },
  });
  expect(Object.keys(responses['createOrder'] ?? {})).toEqual(['201']);
  expect(responses['deleteOrder']?.['204']).toEqual({ description: 'No content' });
  expect(JSON.stringify(api.document)).not.toContain('x-capix-');
  expect(await new Validator().validate(structuredClone(api.document) as never)).toEqual({
    valid: true,
  });
});

it('types in the client what is sent', () => {
  const given = Object.keys(capabilities.orders).map(
    (name) => new RegExp(`readonly ${name}: Call<[^{]*\\{ ([^]*?) \\}, ErrorsAt`).exec(source)?.[1],
  );
  expect(given.map((type) => type?.replace(/\s+/g, ' '))).toEqual([
    '201: Order',
    '204: null',
    '200: string',
    '200: Blob; 206: Blob',
    '302: string',
    '200: AsyncIterable<Order>',
    '200: AsyncIterable<Order>',
    '200: Order; 202: { readonly job: string; }',
  ]);
});

it('reads in the client what is sent', async () => {
  expect(await orders.createOrder({})).toEqual({ id: '7' });
  const created = (await orders.createOrder.safe({})) as {
    readonly status: number;
    readonly headers: Headers;
  };
  expect([created.status, created.headers.get('location')]).toEqual([201, '/orders/7']);
  expect(await orders.deleteOrder({ id: '7' })).toBeNull();
  expect(await orders.getCsv()).toBe('id\n7\n');
  const pixel = (await orders.getPixel()) as Blob;
  expect([pixel.type, [...new Uint8Array(await pixel.arrayBuffer())]]).toEqual([
    'image/png',
    [1, 2, 3, 255],
  ]);
  expect(await orders.getPlace.safe()).toMatchObject({ ok: true, status: 302, data: '/orders/7' });
  expect(await orders.startImport({ later: true })).toEqual({ job: 'a' });
  expect(await orders.startImport({ later: false })).toEqual({ id: '1' });
});

it('iterates over items as they come, ends what it does not read, and throws the error of a stream', async () => {
  const seen: unknown[] = [];
  for await (const order of (await orders.watchOrders()) as AsyncIterable<unknown>) {
    seen.push(order);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }]);
  await expect.poll(() => ended).toBe(1);
  const broken = (await orders.watchBroken()) as AsyncIterable<unknown>;
  await expect(
    (async () => {
      for await (const order of broken) seen.push(order);
    })(),
  ).rejects.toMatchObject({ name: 'Internal' });
  expect(seen).toHaveLength(4);
});
