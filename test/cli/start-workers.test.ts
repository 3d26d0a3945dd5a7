import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { isAlive, openStart, toPids } from '../helpers/open-start.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** A server whose answer says the process, and that has one request that ends it. It has no code for signals, as `server` has below. */
const bare = `
  import { capability, createServer, restTransport } from 'capix';
  import { prometheus } from 'capix/prometheus';
  import { text } from './text.js';
  const listTexts = capability(() => ({ text, pid: process.pid, mode: process.env.NODE_ENV, argument: process.argv[1], options: process.execArgv }));
  const listSlows = capability(() => new Promise((resolve) => setTimeout(() => resolve(process.pid), 300)));
  const createEnd = capability(() => void process.kill(process.pid, 'SIGKILL'));
  const transports = [restTransport({ port: Number(process.env.PORT), host: process.env.HOST })];
  const server = createServer({ capabilities: { texts: { listTexts }, slows: { listSlows }, ends: { createEnd } }, plugins: [prometheus()], transports });
  await server.start();
`;
/** The same with a job, which each of its slow requests adds when it has succeeded, and which takes longer than they do. */
const withJob = bare
  .replace(
    'const transports = [',
    `
    const run = capability(() => new Promise((resolve) => setTimeout(() => resolve(console.log('The job is done.')), 600)));
    const jobs = queueTransport({ capabilities: { reports: { run } } });
    const transports = [jobs, `,
  )
  .replace('new Promise((resolve) => setTimeout', `jobs.enqueue('reports.run', {}) && $&`)
  .replace('import', `import { queueTransport } from 'capix/queue';\n  import`);
const server = `${bare}
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.stop().then(() => process.exit()));
`;

interface Answer {
  readonly text: string;
  readonly pid: number;
  readonly mode: string;
  readonly argument: string;
  readonly options: readonly string[];
}

let folder: string;
beforeAll(async () => {
  folder = await devProject({
    'dist/server.js': server,
    'dist/bare.js': withJob,
    'dist/text.js': `export const text = 'one';`,
    'dist/broken.js': `throw new Error('broken on purpose');`,
    '.env.production': 'HOST=127.0.0.1',
  });
});

/** The value of a metric; by a connection of its own, which any of the processes may get. */
async function readMetric(url: string, name: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { connection: 'close' } });
  const line = (await response.text()).split('\n').find((each) => each.startsWith(name));
  return Number(line?.slice(name.length));
}

async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(`${url}/texts`, { headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly data: Answer }).data;
}

