import { readdirSync, readFileSync } from 'node:fs';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { openImportLog } from '../helpers/open-import-log.ts';
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
      for (let again = 0; again < 5; again++) expect(await answer(url)).toBe(`{"data":"${word} 12000"}`);
    }
    expect(dev.stdout()).not.toContain('"event":"failed"');
    dev.kill('SIGTERM');
    await dev.ended;
  });
});

it('a large file that is saved is imported ahead of the save after it', async () => {
  const log = await openImportLog();
  const rows = Array.from(
    { length: 20_000 },
    (_, at) => `  { id: 'row${at}', name: 'Row ${at}', size: ${at}, w: [${at}] },`,
  );
  const file = (word: string) => `export const rows = [\n${rows.join('\n')}\n];\nexport const text = () => '${word}';`;
  const folder = await devProject({ 'src/text.ts': file('one') });
  const dev = openDevJson(folder, [], { NODE_OPTIONS: log.nodeOptions });
  const url = await dev.url();
  /** The processes that have imported the newest version of the file. */
  const importers = () => {
    const imports = log.read().filter((each) => each.url.includes('/text.ts-'));
    return new Set(imports.filter((each) => each.url === imports.at(-1)?.url).map(({ pid }) => pid)).size;
  };
  for (const word of ['two', 'three']) {
    await writeTree(folder, { 'src/text.ts': file(word) });
    await dev.waitFor('ready');
    for (let again = 0; again < 3; again++) expect(await answer(url)).toBe(`{"data":"${word}"}`);
    // The second one is the process that waits for the next save.
    await expect.poll(importers).toBe(2);
  }
  dev.kill('SIGTERM');
  await dev.ended;
});

it('the next process imports no module of code that was replaced', async () => {
  const log = await openImportLog();
  // A long file is looked into only after a while, so that the process has come by then.
  const data = `export const data = ${JSON.stringify(Array(12_000).fill('x'.repeat(90)))};`;
  const file = (word: string) => `${data}\nexport const text = () => '${word} ' + data.length;`;
  const folder = await devProject({ 'src/text.ts': file('one') });
  /** The modules of the file that each process has imported, one list for each. */
  const imports = () => {
    const all = log.read().filter(({ url }) => url.includes('/text.ts-'));
    const pids = [...new Set(all.map(({ pid }) => pid))];
    return pids.map((one) => all.filter(({ pid }) => pid === one).map(({ url }) => url));
  };
  const dev = openDevJson(folder, [], { NODE_OPTIONS: log.nodeOptions });
  await dev.url();
  await expect.poll(() => imports().length).toBe(1);
  await writeTree(folder, { 'src/text.ts': file('two') });
  await dev.waitFor('ready');
  await expect.poll(() => imports().length).toBe(2);
  const [live = [], next = []] = imports();
  expect(live).toHaveLength(2);
  expect(next).toEqual(live.slice(1));
  dev.kill('SIGTERM');
  await dev.ended;
});

it('a large file that does more than declare is read ahead of a save, and runs with its version only', async () => {
  const log = await openImportLog();
  const folder = await devProject({
    'src/data.ts': `
      import { appendFileSync } from 'node:fs';
      export const data = ${JSON.stringify(Array(12_000).fill('x'.repeat(90)))};
      appendFileSync('runs', process.pid + ' ');`,
    'src/text.ts': `import { data } from './data.ts';\nexport const text = () => 'one ' + data.length;`,
  });
  const runs = () => readFileSync(join(folder, 'runs'), 'utf8').split(' ').filter(Boolean).map(Number);
  /** The processes that have read the file, once for each time. */
  const readers = () => log.read().flatMap(({ url, pid }) => (url.includes('/data.ts-') ? pid : []));
  const dev = openDevJson(folder, [], { NODE_OPTIONS: log.nodeOptions });
  const url = await dev.url();
  for (const [save, word] of ['two', 'three'].entries()) {
    // The first load ran one module: whoever reads this one does so ahead.
    await expect.poll(() => readers().length).toBe(save + 1);
    expect(runs()).toHaveLength(save + 1);
    await writeTree(folder, {
      'src/text.ts': `import { data } from './data.ts';\nexport const text = () => '${word} ' + data.length;`,
    });
    await dev.waitFor('ready');
    expect(await answer(url)).toBe(`{"data":"${word} 12000"}`);
    expect(runs().at(-1)).toBe(readers()[save]);
  }
  dev.kill('SIGTERM');
  await dev.ended;
});

it('a save of what hundreds of files import makes one module of them, and writes the others only when it is served', async () => {
  const count = 500;
  const files = Array.from({ length: count }, (_, at) => [
    `src/many/m${at}.ts`,
    `import { word } from '../word.ts';\nexport const m${at} = () => word() + ${at};`,
  ]);
  const folder = await devProject({
    ...Object.fromEntries(files),
    'src/many/index.ts': files.map((_, at) => `export { m${at} } from './m${at}.ts';`).join('\n'),
    'src/word.ts': `export const word = () => 'one';`,
    'src/text.ts': `
      import { readdirSync } from 'node:fs';
      import * as many from './many/index.ts';
      const written = readdirSync('node_modules/.capix', { recursive: true }).filter((file) => /m\\d+\\.ts-/.test(String(file)));
      console.log('written', written.length);
      export const text = () => Object.values(many).map((each) => each()).filter((each) => each.startsWith('three')).length;
    `,
  });
  const dev = openDevJson(folder);
  const url = await dev.url();
  const modules = () =>
    readdirSync(join(folder, 'node_modules/.capix'), { recursive: true }).filter((file) =>
      /m\d+\.ts-/.test(String(file)),
    ).length;
  await expect.poll(modules).toBe(count);
  for (const [save, word] of ['two', 'three'].entries()) {
    await writeTree(folder, { 'src/word.ts': `export const word = () => '${word}';` });
    await dev.waitFor('output', ({ line }) => line === `written ${count * (save + 1)}`);
    await dev.waitFor('ready');
    await expect.poll(modules).toBe(count * (save + 2));
  }
  expect(await answer(url)).toBe(`{"data":${count}}`);
  dev.kill('SIGTERM');
  await dev.ended;
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
  const folder = await devProject({ 'src/types.ts': '', 'src/text.ts': `import './types.ts';\n${textFile('one')}` });
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
    const { line = '' } = await dev.waitFor('output', (document) => document.line?.startsWith('blocked') ?? false);
    for (let at = 0; at < 4; at++) ask();
    return { folder, dev, answers, server: Number(line.replace('blocked ', '')) };
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
    await expect.poll(() => answers).toEqual(Array(4).fill(expect.stringMatching(/^503 .*is not running/)));
    dev.kill('SIGTERM');
    await dev.ended;
  });
});
