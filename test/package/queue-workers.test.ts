import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { capability } from '../../server-runtime/index.ts';
import { queueTransport } from '../../server-runtime/queue/index.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { describeWithRedis, startRedis } from '../helpers/start-redis.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Jobs that one worker runs at a time. */
const MAX_JOBS = 20;

/** Writes a line for each job, and who listens at its end that did not before. It ends when nothing is open any more. */
const worker = `
import { writeSync } from 'node:fs';
import { capability, createServer } from 'capix';
import { queueTransport } from 'capix/queue';

const toListened = () => process.eventNames().map((name) => String(name) + ' ' + process.listenerCount(name));
const before = toListened();

const { REDIS_URL, PREFIX } = process.env;
const run = capability(({ number }) => void writeSync(1, 'job ' + number + '\\n'));
const repeat = { cron: '0 0 1 1 *', input: { number: -1 } };
const jobs = { 'load.run': { maxJobs: ${MAX_JOBS}, repeat } };
const transport = queueTransport({ url: REDIS_URL, prefix: PREFIX, lockMs: 3000, capabilities: { load: { run } }, jobs });
const server = createServer({ transports: [transport] });
await server.start();
const alive = setInterval(() => {}, 1000);
console.log('ready');
process.once('SIGTERM', () => {
  clearInterval(alive);
  void server.stop();
});
process.once('beforeExit', () => {
  writeSync(1, 'left ' + JSON.stringify(toListened().filter((each) => !before.includes(each))) + '\\n');
});
`;

describeWithRedis('workers in processes of their own', () => {
  it('three of them run 10,000 jobs; one is killed, and none is lost; the others end with nothing left open', async () => {
    const { url } = await startRedis();
    const folder = await temporaryFolder();
    await writeTree(folder, { 'package.json': '{ "type": "module" }\n', 'worker.js': worker });
    await mkdir(join(folder, 'node_modules'));
    await symlink(packageRoot, join(folder, 'node_modules', 'capix'), 'junction');
    const env = { REDIS_URL: url, PREFIX: 'load' };
    const workers = [1, 2, 3].map(() =>
      startInBackground([process.execPath, 'worker.js'], { cwd: folder, env }),
    );
    const [killed, ...others] = workers;
    await Promise.all(workers.map((each) => each.waitFor(/ready/)));

    const load = { run: capability(() => undefined) };
    const jobs = queueTransport({ url, prefix: 'load', isWorker: false, capabilities: { load } });
    onTestFinished(() => jobs.stop({ graceMs: 0 }));
    const sent = Array.from({ length: 10_000 }, (_, number) => number);
    for (let from = 0; from < sent.length; from += 1_000) {
      await Promise.all(
        sent
          .slice(from, from + 1_000)
          .map((number) => jobs.enqueue('load.run', { number } as never)),
      );
      if (from === 1_000) await killed?.stop('SIGKILL');
    }

    const ran = (): readonly number[] =>
      workers.flatMap((each) =>
        [...each.output().matchAll(/^job (\d+)$/gm)].map(([, number]) => Number(number)),
      );
    await expect.poll(() => new Set(ran()).size, { interval: 500 }).toBe(sent.length);
    expect(killed?.output()).toMatch(/^job /m);
    // A job that was under way in the killed one, or whose worker was too busy to say that it lives, may run again.
    expect(ran().length - sent.length).toBeLessThanOrEqual(workers.length * MAX_JOBS);

    const ends = await Promise.all(others.map((each) => each.stop('SIGTERM')));
    expect(ends).toEqual([{ exitCode: 0 }, { exitCode: 0 }]);
    for (const each of others) expect(each.output()).toContain('left []');
  });
});