describe('capix start', () => {
  it('passes options of Node to each of its processes, and to those that replace them', async () => {
    // As instrumentation does: it patches a module of Node before the server is loaded.
    await writeTree(folder, {
      'tracing.mjs': `
        import http from 'node:http';
        const { emit } = http.Server.prototype;
        http.Server.prototype.emit = function (event, request, response) {
          if (event === 'request') response.setHeader('x-traced', String(process.pid));
          return emit.apply(this, arguments);
        };`,
    });
    const start = openStart(folder, ['--workers', '2'], {
      nodeOptions: ['--import', './tracing.mjs', '--title=traced'],
    });
    const [url = ''] = (await start.next('ready'))['urls'] as readonly string[];
    await start.next('worker-started');
    const readTraced = async (): Promise<ReadonlySet<unknown>> => {
      const traced = new Set<unknown>();
      for (let count = 0; count < 6; count++) {
        const response = await fetch(`${url}/texts`, { headers: { connection: 'close' } });
        const { data } = (await response.json()) as { readonly data: Answer };
        expect(response.headers.get('x-traced')).toBe(String(data.pid));
        expect(data.options).toEqual(['--import', './tracing.mjs', '--title=traced']);
        traced.add(data.pid);
      }
      return traced;
    };
    expect((await readTraced()).size).toBe(2);
    start.kill('SIGHUP');
    const pids = toPids(await start.next('restarted'));
    expect(await readTraced()).toEqual(new Set(pids));
    start.kill('SIGTERM');
    expect(await start.ended).toMatchObject({ exitCode: 0 });
  });

  it('serves by several processes behind one port, and replaces them by new code without losing a request', async () => {
    const start = openStart(folder, ['--workers', '2']);
    const ready = await start.next('ready');
    const [url = ''] = ready['urls'] as readonly string[];
    const pids = toPids(ready);
    await start.next('worker-started');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

    const answers: Answer[] = [];
    let isOver = false;
    const drive = async (): Promise<void> => {
      // Connections rest for a moment now and then, so that some are idle when their process is replaced.
      for (let count = 0; !isOver; count++) {
        answers.push(await ask(url));
        await pause(count % 8);
      }
    };
    const clients = Promise.all(Array.from({ length: 6 }, drive));
    await expect.poll(() => new Set(answers.map(({ pid }) => pid)).size).toBe(2);
    expect(
      await readMetric(url, 'capix_calls_in_progress{capability="prometheus.getMetrics"}'),
    ).toBe(1);
    expect(answers[0]).toMatchObject({
      text: 'one',
      mode: 'production',
      argument: `${folder}/dist/server.js`,
    });
    await writeTree(folder, { 'dist/text.js': `export const text = 'two';` });
    const slow = fetch(`${url}/slows`).then((response) => response.status);
    start.kill('SIGHUP');
    await start.next('restarting');
    const next = toPids(await start.next('restarted'));
    expect(next).not.toEqual(expect.arrayContaining([pids[0]]));
    // Those that were replaced are gone when their last connection is: the clients go on until then.
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    const last = answers.length;
    await expect.poll(() => answers.length).toBeGreaterThan(last + 20);
    isOver = true;
    await clients;
    expect(await slow).toBe(200);
    expect(new Set(answers.slice(last + 6).map(({ text }) => text))).toEqual(new Set(['two']));
    expect(new Set(answers.map(({ pid }) => pid))).toEqual(new Set([...pids, ...next]));

    // Both processes have answered, and whoever is asked tells the sum. Each counts what it has answered, so the clients stand still.
    const counted = () =>
      readMetric(
        url,
        'capix_request_duration_seconds_count{capability="texts.listTexts",transport="rest",method="GET",status="200"}',
      );
    const before = await counted();
    const more = new Set<number>();
    for (let count = 0; count < 10; count++)
      more.add((await ask(url, { connection: 'close' })).pid);
    expect([more.size, await counted()]).toEqual([2, before + 10]);

    // A worker that ends is replaced, and told.
    await expect(fetch(`${url}/ends`, { method: 'POST' })).rejects.toThrow(TypeError);
    const ended = await start.next('worker-ended');
    expect(ended).toMatchObject({ signalName: 'SIGKILL', restartMs: 100 });
    expect(next).toContain(ended['pid']);
    expect(await start.next('worker-started')).toMatchObject({ worker: ended['worker'] });

    // Code that does not start leaves those that serve.
    await writeTree(folder, { 'dist/text.js': `export const another = 'three';` });
    start.kill('SIGHUP');
    expect(await start.next('restart-failed')).toMatchObject({ worker: 1, exitCode: 1 });
    expect(await ask(url)).toMatchObject({ text: 'two' });
    await writeTree(folder, { 'dist/text.js': `export const text = 'one';` });

    const underWay = fetch(`${url}/slows`).then((response) => response.status);
    await ask(url);
    start.kill('SIGTERM');
    await start.next('stopping');
    expect(await underWay).toBe(200);
    expect(await start.ended).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('SyntaxError'),
    });
    await expect(ask(url)).rejects.toThrow(TypeError);
  });

  it('answers every new connection while processes are replaced, and by new ones alone once it has said so', async () => {
    const start = openStart(folder, ['--workers', '2']);
    const [url = ''] = (await start.next('ready'))['urls'] as readonly string[];
    await start.next('worker-started');
    const clients = new AbortController();
    const drive = async (): Promise<void> => {
      while (!clients.signal.aborted) {
        const response = await fetch(`${url}/texts`, {
          headers: { connection: 'close' },
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        expect(response.status).toBe(200);
        await response.text();
      }
    };
    const driven = Promise.all(Array.from({ length: 8 }, drive));
    for (let count = 0; count < 8; count++) {
      start.kill('SIGHUP');
      const next = toPids(await start.next('restarted'));
      expect(next).toContain((await ask(url, { connection: 'close' })).pid);
    }
    clients.abort();
    await driven;
  });

  it('lets a server that listens to no signal finish its requests and jobs too', async () => {
    const start = openStart(folder, ['dist/bare.js', '--workers', '1']);
    const [url = ''] = (await start.next('ready'))['urls'] as readonly string[];
    await ask(url);
    const underWay = fetch(`${url}/slows`).then((response) => response.status);
    await ask(url);
    start.kill('SIGINT');
    expect(await underWay).toBe(200);
    expect(await start.ended).toMatchObject({
      exitCode: 130,
      stderr: expect.stringContaining('The job is done.'),
    });
  });

  it('says what is wrong with a server that does not start, and with what it is told', async () => {
    const run = (...words: readonly string[]) => runCapix(['start', ...words], { cwd: folder });
    const broken = await run('dist/broken.js', '--workers', '2');
    expect(broken).toMatchObject({ stdout: '', exitCode: 1 });
    expect(broken.stderr).toContain('broken on purpose');
    expect(broken.stderr).toMatch(
      /error: dist\/broken\.js ended with exit code 1 before a server had started\.\n/,
    );
    const option = await run('--workers', '2', '--', '--no-such-option');
    expect(option).toMatchObject({ stdout: '', exitCode: 1 });
    expect(option.stderr).toContain('bad option: --no-such-option');
    expect((await run('dist/none.js')).stderr).toMatch(
      /^error: Could not find dist\/none\.js to start\.\n/,
    );
    expect(await run('--workers', '0')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /^error: option '--workers': Too small: expected number to be >=1\n/,
      ),
    });
  });
});
