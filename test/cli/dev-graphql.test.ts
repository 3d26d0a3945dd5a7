import { createClient } from 'graphql-ws';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { devProject } from '../helpers/dev-project.ts';
import { graphServer } from '../helpers/graph-server.ts';
import { openDev, openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

const serverOf = (options: string): string => `
  import { capability, createServer, restTransport } from 'capix';
  import { graphqlTransport } from 'capix/graphql';
  const capabilities = { books: { countBooks: capability(() => 3, 'query') } };
  const rest = restTransport({ port: 0 });
  await createServer({ capabilities, transports: [rest, graphqlTransport({ ${options} })] }).start();`;

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function open(options: string) {
  const dev = openDevJson(await devProject({ 'src/server.ts': serverOf(options) }));
  const url = `${await dev.url()}/graphql`;
  return (query = '') => fetch(url + query, { headers: { accept, connection: 'close' } });
}

it('GraphiQL answers a browser that opens the path, and documents are run as ever', async () => {
  const read = await open('');
  const page = await read();
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; frame-ancestors 'none'; script-src \S+ 'sha256-\S+='; .*connect-src 'self'$/,
  );
  const html = await page.text();
  expect(html.match(/integrity="sha384-[^"]{64}" crossorigin/g)).toHaveLength(4);
  expect(await (await read('?query={countBooks}')).json()).toEqual({ data: { countBooks: 3 } });
  // The page needs the schema.
  const schema = await read('?query={__schema{queryType{name}}}');
  expect(await schema.json()).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
});

it('there is no page where callers may not read the schema', async () => {
  const page = await (await open('introspection: false'))();
  expect(page.status).toBe(400);
  expect(page.headers.get('content-type')).toContain('json');
});

const watchServer = (version: string): string => `
  import { capability, createServer, restTransport, stream } from 'capix';
  import { graphqlTransport } from 'capix/graphql';
  import * as z from 'zod';
  const watchTexts = capability(async function* (_input, { signal }) {
    yield '${version}';
    await new Promise((end) => signal.addEventListener('abort', end));
  }).output(stream(z.string()));
  const transports = [restTransport({ port: 0 }), graphqlTransport({ webSocket: true })];
  await createServer({ capabilities: { texts: { watchTexts } }, transports }).start();`;

it('a save ends subscriptions: events without complete, and a WebSocket with 1012', async () => {
  const folder = await devProject({ 'src/server.ts': watchServer('one') });
  const dev = openDevJson(folder);
  const url = `${await dev.url()}/graphql`;
  const query = 'subscription { watchTexts }';
  const client = createClient({
    url: url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  onTestFinished(() => void client.dispose());
  const closed = new Promise((resolve) => client.on('closed', resolve));
  const results = client.iterate({ query });
  expect(await results.next()).toMatchObject({ value: { data: { watchTexts: 'one' } } });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
  });
  await writeTree(folder, { 'src/server.ts': watchServer('two') });
  await dev.waitFor('ready', ({ cause }) => cause?.kind === 'change');
  expect(await closed).toMatchObject({ code: 1012, reason: 'reload' });
  expect(await response.text()).toMatch(
    /^event: next\ndata: \{"data":\{"watchTexts":"one"\}\}\n\n(:\n\n)*$/,
  );
});

it('a request is an operation with its name, and its fields are calls', async () => {
  const dev = openDevJson(await devProject({ 'src/server.ts': graphServer }));
  const url = `${await dev.url()}/graphql`;
  const ask = (body: object) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
    });
  await ask({
    query: `query Books { listBooks { id author { id } } }
      mutation Enter { authorsLogin(input: { password: "hunter2" }) { id } }`,
    operationName: 'Books',
  });
  expect(await dev.waitFor('request')).toMatchObject({
    method: 'POST',
    url: '/graphql',
    operation: { kind: 'query', title: 'Books' },
    status: 200,
    fields: [
      { path: 'listBooks', capability: 'books.listBooks', calls: 1, failed: 0, status: 200 },
      {
        path: 'listBooks.author',
        capability: 'authors.getAuthor',
        calls: 3,
        failed: 1,
        status: 404,
        error: { name: 'NotFound', message: 'There is no author 2.' },
      },
    ],
  });
  const document = 'mutation { authorsLogin(input: { password: "hunter2" }) { id } }';
  await ask({ query: document });
  expect(await dev.waitFor('request')).toMatchObject({
    operation: { kind: 'mutation', title: '{ authorsLogin }' },
    fields: [{ status: 500, error: { name: 'Internal', message: 'Internal server error' } }],
  });
  const search = new URLSearchParams({
    query: 'query One($id: ID!) { getAuthor(id: $id) { id } }',
    variables: JSON.stringify({ id: '7', token: 'topsecret' }),
  });
  await fetch(`${url}?${search}`, { headers: { connection: 'close' } });
  expect(await dev.waitFor('request')).toMatchObject({
    method: 'GET',
    url: '/graphql',
    operation: { kind: 'query', title: 'One' },
    fields: [{ path: 'getAuthor', status: 200 }],
  });
  await ask({ query: '{' });
  const refused = await dev.waitFor('request');
  expect(refused).not.toHaveProperty('operation');
  expect(dev.stdout()).not.toMatch(/hunter2|topsecret/);
});

it('a line of the text names the operation and what it has called', async () => {
  const dev = openDev(await devProject({ 'src/server.ts': graphServer }), ['--port', '0']);
  const url = /http:\S+/.exec(await dev.waitForLine(/http:/))?.[0];
  const search = new URLSearchParams({ query: 'query Books { listBooks { author { id } } }' });
  await fetch(`${url}/graphql?${search}`, { headers: { connection: 'close' } });
  expect(await dev.waitForLine(/^\[capix\] query Books /)).toMatch(
    /^\[capix\] query Books 200 in [\d.]+ m?s {2}books\.listBooks, authors\.getAuthor \(3 calls\) 404$/m,
  );
});
