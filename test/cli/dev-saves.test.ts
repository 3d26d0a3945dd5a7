import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { killIfRunning, openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

async function answer(url: string): Promise<string> {
  return (await fetch(`${url}/texts`, { headers: { connection: 'close' } })).text();
}

describe('a save of a large project', () => {
  /** A megabyte of data is enough to be large. */
  const data = `export const data = ${JSON.stringify(Array(12_000).fill('x'.repeat(90)))};`;
  const code = (word: string) =>
    `import { data } from './data.ts';\nconsole.log('runs ${word}');\nexport const text = () => '${word} ' + data.length;`;

  it('is served that comes while the next process is prepared, and one while a save is served; nothing older follows', async () => {
    const folder = await devProject({ 'src/data.ts': data, 'src/text.ts': code('first') });
    const dev = openDevJson(folder);
    const url = await dev.url();
    // Once the code has started, all is prepared for the next save: nothing here waits for that.
    for (const word of ['a', 'b', 'c', 'd', 'e']) {
      await writeTree(folder, { 'src/text.ts': code(word) });
      await dev.waitFor('output', ({ line }) => line === `runs ${word}`);
      await dev.waitFor('ready');
      expect(await answer(url)).toBe(`{"data":"${word} 12000"}`);
    }
    // In the middle of a save: while it is built, and while it is started.
    for (const [before, event, word] of [
      ['f', 'starting', 'g'],
      ['h', 'output', 'i'],
    ] as const) {
      await writeTree(folder, { 'src/text.ts': code(before) });
      await dev.waitFor(event);
      await writeTree(folder, { 'src/text.ts': code(word) });
      await dev.waitFor('output', ({ line }) => line === `runs ${word}`);
      await dev.waitFor('ready');
      for (let again = 0; again < 5; again++)
        expect(await answer(url)).toBe(`{"data":"${word} 12000"}`);
    }
    expect(dev.stdout()).not.toContain('"event":"failed"');
    dev.kill('SIGTERM');
    await dev.ended;
  });
});

it('8 saves of a server with a lock file and a journal: it is stopped first once that has failed, and no two versions have the files', async () => {
  const folder = await devProject({
    'src/server.ts': `
      import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
      import { capability, createServer, restTransport } from 'capix';
      import { text } from './text.ts';
      closeSync(openSync('x.lock', 'wx'));
      const rows = existsSync('rows.json') ? JSON.parse(readFileSync('rows.json', 'utf8')) as string[] : [];
      const server = createServer({ capabilities: { texts: { listTexts: capability(() => text()) } }, transports: [restTransport()] });
      await server.start();
      process.once('SIGTERM', async () => {
        await server.stop();
        writeFileSync('rows.json', JSON.stringify([...rows, text()]));
        rmSync('x.lock');
        process.exit();
      });
    `,
  });
  const dev = openDevJson(folder);
  const url = await dev.url();
  const saves = Array.from({ length: 8 }, (_, at) => `save ${at + 1}`);
  for (const save of saves) {
    await writeTree(folder, { 'src/text.ts': textFile(save) });
    await expect.poll(() => answer(url), { interval: 10 }).toBe(`{"data":"${save}"}`);
  }
  dev.kill('SIGTERM');
  await dev.ended;
  expect(JSON.parse(await readFile(join(folder, 'rows.json'), 'utf8'))).toEqual(['one', ...saves]);
  expect(dev.stdout().match(/StopsFirst/g)).toHaveLength(1);
  expect(dev.stdout()).not.toContain('"event":"failed"');
});

it('an empty file that is of tomorrow, as after a clock was put back, is taken as it is', async () => {
  const folder = await devProject({
    'src/types.ts': '',
    'src/text.ts': `import './types.ts';\n${textFile('one')}`,
  });
  const tomorrow = Date.now() / 1000 + 86_400;
  await utimes(join(folder, 'src/types.ts'), tomorrow, tomorrow);
  const dev = openDevJson(folder);
  const url = await dev.url();
  await writeTree(folder, { 'src/text.ts': `import './types.ts';\n${textFile('two')}` });
  await dev.waitFor('ready');
  expect(await answer(url)).toBe('{"data":"two"}');
  dev.kill('SIGTERM');
  await dev.ended;
});

describe('requests that came to a blocked server', () => {
  /** A server that is blocked by the first of five requests, and what the others get, of which one is on its way to it. */
  async function openBlocked() {
    const blocked = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
    const folder = await devProject({
      'src/text.ts': `export const text = () => { console.log('blocked', process.pid); ${blocked} };`,
    });
    const dev = openDevJson(folder);
    const url = await dev.url();
    const answers: string[] = [];
    const ask = () =>
      void fetch(`${url}/texts`, { headers: { connection: 'close' } }).then(
        async (response) => answers.push(`${response.status} ${await response.text()}`),
        () => {},
      );
    ask();
    const { line = '' } = await dev.waitFor(
      'output',
      (document) => document.line?.startsWith('blocked') ?? false,
    );
    for (let at = 0; at < 4; at++) ask();
    const server = Number(line.replace('blocked ', ''));
    // It hears of no end of its parent.
    onTestFinished(() => killIfRunning(server));
    return { folder, dev, answers, server };
  }

  it('are answered by the code of the next save', async () => {
    const { folder, dev, answers } = await openBlocked();
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await expect.poll(() => answers).toEqual(Array(4).fill('200 {"data":"two"}'));
    dev.kill('SIGKILL');
    await dev.ended;
  });

  it('are answered with 503 once it has ended', async () => {
    const { folder, dev, answers, server } = await openBlocked();
    // What the command tells after it, it has done after it has taken the connections.
    await writeTree(folder, { 'src/text.ts': 'export const text = (;' });
    await dev.waitFor('failed');
    expect(answers).toEqual([]);
    process.kill(server, 'SIGKILL');
    await expect
      .poll(() => answers)
      .toEqual(Array(4).fill(expect.stringMatching(/^503 .*is not running/)));
    dev.kill('SIGTERM');
    await dev.ended;
  });
});
