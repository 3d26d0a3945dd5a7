import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createClient, type WebSocketClass, webSocket } from '../../server-runtime/client/index.ts';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { openTalk, startTalk } from '../helpers/start-web-sockets.ts';

const serverOf = (version: string): string => `
  import { capability, createServer, restTransport } from 'capix';
  import { webSocketTransport } from 'capix/websocket';
  const getVersion = capability(() => '${version}');
  const getLater = capability(() => new Promise((done) => setTimeout(done, 9000, '${version}')));
  await createServer({
    capabilities: { texts: { getVersion, getLater } },
    transports: [restTransport({ port: 0 }), webSocketTransport()],
  }).start();`;

async function openProject() {
  const folder = await devProject({ 'src/server.ts': serverOf('one') });
  const dev = openDevJson(folder);
  const url = (await dev.url()).replace('http', 'ws');
  const save = async (version: string): Promise<void> => {
    await writeTree(folder, { 'src/server.ts': serverOf(version) });
    await dev.waitFor('ready', ({ cause }) => cause?.kind === 'change');
  };
  return { dev, url, save };
}

it('48 a page of another site, and a name of another machine, reach no WebSocket under dev', async () => {
  const { url } = await openProject();
  expect(
    await startTalk(url, { headers: { origin: 'https://evil.example' } }).refused,
  ).toMatchObject({
    status: 403,
  });
  expect(await startTalk(url, { headers: { host: 'evil.example' } }).refused).toMatchObject({
    status: 403,
  });
  const page = await openTalk(url, { headers: { origin: 'http://localhost:5173' } });
  expect(await page.ask('texts.getVersion')).toMatchObject({ result: 'one' });
});

it('58 a call of 9 s that has begun survives a save, and its connection is closed with 1012 after it', async () => {
  const { url, save } = await openProject();
  const talk = await openTalk(url);
  talk.call('texts.getLater');
  expect(await talk.ask('texts.getVersion')).toMatchObject({ id: 2, result: 'one' });
  await save('two');
  expect(await talk.next()).toMatchObject({ method: '$/goaway', params: { reason: 'reload' } });
  const other = await openTalk(url);
  expect(await other.ask('texts.getVersion')).toMatchObject({ result: 'two' });
  expect(await talk.next()).toEqual({ jsonrpc: '2.0', id: 1, result: 'one' });
  expect(await talk.closed).toEqual({ code: 1012, reason: 'reload' });
});

it('57 500 connections are on new code after a save, and no call is refused', async () => {
  const { url, save, dev } = await openProject();
  const apis = Array.from({ length: 500 }, () => {
    const transport = webSocket(url.replace('ws', 'http'), {
      WebSocket: WebSocket as unknown as WebSocketClass,
    });
    onTestFinished(() => transport.close());
    return createClient<{ texts: { getVersion: never } }>({ transport }) as unknown as {
      readonly texts: { readonly getVersion: () => Promise<string> };
    };
  });
  const askAll = () => Promise.all(apis.map((api) => api.texts.getVersion()));
  expect(new Set(await askAll())).toEqual(new Set(['one']));
  const meanwhile: Promise<string[]>[] = [];
  const timer = setInterval(() => meanwhile.push(askAll()), 200);
  await save('two');
  clearInterval(timer);
  for (const answers of await Promise.all(meanwhile))
    for (const answer of answers) expect(['one', 'two']).toContain(answer);
  await expect
    .poll(async () => new Set(await askAll()), { timeout: 20_000 })
    .toEqual(new Set(['two']));
  await expect.poll(() => dev.stdout()).toMatch(/"method":"WS","url":"texts\.getVersion"/);
});
