import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { isAlive, openStart, toPids } from '../helpers/open-start.ts';
import { openRaw, readAll, readAnswers } from '../helpers/raw-http.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** A server whose start goes as `start.js` says, and which has calls that block its event loop. */
const server = `
  import { appendFileSync } from 'node:fs';
  import { open } from 'node:inspector';
  import { capability, createServer, restTransport } from 'capix';
  import * as z from 'zod';
  import { text } from './start.js';
  const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  const Time = z.object({ ms: z.number() });
  const listTexts = capability(() => ({ text, pid: process.pid }));
  const listRuns = capability(() => appendFileSync('runs.txt', 'run '));
  const listBlocks = capability(Time, ({ ms }) => block(ms));
  const createInspector = capability(() => open(0, '127.0.0.1'));
  const server = createServer({
    capabilities: { texts: { listTexts }, runs: { listRuns }, blocks: { listBlocks }, inspectors: { createInspector } },
    transports: [restTransport({ port: Number(process.env.PORT), host: '127.0.0.1' })],
  });
  await server.start();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.stop().then(() => process.exit()));
`;
const works = (text: string) => ({ 'dist/start.js': `export const text = '${text}';` });
const hangs = {
  'dist/start.js': `export const text = 'none'; console.log('It hangs.'); await new Promise(() => {});`,
};
/** Writes a word, and then blocks the event loop. */
const blocks = (word: string) =>
  `console.error('${word}'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);`;

let folder: string;
beforeEach(async () => {
  folder = await devProject({ 'dist/server.js': server, ...works('one') });
});

async function ask(url: string): Promise<{ readonly text: string; readonly pid: number }> {
  const response = await fetch(`${url}/texts`, { headers: { connection: 'close' } });
  return (
    (await response.json()) as { readonly data: { readonly text: string; readonly pid: number } }
  ).data;
}

const urlOf = (ready: Readonly<Record<string, unknown>>): string =>
  (ready['urls'] as readonly string[])[0] ?? '';

