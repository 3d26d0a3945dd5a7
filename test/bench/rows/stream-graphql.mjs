/** The items of a stream as a subscription of GraphQL over server-sent events, in capix and by `graphql` by hand. */
import { createServer as createHttpServer } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { listen, read } from './servers.mjs';
import { ITEMS, Item, makeItems, openCapixStream } from './streams.mjs';

export const units = ITEMS;
const query = 'subscription { listItems { id name } }';

export const peers = {
  capix: async () => {
    const { graphqlTransport } = await import('../../../dist/server-runtime/graphql/index.js');
    return openCapixStream(graphqlTransport({ fields: { 'bench.listItems': 'listItems' } }));
  },
  graphql: async () => {
    const { buildSchema, parse, subscribe, validate } = await import('graphql');
    const schema = buildSchema(`
      type Item { id: Float! name: String! }
      type Query { none: String }
      type Subscription { listItems: Item! }`);
    const document = parse(query);
    if (validate(schema, document).length > 0) throw new Error('The query is wrong.');
    const rootValue = {
      listItems: async function* () {
        for await (const item of makeItems()) yield { listItems: Item.parse(item) };
      },
    };
    const answer = async (request, response) => {
      for await (const _chunk of request);
      const results = await subscribe({ schema, document, rootValue });
      const events = async function* () {
        for await (const result of results)
          yield `event: next\ndata: ${JSON.stringify(result)}\n\n`;
        yield 'event: complete\ndata:\n\n';
      };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      pipeline(Readable.from(events()), response, () => {});
    };
    return listen(createHttpServer((request, response) => void answer(request, response)));
  },
};

export async function load(url) {
  const { status, bytes } = await read(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
  });
  if (status !== 200 || bytes < ITEMS * 50) throw new Error(`${status}, ${bytes} bytes came.`);
}
