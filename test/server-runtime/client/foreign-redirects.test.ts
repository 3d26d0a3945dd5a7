import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createClientOf } from '../../../server-runtime/client/create-client-of.ts';
import { type ClientOptions, createClient } from '../../../server-runtime/client/index.ts';

type Api = Record<'save' | 'find', (input: object) => Promise<unknown>>;
const toClients = {
  written: createClientOf<Api>({ save: ['POST', '/save'], find: ['GET', '/find'] }),
  inferred: (options: ClientOptions) => createClient(options) as unknown as Api,
};
const clients = Object.entries(toClients);

/** A server that answers with what it was sent, and redirects `/301/x` to `/x`, as a proxy does. */
async function open(): Promise<string> {
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    const [, status, location] = /^\/(3\d\d)(\/.*)/.exec(url) ?? [];
    if (status === undefined || location === undefined) {
      response.setHeader('content-type', 'application/json');
      const data = `${method} ${url} ${headers.authorization} ${headers['x-tenant']}`;
      response.end(JSON.stringify({ data }));
    } else response.writeHead(Number(status), { location }).end();
    request.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

const cases = clients.flatMap(([name, toClient]) =>
  [301, 302, 303, 307, 308].map((status) => ({ name, toClient, status })),
);

it.each(cases)('a proxy that answers $status to the $name client is told', async (each) => {
  const api = each.toClient({ baseUrl: `${await open()}/${each.status}` });
  await expect(api.save({})).rejects.toMatchObject({
    name: 'Unknown',
    status: each.status,
    message: expect.stringMatching(/ to \/(_call\/)?save \(see baseUrl\)/),
  });
});

it('a GET follows the redirect of a proxy', async () => {
  const api = toClients.written({ baseUrl: `${await open()}/301` });
  expect(await api.find({})).toBe('GET /find undefined undefined');
});

it.each(clients)(
  'a header that is undefined is left out by the %s client',
  async (_name, toClient) => {
    const headers = { authorization: undefined, 'x-tenant': 'a' };
    const api = toClient({ baseUrl: new URL(await open()), headers });
    const { headers: asList } = new Request('http://x', { headers: { 'x-tenant': 'b' } });
    expect(await api.save({})).toMatch(/save undefined a$/);
    const other = toClient({ baseUrl: await open(), headers: () => asList });
    expect(await other.save({})).toMatch(/save undefined b$/);
  },
);

it.each(clients)('the %s client takes a URL object', async (_name, toClient) => {
  const url = await open();
  expect(await toClient({ baseUrl: new URL('/v1/', url) }).save({})).toMatch(
    /^POST \/v1\/(_call\/)?save /,
  );
});
