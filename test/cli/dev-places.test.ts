import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { devProject, textFile, textServer } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** A server that names its own address. */
const serverAt = (options: string): string =>
  textServer['src/server.ts'].replace('restTransport()', `restTransport(${options})`);

it.each([
  ['port', '{ port: 43101 }', '{ port: 43102 }'],
  ['host', `{ port: 43101, host: 'localhost' }`, `{ port: 43101, host: '0.0.0.0' }`],
])(
  '--port goes on replacing the first port when a save changes the %s of the code',
  async (_name, before, after) => {
    const folder = await devProject({ 'src/server.ts': serverAt(before) });
    const dev = openDevJson(folder, ['--host', 'localhost']);
    const url = await dev.url();
    await writeTree(folder, { 'src/server.ts': serverAt(after), 'src/text.ts': textFile('two') });
    const { urls } = await dev.waitFor('ready', ({ cause }) => cause?.kind === 'change');
    expect(urls).toEqual([url]);
    expect(await (await fetch(`${url}/texts`)).json()).toEqual({ data: 'two' });
    dev.kill('SIGTERM');
    await dev.ended;
  },
);

it('at most three processes run code, whatever the pace of saves', async () => {
  const code = (word: string): string => `
    console.log('code ${word} in ' + process.pid);
    export const text = () => new Promise((resolve) => setTimeout(resolve, 2000, '${word}'));`;
  const folder = await devProject({ 'src/text.ts': code('0') });
  const dev = openDevJson(folder);
  const url = await dev.url();
  const counts: number[] = [];
  const asking: Promise<unknown>[] = [];
  for (let save = 1; save <= 10; save += 1) {
    asking.push(fetch(`${url}/texts`).catch(() => undefined));
    await writeTree(folder, { 'src/text.ts': code(String(save)) });
    await dev.waitFor('output', ({ line }) => line?.startsWith(`code ${save} `) === true);
    const pids = [...dev.stdout().matchAll(/code \d+ in (\d+)/g)].map(([, pid]) => Number(pid));
    counts.push([...new Set(pids)].filter(isAlive).length);
    // The pace of saves is what is tried here.
    await pause(700);
  }
  await Promise.all(asking);
  expect(counts).toHaveLength(10);
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
  dev.kill('SIGTERM');
  await dev.ended;
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
