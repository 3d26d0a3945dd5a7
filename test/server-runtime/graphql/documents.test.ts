import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { graphqlTransport } from '../../../server-runtime/graphql/index.ts';
import {
  capability,
  createServer,
  restTransport,
  toFetchHandler,
  toNodeHandler,
} from '../../../server-runtime/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';
import { readAnswer, startGraphql, toPost } from '../../helpers/start-graphql.ts';
import { recordLog } from '../../helpers/start-rest.ts';

const Thing = z.object({ id: z.string() });
const getThing = capability(Thing, ({ id }) => ({ id })).output(Thing);
const capabilities = { things: { getThing } };
const known = { k1: 'query ($id: ID!) { getThing(id: $id) { id } }' };
const query = '{ getThing(id: 1) { id } }';
const data = { getThing: { id: '1' } };

it('56 unknown document, known one by GET, `onlyDocuments`', async () => {
  const { send } = await startGraphql({ capabilities, graphql: { documents: known } });
  const hashed = { extensions: { persistedQuery: { version: 1, sha256Hash: 'k1' } } };
  const variables = { id: '1' };
  expect(await send(toPost({ documentId: 'k1', variables }))).toMatchObject({ status: 200, data });
  expect(await send(toPost({ ...hashed, variables }))).toMatchObject({ status: 200, data });
  const search = `?variables={"id":"1"}&extensions=${JSON.stringify(hashed.extensions)}`;
  expect(await send({}, encodeURI(search))).toMatchObject({ status: 200, data });
  expect(await send(toPost({ documentId: 'toString' }))).toMatchObject({
    status: 400,
    errors: [
      { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
    ],
  });
  expect(await send(toPost({ query }))).toMatchObject({ data });

  const asked: string[] = [];
  const documents = async (id: string) => {
    asked.push(id);
    if (id === 'broken') throw new Error('a secret');
    return id === 'k1' ? known.k1 : undefined;
  };
  const only = await startGraphql({ capabilities, graphql: { documents, onlyDocuments: true } });
  expect(await only.send(toPost({ documentId: 'k1', variables }))).toMatchObject({ data });
  expect(await only.send(toPost({ query }))).toMatchObject({
    status: 400,
    errors: [{ message: expect.stringContaining('Only documents that this server knows') }],
  });
  expect((await only.send(toPost({ query, documentId: 'k2' }))).errors?.[0]?.extensions?.code).toBe(
    'PERSISTED_QUERY_NOT_FOUND',
  );
  const broken = await only.send(toPost({ documentId: 'broken' }));
  expect(broken).toMatchObject({ status: 500, errors: [{ message: 'Internal server error' }] });
  expect(asked).toEqual(['k1', 'k2', 'broken']);
  expect(() => graphqlTransport({ onlyDocuments: true })).toThrow('it needs documents');
});

it('58 fetch handler and node handler', async () => {
  const toServer = () =>
    createServer({ capabilities, transports: [restTransport(), graphqlTransport()] });
  const answer = toFetchHandler(toServer(), { prefix: '/api' });
  const request = (path: string) => new Request(`http://host${path}`, toPost({ query }));
  expect(await readAnswer(await answer(request('/api/graphql')))).toMatchObject({ data });
  expect((await answer(request('/graphql'))).status).toBe(404);

  const http = createHttpServer((incoming, response) =>
    toNodeHandler(server)(incoming, response, () => response.writeHead(204).end()),
  );
  const server = toServer();
  await once(http.listen(0), 'listening');
  onTestFinished(() => void http.close());
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  expect(await readAnswer(await fetch(`${url}/graphql`, toPost({ query })))).toMatchObject({
    data,
  });
  expect((await fetch(`${url}/others`)).status).toBe(204);
});

it('needs a transport that listens, or a handler', async () => {
  const server = createServer({ capabilities, transports: [graphqlTransport()] });
  await expect(server.start()).rejects.toThrow('no port of its own');
});

it('two of them need two paths', async () => {
  const start = (path: string) => {
    const own = { things: { getThing: capability(() => 'own') } };
    const server = createServer({
      logger: recordLog(),
      capabilities,
      transports: [
        restTransport({ port: 0 }),
        graphqlTransport(),
        graphqlTransport({ path, capabilities: own }),
      ],
    });
    onTestFinished(() => server.stop());
    return server.start();
  };
  await expect(start('/graphql')).rejects.toThrow('Two transports have the path /graphql');
  const [started] = await start('/own');
  const own = await fetch(`${started?.url}/own`, toPost({ query: '{ getThing }' }));
  expect(await readAnswer(own)).toMatchObject({ data: { getThing: 'own' } });
});

it('colliding fields keep a server from starting', async () => {
  const user = { getUser: getThing };
  const server = createServer({
    capabilities: { user, users: user },
    transports: [restTransport({ port: 0 }), graphqlTransport()],
  });
  await expect(server.start()).rejects.toThrow("fields: { 'users.getUser': 'usersGetUser' }");
});

it.each([
  [{ path: '/' }, "graphqlTransport path: expected a path such as '/graphql'"],
  [{ limits: { calls: 0 } }, 'graphqlTransport limits.calls'],
  [{ limits: { cost: 1 } }, 'cost'],
  [{ pfad: '/x' }, 'pfad'],
])('refuses %j', (options, message) => {
  expect(() => graphqlTransport(options as never)).toThrow(message);
});

it('a test server asks it by api.graphql(text, variables)', async () => {
  const text = 'query ($id: ID!) { getThing(id: $id) { id } }';
  for (const listen of [true, false]) {
    await using api = await testServer({
      capabilities,
      graphql: true,
      listen,
      rest: { prefix: '/api' },
    });
    expect(await api.graphql(text, { id: '1' })).toEqual({ data });
    expect((await api.graphql('{')).errors?.[0]?.extensions).toEqual({
      code: 'GRAPHQL_PARSE_FAILED',
      status: 400,
    });
  }
  await using api = await testServer({ capabilities });
  await expect(api.graphql(text)).rejects.toThrow('testServer({ graphql: true })');
});
