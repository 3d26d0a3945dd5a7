import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { type OpenDevJson, openDevJson, serverProcesses } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** A server that does something at its start and keeps what `end` gives for its end. */
const holding = (start: string, end = '') => `
  import { capability, createServer, restTransport, replacedSignal } from 'capix';
  import { text } from './text.ts';
  ${start}
  const server = createServer({ capabilities: { texts: { listTexts: capability(() => text()) } }, transports: [restTransport()] });
  await server.start();
  process.once('SIGTERM', async () => { ${end} await server.stop(); process.exit(); });
`;

async function answer(url: string): Promise<string> {
  return (await fetch(`${url}/texts`)).text();
}

/** A stream of events, once its first event has come: `rest` rejects where the connection is reset. */
async function subscribe(url: string): Promise<{ readonly rest: Promise<string> }> {
  const { body } = await fetch(`${url}/texts/events`, { headers: { accept: 'text/event-stream' } });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  const readRest = async (): Promise<string> => {
    const { done, value = '' } = (await reader?.read()) ?? { done: true };
    return done ? value : value + (await readRest());
  };
  return { rest: readRest() };
}

async function end(dev: OpenDevJson): Promise<void> {
  dev.kill('SIGTERM');
  await dev.ended;
}

/** Saves so many times, each after the code of the save before has started. */
async function saveEach(dev: OpenDevJson, folder: string, count: number): Promise<void> {
  for (let save = 1; save <= count; save++) {
    await writeTree(folder, { 'src/text.ts': textFile(`save ${save}`) });
    await dev.waitFor('ready');
  }
}

const stopping =
  'event: error\ndata: {"error":"ServiceUnavailable","message":"The server is stopping"}\n\n';

const UDP_PORT = 20_000 + (process.pid % 20_000);

