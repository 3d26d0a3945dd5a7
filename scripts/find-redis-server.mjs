import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** The path of `redis-server`, else of `valkey-server`; undefined where there is neither. */
export function findRedisServer() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return ['redis-server', 'valkey-server']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
