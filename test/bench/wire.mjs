// What declared answers, the picker of their fields, envelopes, tags and compression cost a request, and what they cost where they are not used: `node test/bench/wire.mjs [folder of another
// build]`. In production, so that answers are picked and not checked; of a build without one of them its cases are left out.

import { measureInMemory } from './measure-in-memory.mjs';
import * as z from './zod-of-capix.mjs';

const Item = z.object({
  id: z.string(),
  name: z.string(),
  price: z.number(),
  tags: z.array(z.string()),
  place: z.object({ street: z.string(), city: z.string() }),
  born: z.iso.datetime(),
  sold: z.boolean(),
});
const toItem = (index) => ({
  id: `item-${index}`,
  name: 'A name of some length',
  price: index * 1.5,
  tags: ['new', 'blue'],
  place: { street: '12 St James Square', city: 'London' },
  born: '2026-01-02T03:04:05.000Z',
  sold: false,
});
const [one] = [toItem(1)];
const hundred = Array.from({ length: 100 }, (_, index) => toItem(index));
const unpicked = hundred.map((item) => ({ ...item, passwordHash: 'x' }));

await measureInMemory((capix) => {
  const { bareEnvelope, capability, defineEnvelope, problemDetails, reply } = capix;
  const oneItem = () => capability(() => one, 'query');
  const list = (items = hundred) => capability(() => items, 'query');
  const hasAnswers = capix.noContent !== undefined;
  const hasEnvelopes = defineEnvelope !== undefined;
  const hasCaching = oneItem().cacheControl !== undefined;
  const send = (cap, rest, headers) => sender(capix, { cap, rest, headers });
  return {
    'one item, nothing declared': send(oneItem()),
    'one item, .output': send(oneItem().output(Item)),
    ...(hasAnswers && {
      'one item, .answers of two': send(
        oneItem()
          .output(Item)
          .output(z.object({ job: z.string() }), { status: 202 }),
      ),
      'one item, reply with a declared header': send(
        capability(() => reply(one, { headers: { location: '/1' } }), 'query').output(Item, {
          headers: { location: z.string() },
        }),
      ),
    }),
    ...(hasEnvelopes && {
      'one item, bareEnvelope': send(oneItem(), { envelope: bareEnvelope }),
      'one item, problemDetails': send(oneItem(), { envelope: problemDetails }),
    }),
    ...(hasCaching && {
      'one item, .cacheControl': send(oneItem().cacheControl('private')),
      'one item, etag': send(oneItem(), { etag: true }),
      'one item, compression on, too small': send(
        oneItem(),
        { compression: true },
        { 'accept-encoding': 'gzip' },
      ),
      '100 items, compression on, not accepted': send(list(), { compression: true }),
      '100 items, compressed by gzip': send(
        list(),
        { compression: true },
        { 'accept-encoding': 'gzip' },
      ),
    }),
    '100 items, nothing declared': send(list()),
    '100 items, .output': send(list().output(z.array(Item))),
    '100 items, .output, one field of each dropped': send(list(unpicked).output(z.array(Item))),
    '100 items, .output of open objects': send(list().output(z.array(z.looseObject(Item.shape)))),
  };
});

function sender(
  { createServer, restTransport, silentLogger, toFetchHandler },
  { cap, rest = {}, headers = {} },
) {
  const server = createServer({
    capabilities: { items: { listItems: cap } },
    transports: [restTransport(rest)],
    logger: silentLogger,
  });
  const handle = toFetchHandler(server);
  return async () =>
    (await handle(new Request('http://localhost/items', { headers }))).arrayBuffer();
}