describe('capix start', () => {
  it('gives up a start that does not end in time, keeps what serves, and takes mended code', async () => {
    const start = openStart(folder, ['--workers', '2', '--start-timeout', '25']);
    const url = urlOf(await start.next('ready'));
    await start.next('worker-started');
    await writeTree(folder, hangs);
    start.kill('SIGHUP');
    expect(await start.next('restart-failed')).toMatchObject({
      worker: 1,
      signalName: 'SIGKILL',
      reason: 'start-timeout',
    });
    expect(await ask(url)).toMatchObject({ text: 'one' });
    await writeTree(folder, works('two'));
    start.kill('SIGHUP');
    await start.next('restarted');
    expect(await ask(url)).toMatchObject({ text: 'two' });
  });

  it('takes mended code at once while the start of the code before hangs', async () => {
    const start = openStart(folder, ['--workers', '1', '--start-timeout', '0']);
    const url = urlOf(await start.next('ready'));
    await writeTree(folder, hangs);
    start.kill('SIGHUP');
    await start.writes('It hangs.');
    await writeTree(folder, works('two'));
    start.kill('SIGHUP');
    await start.next('restarted');
    expect(await ask(url)).toMatchObject({ text: 'two' });
    expect(start.events()).toEqual(['ready', 'restarting', 'restarting', 'restarted']);
  });

  it('tells that it is ready, and replaces workers, while another one hangs in its first start', async () => {
    await writeTree(folder, {
      'dist/start.js': `
        import cluster from 'node:cluster';
        if (cluster.worker.id === 2) await new Promise(() => {});
        export const text = 'one';
      `,
    });
    const start = openStart(folder, ['--workers', '2', '--start-timeout', '25'], {
      port: await findFreePort(),
    });
    const ready = await start.next('ready');
    const [first = 0, hanging = 0] = toPids(ready);
    process.kill(first, 'SIGKILL');
    expect(await start.next('worker-ended')).toMatchObject({ worker: 1, pid: first });
    expect(await start.next('worker-started')).toMatchObject({ worker: 1 });
    expect(await ask(urlOf(ready))).toMatchObject({ text: 'one' });
    expect(await start.next('worker-ended')).toMatchObject({
      worker: 2,
      pid: hanging,
      reason: 'start-timeout',
    });
    expect(await start.next('worker-started')).toMatchObject({ worker: 2 });
  });

  it('says that no worker came to serve in time', async () => {
    await writeTree(folder, hangs);
    const { stderr, exitCode } = await runCapix(
      ['start', '--workers', '2', '--start-timeout', '2'],
      { cwd: folder },
    );
    expect(stderr).toContain(
      'dist/server.js ended by SIGKILL (it did not serve within --start-timeout) before a server had started.',
    );
    expect(exitCode).toBe(1);
  });

  it('replaces a worker whose event loop does not turn', async () => {
    const start = openStart(folder, ['--workers', '1', '--hang-timeout', '1'], {
      port: await findFreePort(),
    });
    const ready = await start.next('ready');
    const [pid] = toPids(ready);
    const answer = fetch(`${urlOf(ready)}/blocks?ms=60000`);
    await expect(answer).rejects.toThrow(TypeError);
    expect(await start.next('worker-ended')).toMatchObject({
      pid,
      signalName: 'SIGKILL',
      reason: 'hang-timeout',
    });
    await start.next('worker-started');
    expect(await ask(urlOf(ready))).toMatchObject({ text: 'one' });
  });

  it('leaves a worker alone that has a debugger, or that is to have no limit', async () => {
    const debugged = openStart(folder, ['--workers', '1', '--hang-timeout', '0.5']);
    const endless = openStart(folder, ['--workers', '1', '--hang-timeout', '0']);
    for (const start of [debugged, endless]) {
      const ready = await start.next('ready');
      const url = urlOf(ready);
      if (start === debugged) {
        expect((await fetch(`${url}/inspectors`, { method: 'POST' })).status).toBe(200);
        await start.writes('Debugger listening');
        // The command hears of it by the next heartbeat, and tells nobody.
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      expect((await fetch(`${url}/blocks?ms=2500`)).status).toBe(200);
      expect((await ask(url)).pid).toBe(toPids(ready)[0]);
    }
  });

  it('runs no request that it does not answer where a client sends several to a process that is replaced', async () => {
    const start = openStart(folder, ['--workers', '1']);
    const url = urlOf(await start.next('ready'));
    const socket = openRaw(url);
    const run = 'GET /runs HTTP/1.1\r\nhost: x\r\n\r\n';
    socket.write(run);
    expect(await readAnswers(socket, ['GET'])).toHaveLength(1);
    start.kill('SIGHUP');
    await start.next('restarted');
    socket.write(run.repeat(4));
    const answers = (await readAll(socket)).match(/HTTP\/1\.1 200/g) ?? [];
    expect(await readFile(join(folder, 'runs.txt'), 'utf8')).toBe(
      'run '.repeat(1 + answers.length),
    );
  });

  it.each([
    ['its process begins', `--require ./begin.cjs`, ''],
    ['its code begins', '', `${blocks('moment')}`],
    ['its code waits', '', `console.error('moment'); await new Promise(() => {});`],
    [
      'it has begun to listen',
      '',
      `import net from 'node:net'; const { listen } = net.Server.prototype;
      net.Server.prototype.listen = function (...words) { listen.apply(this, words); ${blocks('moment')} return this; };`,
    ],
  ])(
    'ends within its grace, with exit code 0, at a SIGTERM when %s',
    async (_moment, nodeOptions, code) => {
      await writeTree(folder, {
        'begin.cjs': `if (process.argv[1]?.endsWith('serve-child.js')) { ${blocks('moment')} }`,
        'dist/start.js': `${code} export const text = 'one';`,
      });
      const start = openStart(folder, ['--workers', '2'], { env: { NODE_OPTIONS: nodeOptions } });
      await start.writes('moment');
      const startedAt = performance.now();
      start.kill('SIGTERM');
      const { exitCode, stderr } = await start.ended;
      expect(exitCode, stderr).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(12_000);
      expect(start.events()).not.toContain('ready');
    },
  );

  it('ends with exit code 143 where a worker did not end in its grace', async () => {
    await writeTree(folder, {
      'dist/start.js': `export const text = 'one'; process.on('SIGTERM', () => {});`,
    });
    await writeTree(folder, {
      'dist/server.js': server.slice(0, server.indexOf('for (const signal')),
    });
    const start = openStart(folder, ['--workers', '1', '--stop-grace', '0.5']);
    const pids = toPids(await start.next('ready'));
    start.kill('SIGTERM');
    expect(await start.ended).toMatchObject({ exitCode: 143 });
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