describe('what only one process may have', () => {
  it.each([
    [
      'a lock file',
      `import { openSync, rmSync } from 'node:fs'; openSync('x.lock', 'wx');`,
      `rmSync('x.lock');`,
      /EEXIST.*x\.lock/,
    ],
    [
      'a UDP port',
      `import { createSocket } from 'node:dgram'; import { once } from 'node:events';
       const socket = createSocket('udp4'); socket.bind(Number(process.env['UDP'])); await once(socket, 'listening');`,
      '',
      /bind EADDRINUSE/,
    ],
  ])(
    'is given from one version to the next, once it has failed: %s',
    async (_, start, stop, reason) => {
      const folder = await devProject({ 'src/server.ts': holding(start, stop) });
      const dev = openDevJson(folder, [], { UDP: String(UDP_PORT) });
      const url = await dev.url();
      await writeTree(folder, { 'src/text.ts': textFile('new') });
      expect(await dev.waitFor('notice', ({ code }) => code === 'StopsFirst')).toMatchObject({
        messages: [expect.stringMatching(reason)],
      });
      await expect.poll(() => answer(url)).toBe('{"data":"new"}');
      await writeTree(folder, { 'src/text.ts': textFile('newer') });
      await expect.poll(() => answer(url)).toBe('{"data":"newer"}');
      expect(dev.stdout().match(/StopsFirst/g)).toHaveLength(1);
      expect(dev.stdout()).not.toContain('"event":"failed"');
      await end(dev);
    },
  );

  it('a file that is read at the start and written at the end loses nothing with --stop-first, and no request is refused', async () => {
    const folder = await devProject({
      'src/server.ts': holding(
        `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
         const rows = existsSync('rows.json') ? JSON.parse(readFileSync('rows.json', 'utf8')) as number[] : [];
         rows.push(rows.length + 1);`,
        `await new Promise((go) => setTimeout(go, 20)); writeFileSync('rows.json', JSON.stringify(rows));`,
      ),
    });
    const dev = openDevJson(folder, ['--stop-first']);
    const url = await dev.url();
    const statuses = new Set<number>();
    let isAsking = true;
    const asking = (async () => {
      while (isAsking) {
        statuses.add((await fetch(`${url}/texts`, { headers: { connection: 'close' } })).status);
        await pause(Math.random() * 10);
      }
    })();
    await saveEach(dev, folder, 50);
    isAsking = false;
    await asking;
    await end(dev);
    expect([...statuses]).toEqual([200]);
    expect(JSON.parse(await readFile(join(folder, 'rows.json'), 'utf8'))).toEqual(
      Array.from({ length: 51 }, (_, at) => at + 1),
    );
  });

  it('has its connections ended by their next answers, which say so', async () => {
    const folder = await devProject({
      'src/text.ts': `
        import { once } from 'node:events';
        import { replacedSignal } from 'capix';
        export const text = async () => { console.log('begun'); await once(replacedSignal(), 'abort'); return 'old'; };`,
    });
    const dev = openDevJson(folder, ['--stop-first']);
    const url = await dev.url();
    const begun = fetch(`${url}/texts`);
    await dev.waitFor('output', ({ line }) => line === 'begun');
    await writeTree(folder, { 'src/text.ts': textFile('new') });
    const response = await begun;
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.text()).toBe('{"data":"old"}');
    await dev.waitFor('ready');
    expect(await answer(url)).toBe('{"data":"new"}');
    await end(dev);
  });

  it('is the files of an embedded database: its name is enough, and no row is lost', async () => {
    const folder = await devProject({
      'node_modules/@electric-sql/pglite/package.json':
        '{"name": "@electric-sql/pglite", "type": "module", "exports": "./index.js"}',
      // It reads its files when it opens them, and writes them when it closes.
      'node_modules/@electric-sql/pglite/index.js': `
        import { existsSync, readFileSync, writeFileSync } from 'node:fs';
        export const open = (file) => {
          const rows = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
          return { add: () => rows.push(rows.length + 1), close: () => writeFileSync(file, JSON.stringify(rows)) };
        };`,
      'src/server.ts': holding(
        `import { open } from '@electric-sql/pglite'; const db = open('rows.json'); db.add();`,
        'db.close();',
      ),
    });
    const dev = openDevJson(folder);
    expect(await dev.waitFor('notice')).toMatchObject({
      code: 'StopsFirst',
      messages: [
        expect.stringContaining('only one process may have the files of @electric-sql/pglite open'),
      ],
    });
    await dev.url();
    await saveEach(dev, folder, 3);
    await end(dev);
    expect(JSON.parse(await readFile(join(folder, 'rows.json'), 'utf8'))).toEqual([1, 2, 3, 4]);
  });

  it('is a setting of capix.json, too', async () => {
    const running = `console.log('begins'); process.once('exit', () => console.log('ended'));`;
    const folder = await devProject({
      'capix.json': '{"dev": {"stopFirst": true}}',
      'src/server.ts': holding(running),
    });
    const dev = openDevJson(folder);
    await dev.url();
    await saveEach(dev, folder, 2);
    await end(dev);
    const lines = dev
      .stdout()
      .match(/"line":"\w+"/g)
      ?.map((line) => line.slice(8, -1));
    expect(lines?.slice(0, 5)).toEqual(['begins', 'ended', 'begins', 'ended', 'begins']);
  });
});

