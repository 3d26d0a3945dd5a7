import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { describeWithRedis, startRedis } from '../helpers/start-redis.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Says where it listens, each payment, and at its end who listens that did not before. It ends when nothing is open any more. */
const program = `
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import {
  capability, createServer, invalidates, restTransport, silentLogger, withCache, withCircuitBreaker, withIdempotency, withRateLimit,
} from 'capix';
import { redisStore } from 'capix/redis';

const toListened = () => process.eventNames().map((name) => String(name) + ' ' + process.listenerCount(name));
const before = toListened();
const say = (line) => void writeSync(1, line + '\\n');
const sleep = (ms) => new Promise((resolve) => void setTimeout(resolve, ms));

const findRates = capability(() => randomUUID(), 'query');
const pay = capability(async () => { say('paid'); await sleep(200); return randomUUID(); });
const capabilities = {
  rates: {
    findRates: findRates.enhance(withCache({ ttlMs: 600_000, tags: () => ['rates'] })),
    changeRates: capability(() => 'changed', 'mutation').enhance(invalidates(() => ['rates'])),
    countCalls: capability(() => 'ok', 'query').enhance(withRateLimit({ limit: 50, windowMs: 36_000_000, by: 'address' })),
  },
  payments: { pay: pay.enhance(withIdempotency()).enhance(withCircuitBreaker()) },
};
const server = createServer({
  capabilities, store: redisStore(process.env.REDIS_URL), logger: silentLogger, transports: [restTransport({ port: 0, host: '127.0.0.1' })],
});
const [{ url }] = await server.start();
say('at ' + url);
process.once('SIGTERM', () => void server.stop());
process.once('beforeExit', () => say('left ' + JSON.stringify(toListened().filter((each) => !before.includes(each)))));
`;

describeWithRedis('two processes of one application', () => {
  it('share limits, answers and keys, and end with nothing left open', async () => {
    const { url: redis } = await startRedis();
    const folder = await temporaryFolder();
    await writeTree(folder, { 'package.json': '{ "type": "module" }\n', 'server.js': program });
    await mkdir(join(folder, 'node_modules'));
    await symlink(packageRoot, join(folder, 'node_modules', 'capix'), 'junction');
    const env = { REDIS_URL: redis };
    const processes = [1, 2].map(() =>
      startInBackground([process.execPath, 'server.js'], { cwd: folder, env }),
    );
    const urls = await Promise.all(
      processes.map(async (each) => (await each.waitFor(/^at (\S+)$/m))[1] ?? ''),
    );
    /** Asks again while the store is away, which a busy machine can make it. */
    const ask = async (at: number, path: string, init?: RequestInit) => {
      for (;;) {
        const response = await fetch(`${urls[at % 2]}/${path}`, init);
        const { data } = (await response.json()) as { readonly data?: unknown };
        if (response.status !== 503)
          return { status: response.status, headers: response.headers, data };
      }
    };

    const statuses: number[] = [];
    const askInTurn = async (first: number): Promise<void> => {
      for (let at = first; at < first + 30; at++)
        statuses.push((await ask(at, 'rates/count-calls')).status);
    };
    await Promise.all([0, 1, 2, 3].map(askInTurn));
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(70);

    const both = async () => [(await ask(0, 'rates')).data, (await ask(1, 'rates')).data];
    const [first, other] = await both();
    expect(other).toBe(first);
    const json = { 'content-type': 'application/json' };
    await ask(1, 'rates/change-rates', { method: 'POST', headers: json, body: '{}' });
    const [second, same] = await both();
    expect(second).not.toBe(first);
    expect(same).toBe(second);

    const call = { method: 'POST', headers: { ...json, 'idempotency-key': '"one"' }, body: '{}' };
    const paid = await Promise.all([0, 1, 0, 1].map((at) => ask(at, 'payments/pay', call)));
    expect(new Set(paid.map(({ data }) => data)).size).toBe(1);
    expect(
      paid.filter(({ headers }) => headers.get('idempotency-replayed') === 'true'),
    ).toHaveLength(3);
    expect(processes.flatMap((each) => each.output().match(/^paid$/gm) ?? [])).toHaveLength(1);

    const ends = await Promise.all(processes.map((each) => each.stop('SIGTERM')));
    expect(ends).toEqual([{ exitCode: 0 }, { exitCode: 0 }]);
    for (const each of processes) expect(each.output()).toContain('left []');
  });
});
