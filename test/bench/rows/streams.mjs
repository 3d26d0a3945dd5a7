/** A stream of many items that are checked by their schema, in capix, in Hono and by hand, as events or as lines. */
import { createServer as createHttpServer } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import * as z from '../zod-of-capix.mjs';
import { listen, openCapix, read } from './servers.mjs';

export const ITEMS = 20_000;
export const Item = z.object({ id: z.number(), name: z.string() });

export async function* makeItems() {
  for (let id = 0; id < ITEMS; id++) yield { id, name: `item ${id}` };
}

export const capix = () => openCapixStream();

/** A server in capix with the stream, which these transports answer, too. */
export const openCapixStream = (...transports) =>
  openCapix(
    ({ capability, stream }) => ({
      listItems: capability(z.object({}), () => makeItems())
        .output(stream(Item))
        .route('GET', '/items'),
    }),
    {},
    transports,
  );

/** A server that answers each request with the items, each of which `toText` writes. */
export const byHand = (type, toText) =>
  listen(
    createHttpServer((_request, response) => {
      const texts = async function* () {
        for await (const item of makeItems()) yield toText(JSON.stringify(Item.parse(item)));
      };
      response.writeHead(200, { 'content-type': type });
      pipeline(Readable.from(texts()), response, () => {});
    }),
  );

export async function hono() {
  const { Hono } = await import('hono');
  const { streamSSE } = await import('hono/streaming');
  const { createAdaptorServer } = await import('@hono/node-server');
  const app = new Hono().get('/items', (context) =>
    streamSSE(context, async (events) => {
      for await (const item of makeItems())
        await events.writeSSE({ data: JSON.stringify(Item.parse(item)) });
    }),
  );
  return listen(createAdaptorServer({ fetch: app.fetch }));
}

export const readItems = (accept) => (url) => read(`${url}/items`, { headers: { accept } });
