import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { describeWithRedis, startRedis } from '../helpers/start-redis.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Keeps one value in the store of its application, and one job in its queue. */
const program = `
import { capability } from 'capix';
import { queueTransport } from 'capix/queue';
import { redisStore } from 'capix/redis';
const jobs = queueTransport({ capabilities: { a: { run: capability(() => 1) } }, url: process.env.REDIS_URL });
await jobs.enqueue('a.run', {}, { jobId: 'one' });
await jobs.stop({ graceMs: 0 });
const store = redisStore(process.env.REDIS_URL);
await store.set('key', 'value', 60_000);
await store.stop();
`;

describeWithRedis('applications that share one Redis', () => {
  it('keep what is theirs under the names of their packages', async () => {
    const { url } = await startRedis();
    const keysOf = async (
      files: Readonly<Record<string, string>>,
      file: string,
    ): Promise<readonly string[]> => {
      const folder = await temporaryFolder();
      await writeTree(folder, { [file]: program, ...files });
      await mkdir(join(folder, 'node_modules'), { recursive: true });
      await symlink(packageRoot, join(folder, 'node_modules', 'capix'), 'junction');
      const elsewhere = join(folder, 'elsewhere');
      await mkdir(elsewhere, { recursive: true });
      const cwd = file.startsWith('node_modules') ? folder : elsewhere;
      await execa(process.execPath, [join(folder, file)], { cwd, env: { REDIS_URL: url } });
      const client = new Redis(url);
      const keys = await client.keys('*');
      await client.flushall();
      client.disconnect();
      // BullMQ has several keys of its own.
      return keys.filter((key) => !/:jobs:/.test(key) || key.endsWith(':id one')).toSorted();
    };
    const named = (name: string) => JSON.stringify({ name, type: 'module' });

    expect(await keysOf({ 'package.json': named('shop') }, 'server.js')).toEqual([
      'shop:jobs:a.run:id one',
      'shop:key',
    ]);
    expect(await keysOf({ 'package.json': named('@acme/billing') }, 'src/server.js')).toEqual([
      '@acme/billing:jobs:a.run:id one',
      '@acme/billing:key',
    ]);
    const built = { 'package.json': named('shop'), 'dist/package.json': '{"type":"module"}' };
    expect(await keysOf(built, 'dist/server.js')).toEqual(['shop:jobs:a.run:id one', 'shop:key']);
    const framework = {
      'package.json': named('shop'),
      'node_modules/framework/package.json': named('framework'),
    };
    expect(await keysOf(framework, 'node_modules/framework/start.js')).toEqual([
      'shop:jobs:a.run:id one',
      'shop:key',
    ]);
    expect(await keysOf({}, 'server.mjs')).toEqual(['capix:jobs:a.run:id one', 'capix:key']);
  });
});
