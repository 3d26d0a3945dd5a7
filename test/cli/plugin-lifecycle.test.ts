import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { openStart, toPids } from '../helpers/open-start.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** A server whose plugin writes each of its starts and stops to a file, and whose answers say how often it is open. */
const server = `
  import { appendFileSync } from 'node:fs';
  import { capability, createServer, definePlugin, restTransport } from 'capix';
  import { text } from './text.ts';
  let open = 0;
  const note = (what) => appendFileSync('life.txt', what + ' ' + text + ' ' + process.pid + '\\n');
  const db = definePlugin({
    name: 'db',
    start: async () => { await new Promise((resolve) => setTimeout(resolve, 50)); open++; note('start'); },
    stop: async () => { await new Promise((resolve) => setTimeout(resolve, 50)); open--; note('stop'); },
  });
  const listTexts = capability(() => text + ' ' + open);
  const server = createServer({
    capabilities: { texts: { listTexts } },
    plugins: [db],
    transports: [restTransport({ port: Number(process.env.PORT), host: '127.0.0.1' })],
  });
  await server.start();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.stop().then(() => process.exit()));
`;

const toLines = async (folder: string): Promise<readonly string[]> =>
  (await readFile(join(folder, 'life.txt'), 'utf8')).trim().split('\n');

it('is started by new code before it answers, and stopped by the code that it replaced', async () => {
  const folder = await devProject({
    'src/server.ts': server,
    'src/text.ts': `export const text = 'one';`,
  });
  const dev = openDevJson(folder);
  const url = await dev.url();
  const ask = async (): Promise<string> => (await fetch(`${url}/texts`)).text();
  expect(await ask()).toBe('{"data":"one 1"}');
  await writeTree(folder, { 'src/text.ts': `export const text = 'two';` });
  await expect.poll(ask).toBe('{"data":"two 1"}');
  await expect
    .poll(async () => (await toLines(folder)).map((line) => line.replace(/ \d+$/, '')))
    .toEqual(['start one', 'start two', 'stop one']);
});

it('is started and stopped once by each worker, also where workers are replaced', async () => {
  const folder = await devProject({
    'dist/server.js': server.replace('./text.ts', './text.js'),
    'dist/text.js': `export const text = 'one';`,
  });
  const start = openStart(folder, ['dist/server.js', '--workers', '2']);
  await start.next('ready');
  await start.next('worker-started');
  start.kill('SIGHUP');
  const replacing = toPids(await start.next('restarted'));
  start.kill('SIGTERM');
  await start.ended;
  const lines = await toLines(folder);
  const pids = lines.flatMap((line) => /^start one (\d+)$/.exec(line)?.[1] ?? []);
  expect(pids).toHaveLength(4);
  expect(pids).toEqual(expect.arrayContaining(replacing.map(String)));
  const expected = pids.flatMap((pid) => [`start one ${pid}`, `stop one ${pid}`]);
  expect([...lines].sort()).toEqual(expected.sort());
});