// They wait for times that they state themselves.
describe.concurrent('versions of the code', () => {
  it('are two at most: the replaced one stops its timers at once, a third ends the oldest, and says what that cuts', async ({
    expect,
  }) => {
    const folder = await devProject({
      'src/server.ts': holding(`
        const timer = setInterval(() => console.log('tick ' + process.pid), 20);
        replacedSignal().addEventListener('abort', () => { clearInterval(timer); console.log('replaced ' + process.pid); });`),
      'src/text.ts': `export const text = async () => { console.log('begun ' + process.pid); await new Promise(() => {}); };`,
    });
    const dev = openDevJson(folder);
    const url = await dev.url();
    const cut = fetch(`${url}/texts?token=abc`).catch((error: unknown) => error);
    const { line = '' } = await dev.waitFor(
      'output',
      (document) => document.line?.startsWith('begun') ?? false,
    );
    const oldest = line.split(' ')[1];
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await dev.waitFor('output', (document) => document.line === `replaced ${oldest}`);
    await dev.waitFor('ready');
    expect(await serverProcesses(folder)).toContain(Number(oldest));
    await writeTree(folder, { 'src/text.ts': textFile('three') });
    expect(await dev.waitFor('notice', ({ code }) => code === 'RequestsCut')).toMatchObject({
      messages: [expect.stringMatching(/^GET \/texts\?token=\S+ was cut after \d/)],
    });
    expect(await cut).toBeInstanceOf(Error);
    await expect.poll(() => serverProcesses(folder)).not.toContain(Number(oldest));
    const ticks = dev.stdout().split(`replaced ${oldest}`)[1] ?? '';
    expect(ticks).not.toContain(`tick ${oldest}`);
    await expect.poll(() => answer(url)).toBe('{"data":"three"}');
    await end(dev);
  });

  it('finish what they have begun, however long it takes, and end streams of events', async ({
    expect,
  }) => {
    const folder = await devProject({
      'src/server.ts': `
        import { createServer, capability, restTransport } from 'capix';
        import { text } from './text.ts';
        async function* count() { for (let n = 1; ; n++) { yield n; await new Promise(() => {}); } }
        const texts = { listTexts: capability(() => text()), getEvents: capability(() => count()) };
        const app = createServer({ capabilities: { texts }, transports: [restTransport()] });
        await app.start();`,
      'src/text.ts': `export const text = async () => { console.log('begun'); await new Promise((go) => setTimeout(go, 7000)); return 'old'; };`,
    });
    const dev = openDevJson(folder);
    const url = await dev.url();
    const [slow, reloaded] = [answer(url), await subscribe(url)];
    await dev.waitFor('output', ({ line }) => line === 'begun');
    await writeTree(folder, { 'src/text.ts': textFile('new') });
    await dev.waitFor('ready');
    // An end without a word would be that of the stream itself.
    expect(await reloaded.rest).toBe(stopping);
    expect(await answer(url)).toBe('{"data":"new"}');
    expect(await slow).toBe('{"data":"old"}');
    expect(dev.stdout()).not.toContain('RequestsCut');
    expect(dev.stdout().match(/MemoryLost/g)).toHaveLength(1);
    const stopped = await subscribe(url);
    dev.kill('SIGINT');
    expect(await stopped.rest).toBe(stopping);
    expect(await dev.ended).toMatchObject({ exitCode: 130 });
    expect(dev.stdout()).not.toContain('RequestsCut');
  });

  it('keep an idle connection as long as its client was told, so that a request on its way is not lost', async ({
    expect,
  }) => {
    const folder = await devProject();
    const dev = openDevJson(folder);
    const { port, hostname } = new URL(await dev.url());
    const idle = connect(Number(port), hostname).setEncoding('utf8');
    idle.write('GET /texts HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [head] = (await once(idle, 'data')) as [string];
    const answeredAt = performance.now();
    const toldMs = Number(/^keep-alive: timeout=(\d+)/im.exec(head)?.[1]) * 1000;
    const closed = once(idle, 'close').then(() => performance.now() - answeredAt);
    await writeTree(folder, { 'src/text.ts': textFile('new') });
    await dev.waitFor('ready');
    const keptMs = await closed;
    expect(toldMs).toBeGreaterThan(0);
    expect(keptMs).toBeGreaterThan(toldMs - 100);
    await end(dev);
  });

  it('that take long to start answer although a newer save waits', async () => {
    const folder = await devProject();
    const slow = (text: string) =>
      `console.log('starting ${text}'); await new Promise((go) => setTimeout(go, 2500)); ${textFile(text)}`;
    const dev = openDevJson(folder);
    const url = await dev.url();
    await writeTree(folder, { 'src/text.ts': slow('two') });
    await dev.waitFor('output', ({ line }) => line === 'starting two');
    await writeTree(folder, { 'src/text.ts': slow('three') });
    await dev.waitFor('ready');
    expect(await answer(url)).toBe('{"data":"two"}');
    await dev.waitFor('ready');
    expect(await answer(url)).toBe('{"data":"three"}');
    await end(dev);
  });

  it('that do not end in the time that they have are killed, which is said', async () => {
    const folder = await devProject({
      'src/server.ts': holding('', 'await new Promise((go) => setTimeout(go, 60_000));'),
    });
    const dev = openDevJson(folder, ['--stop-grace', '0.4']);
    await dev.url();
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    expect(await dev.waitFor('notice', ({ code }) => code === 'Killed')).toMatchObject({
      messages: [expect.stringMatching(/did not end within 0\.4 s of SIGTERM and was killed/)],
    });
    await end(dev);
    expect(dev.stdout().match(/"code":"Killed"/g)).toHaveLength(2);
  });

  it('have as much time to end as they are given', async () => {
    const folder = await devProject({
      'src/server.ts': holding(
        '',
        `await new Promise((go) => setTimeout(go, 3500)); console.log('flushed');`,
      ),
    });
    const dev = openDevJson(folder, ['--stop-grace', '30']);
    await dev.url();
    await end(dev);
    expect(dev.stdout()).toContain('flushed');
  });
});
