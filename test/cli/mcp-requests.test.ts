import { expect, it } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { connectToCommand, connectToUrl } from '../helpers/connect-to-tools.ts';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { cliEntry } from '../helpers/run-capix.ts';

const LIST = 'capix://requests';

type Client = Awaited<ReturnType<typeof connectToCommand>>;

interface Listed {
  readonly note?: string;
  readonly servers: readonly { readonly urls: readonly string[]; readonly phase: string }[];
  readonly requests: readonly Readonly<Record<string, unknown>>[];
}

async function readText(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return (contents[0] as { readonly text: string }).text;
}

const readList = async (client: Client): Promise<Listed> =>
  JSON.parse(await readText(client, LIST)) as Listed;

const files = {
  'src/capabilities.ts': `
import { capability, defineGuard, trace } from 'capix';
import * as z from 'zod';
const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser' });
export const orders = {
  getOrder: capability(z.object({ id: z.string() }), async ({ id }) => {
    for (const line of [1, 2, 3, 4, 5, 6, 7]) await trace('db', 'select * from lines where id = ' + line, async () => {});
    await trace('http', 'GET https://rates.test/eur?token=topsecret', async () => {});
    if (id === 'bad') throw new Error('no rates');
    return id;
  }, 'query').guard(mustBeUser).resource('shop://orders/{id}'),
};`,
  'src/server.ts': `
import { createServer, restTransport } from 'capix';
import { orders } from './capabilities.ts';
await createServer({ capabilities: { orders }, transports: [restTransport()] }).start();`,
};

it('agents read the requests that capix dev has recorded, and where the time of one went', async () => {
  const folder = await devProject(files);
  const client = await connectToCommand(folder);
  const { resources } = await client.listResources();
  expect(resources).toMatchObject([{ uri: LIST, mimeType: 'application/json' }]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'shop://orders/{id}',
    `${LIST}/{id}`,
  ]);
  // Those of the project are as before.
  expect(await readText(client, 'shop://orders/7')).toContain('7');

  expect(await readList(client)).toEqual({
    note: 'No `capix dev` of this project runs: start it, send the request, and read this again.',
    servers: [],
    requests: [],
  });
  await expect(client.readResource({ uri: `${LIST}/one` })).rejects.toThrow(
    'No `capix dev` of this project runs',
  );

  const dev = openDevJson(folder);
  const url = await dev.url();
  await expect
    .poll(async () => (await readList(client)).servers)
    .toEqual([{ urls: [url], phase: 'ready' }]);
  expect(await readList(client)).toMatchObject({
    note: expect.stringContaining('No request'),
    requests: [],
  });
  const send = (id: string, path: string): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { 'x-request-id': id } });
  await send('first', '/orders/7?password=topsecret');
  await dev.waitFor('request');
  await send('second', '/orders/bad');
  await expect.poll(async () => (await readList(client)).requests.length).toBe(2);
  const counts = { queries: 7, calls: 1, commands: 0 };
  const { note, requests } = await readList(client);
  expect(note).toBeUndefined();
  expect(requests).toMatchObject([
    { id: 'second', method: 'GET', url: '/orders/bad', status: 500, ...counts },
    {
      id: 'first',
      method: 'GET',
      url: '/orders/7?password=•••',
      route: '/orders/:id',
      capability: 'orders.getOrder',
      status: 200,
      durationMs: expect.any(Number),
      repeated: [expect.stringMatching(/^▲ 7 times in .*: db select \* from lines where id = \?$/)],
      ...counts,
    },
  ]);

  const one = await readText(client, `${LIST}/first`);
  expect(one).toMatch(
    /^GET \/orders\/7\?password=•••: 200 after [\d.]+ m?s, ended 20.*\norders\.getOrder, \/orders\/:id, db 7, http 1\n/,
  );
  expect(one).toMatch(
    /began at +took +what\n[^]*m?s {2}guard mustBeUser\n[^]* {2}handler orders\.getOrder\n.* {4}×7 db select \* from lines where id = \? {2}\(from src\/capabilities\.ts:7\)\n.* {4}http GET https:\/\/rates\.test\/eur\?token=••• {2}\(from src\/capabilities\.ts:8\)/,
  );
  expect(await readText(client, `${LIST}/second`)).toMatch(
    /500 after [^]*Error: no rates\n +at .*capabilities\.ts:9/,
  );
  expect(JSON.stringify([one, requests])).not.toContain('topsecret');
  await expect(client.readResource({ uri: `${LIST}/third` })).rejects.toThrow(
    "There is no recorded request 'third'.",
  );
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: `${LIST}/{id}` },
    argument: { name: 'id', value: 'fi' },
  });
  expect(completion).toMatchObject({ values: ['first'], total: 1 });

  dev.kill('SIGTERM');
  await dev.ended;
  expect((await readList(client)).note).toContain('No `capix dev` of this project runs');
});

it('over HTTP they are there as well, at most 100 of them, the newest first', async () => {
  const folder = await devProject(files);
  const dev = openDevJson(folder);
  const url = await dev.url();
  const server = startInBackground([process.execPath, cliEntry, 'mcp', '--port', '0'], {
    cwd: folder,
  });
  const [, address = ''] = await server.waitFor(/Server started on (\S+)\n/);
  const client = await connectToUrl(address);
  for (let at = 0; at < 110; at += 1) {
    const headers = { 'x-request-id': `r${at}` };
    await (await fetch(`${url}/orders/7`, { headers })).text();
  }
  await expect.poll(async () => (await readList(client)).requests[0]?.['id']).toBe('r109');
  const { requests } = await readList(client);
  expect(requests).toHaveLength(100);
  expect(requests.at(-1)).toMatchObject({ id: 'r10' });
  dev.kill('SIGTERM');
  await dev.ended;
});
