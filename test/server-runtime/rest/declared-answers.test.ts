import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  bytes,
  type Capability,
  capability,
  generateOpenAPI,
  noContent,
  redirect,
  reply,
  sse,
  stream,
  text,
} from '../../../server-runtime/index.ts';
import { describeEverywhere } from '../../helpers/start-rest.ts';

const Order = z.object({ id: z.string() });
const row = { id: '7', passwordHash: 'secret' };
const internal = '{"error":"Internal","message":"Internal server error"}';

const declared = {
  getCreated: capability(() => row).output(Order, { status: 201 }),
  getPlain: capability(() => row).output(Order),
  getLocated: capability(() => reply(row, { headers: { Location: '/orders/7' } })).output(Order, {
    status: 201,
    headers: { location: z.string(), 'x-total': z.number().optional() },
  }),
  getNothing: capability(() => undefined).output(noContent),
  getCsv: capability(() => 'a,b\n').output(text('text/csv')),
  getPixel: capability(() => new Uint8Array([1, 2, 255])).output(bytes('image/png')),
  getFile: capability(() =>
    reply(Readable.from(['x']), { headers: { 'Content-Type': 'image/webp' } }),
  ).output(bytes('image/*')),
  getPlace: capability(() => 'https://a.example/ü').output(redirect),
  getSeeOther: capability(() => '/orders/7').output(redirect, { status: 303 }),
  getProblem: capability(() => row).output(Order, { contentType: 'application/vnd.order+json' }),
  getEither: capability(() => reply({ job: 'a', x: 1 }, { status: 202 }))
    .output(Order)
    .output(z.object({ job: z.string() }), { status: 202, description: 'Later' }),
  getFirst: capability(() => row)
    .output(Order, { status: 201 })
    .output(z.object({ job: z.string() }).partial(), { status: 202 }),
} satisfies Record<string, Capability<undefined>>;

const wrong = {
  getUndeclared: [
    capability(() => reply(row, { status: 202 }) as never).output(Order),
    'does not declare',
  ],
  getSome: [capability((): never => row as never).output(noContent), 'gave a value'],
  getNoText: [capability((): never => row as never).output(text()), 'gave no text'],
  getNoBytes: [capability((): never => 'x' as never).output(bytes()), 'gave no bytes'],
  getOtherBytes: [
    capability(() => reply(Buffer.from('x'), { headers: { 'content-type': 'text/html' } })).output(
      bytes('image/*'),
    ),
    "Declare what it gives: .output(bytes('text/html'))",
  ],
  getNoItems: [
    capability((): never => [1] as never).output(stream(Order)),
    'gave no async iterable',
  ],
  getNoPlace: [capability((): never => 1 as never).output(redirect), 'The URL to go to'.slice(4)],
  getResponse: [
    capability((): never => Response.json(row, { status: 404 }) as never).output(Order),
    'the status 404, which it does not declare',
  ],
} as const;

describeEverywhere('declared answers', (start) => {
  it('are sent as they are declared, without what is not', async () => {
    const { request } = await start({ capabilities: { orders: declared } });
    const rows = await Promise.all(
      Object.keys(declared).map(async (name) => {
        const path = name.slice(3).replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`);
        const response = await request(`/orders/${path.toLowerCase()}`, { redirect: 'manual' });
        const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
        return `${name} ${response.status} ${response.headers.get('content-type')} ${body}`;
      }),
    );
    expect(rows).toEqual([
      'getCreated 201 application/json; charset=utf-8 {"data":{"id":"7"}}',
      'getPlain 200 application/json; charset=utf-8 {"data":{"id":"7"}}',
      'getLocated 201 application/json; charset=utf-8 {"data":{"id":"7"}}',
      'getNothing 204 null ',
      'getCsv 200 text/csv; charset=utf-8 a,b\n',
      'getPixel 200 image/png \u0001\u0002\u00FF',
      'getFile 200 image/webp x',
      'getPlace 302 null ',
      'getSeeOther 303 null ',
      'getProblem 200 application/vnd.order+json {"data":{"id":"7"}}',
      'getEither 202 application/json; charset=utf-8 {"data":{"job":"a"}}',
      'getFirst 201 application/json; charset=utf-8 {"data":{"id":"7"}}',
    ]);
    const located = await request('/orders/located');
    expect(located.headers.get('location')).toBe('/orders/7');
    const place = await request('/orders/place', { redirect: 'manual' });
    expect(place.headers.get('location')).toBe('https://a.example/%C3%BC');
  });

  it('are refused where something else is given, and the log says how to declare it', async () => {
    const capabilities = Object.fromEntries(
      Object.entries(wrong).map(([name, [made]]) => [name, made]),
    );
    const { request, log } = await start({ capabilities: { orders: capabilities } });
    for (const [name, [, says]] of Object.entries(wrong)) {
      const path = name.slice(3).replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`);
      const response = await request(`/orders/${path.toLowerCase()}`);
      expect([name, response.status, await response.text()]).toEqual([name, 500, internal]);
      expect(String(log.errors.at(-1)?.error)).toContain(says);
    }
  });

  it('tell since when their capability is deprecated, and when it goes away', async () => {
    const getOld = capability(() => row)
      .output(Order)
      .deprecated({ since: '2026-01-01', sunset: '2027-01-31' });
    const getOlder = capability(() => row)
      .output(Order)
      .deprecated({ since: 'long ago' });
    const capabilities = { orders: { getOld, getOlder } };
    const { request } = await start({ capabilities });
    const [old, older] = [await request('/orders/old'), await request('/orders/older')];
    expect(old.headers.get('deprecation')).toBe('@1767225600');
    expect(old.headers.get('sunset')).toBe('Sun, 31 Jan 2027 00:00:00 GMT');
    expect([older.headers.get('deprecation'), older.headers.get('sunset')]).toEqual([null, null]);
    const { paths } = generateOpenAPI(capabilities);
    expect(paths['/orders/old']?.['get']?.responses['200']).toMatchObject({
      headers: { deprecation: { required: true }, sunset: { required: true } },
    });
  });

  it('are checked one by one where they are items of a stream', async () => {
    let ended = 0;
    const watchOrders = capability(async function* () {
      try {
        yield row;
        yield sse({ ...row, id: '8' }, { id: '8', event: 'order' });
        yield { id: 9 as unknown as string };
        yield row;
      } finally {
        ended++;
      }
    }, 'query').output(stream(Order));
    const { request, log } = await start({ capabilities: { orders: { watchOrders } } });
    const lines = await request('/orders/watch-orders', {
      headers: { accept: 'application/x-ndjson' },
    });
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(await lines.text()).toBe(`{"id":"7"}\n{"id":"8"}\n${internal}\n`);
    const events = await request('/orders/watch-orders', {
      headers: { accept: 'text/event-stream' },
    });
    expect(await events.text()).toBe(
      `data: {"id":"7"}\n\nevent: order\nid: 8\ndata: {"id":"8"}\n\nevent: error\ndata: ${internal}\n\n`,
    );
    expect(String(log.errors.at(-1)?.error)).toContain(
      'orders.watchOrders gave an item that does not fit its schema',
    );
    await expect.poll(() => ended).toBe(2);
  });
});
