import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createClient, webSocket } from '../../server-runtime/client/index.ts';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { openTalk, startTalk } from '../helpers/start-web-sockets.ts';

const serverOf = (version: string): string => `
  import { appendFileSync } from 'node:fs';
  import * as z from 'zod';
  import { capability, createServer, restTransport } from 'capix';
  import { webSocketTransport } from 'capix/websocket';
  const getVersion = capability(() => '${version}');
  const addOne = capability(z.object({ id: z.number() }), ({ id }) => {
    appendFileSync('runs.txt', id + '\\n');
    return '${version}';
  });
  const getLater = capability(() => new Promise((done) => setTimeout(done, 9000, '${version}')));
  await createServer({
    capabilities: { texts: { getVersion, getLater, addOne } },
    transports: [restTransport({ port: 0 }), webSocketTransport()],
  }).start();`;

interface Api {
  readonly texts: { readonly addOne: (input: { readonly id: number }) => Promise<string> };
}

async function openProject() {
  const folder = await devProject({ 'src/server.ts': serverOf('one') });
  const dev = openDevJson(folder);
  const url = (await dev.url()).replace('http', 'ws');
  const save = async (version: string): Promise<void> => {
    await writeTree(folder, { 'src/server.ts': serverOf(version) });
    await dev.waitFor('ready', ({ cause }) => cause?.kind === 'change');
  };
  return { dev, folder, url, save };
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

it('57 the new code accepts connections itself after a save: it needs no word of the tool for any of them', async () => {
  const { url, save, dev } = await openProject();
  await save('two');
  process.kill(dev.pid, 'SIGSTOP');
  const talks = await Promise.all(Array.from({ length: 20 }, () => openTalk(url)));
  for (const talk of talks)
    expect(await talk.ask('texts.getVersion')).toMatchObject({ result: 'two' });
  process.kill(dev.pid, 'SIGCONT');
});

/**
 * 500 connections are made anew in a second where nothing else runs. Where other tests do, the time is theirs: what can
 * be held there is the CPU that the clients take for it, beside that of the first 500.
 */
const MAX_PART = 3;

it('57 500 connections are on new code soon after a save: no call is lost, and none runs twice', async () => {
  const { url, save, dev, folder } = await openProject();
  const apis = Array.from({ length: 500 }, () => {
    const transport = webSocket(url.replace('ws', 'http'), {
      WebSocket,
    });
    onTestFinished(() => transport.close());
    return createClient({ transport }) as unknown as Api;
  });
  const ids: number[] = [];
  const addOne = async (api: Api): Promise<string> => {
    const id = ids.length;
    ids.push(id);
    return api.texts.addOne({ id });
  };
  const usedBefore = process.cpuUsage();
  expect(new Set(await Promise.all(apis.map(addOne)))).toEqual(new Set(['one']));
  const connecting = process.cpuUsage(usedBefore);
  /** Calls again and again until it has an answer of the new code, and gives the time of that. */
  const move = async (api: Api): Promise<number> => {
    while ((await addOne(api)) === 'one') await new Promise((done) => setTimeout(done, 100));
    return performance.now();
  };
  const moves = apis.map(move);
  await save('two');
  const readyAtMs = performance.now();
  const usedAtReady = process.cpuUsage();
  const movedAtMs = Math.max(...(await Promise.all(moves)));
  const moving = process.cpuUsage(usedAtReady);
  expect(moving.user + moving.system).toBeLessThan(
    MAX_PART * (connecting.user + connecting.system),
  );
  expect(movedAtMs - readyAtMs).toBeLessThan(PATIENCE_MS);
  const runs = (await readFile(join(folder, 'runs.txt'), 'utf8')).trim().split('\n');
  expect(runs.map(Number).sort((one, other) => one - other)).toEqual(ids);
  await expect.poll(() => dev.stdout()).toMatch(/"method":"WS","url":"texts\.addOne"/);
});
