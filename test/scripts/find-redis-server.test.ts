import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { findRedisServer, needsRedisServer } from '../../scripts/find-redis-server.mjs';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

it('finds the server of Redis, else that of Valkey, and has tests run without any on a build machine alone', async () => {
  const folder = await temporaryFolder();
  const [empty, valkey, redis] = ['empty', 'valkey', 'redis'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [empty, valkey, redis]) await mkdir(each);
  await writeFile(join(valkey, 'valkey-server'), '');
  await writeFile(join(redis, 'redis-server'), '');
  expect(findRedisServer({ PATH: [empty, valkey].join(delimiter) })).toBe(
    join(valkey, 'valkey-server'),
  );
  expect(findRedisServer({ PATH: [valkey, redis].join(delimiter) })).toBe(
    join(redis, 'redis-server'),
  );
  expect(findRedisServer({ PATH: empty })).toBeUndefined();
  expect(needsRedisServer({ PATH: redis })).toBe(true);
  expect(needsRedisServer({ PATH: empty })).toBe(false);
  expect(needsRedisServer({ PATH: empty, CI: '1' })).toBe(true);
});
