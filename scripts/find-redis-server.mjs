import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** The path of `redis-server`, else of `valkey-server`; undefined where there is neither. */
export function findRedisServer({ PATH = '' } = process.env) {
  const folders = PATH.split(delimiter);
  return ['redis-server', 'valkey-server']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Whether tests that need one run: without it they are counted as not run, but on a build machine they fail. */
export function needsRedisServer({ PATH, CI } = process.env) {
  return CI !== undefined || findRedisServer({ PATH }) !== undefined;
}
