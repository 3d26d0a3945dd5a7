import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer } from '../../../scripts/find-redis-server.mjs';

/** Starts a Redis that keeps nothing on the disk, at a free port: `{url, end()}`. */
export async function startRedis() {
  const program = findRedisServer();
  if (program === undefined)
    throw new Error('Install redis-server: there is none, and no valkey-server, on the PATH.');
  const folder = await mkdtemp(join(tmpdir(), 'capix-bench-redis-'));
  const port = await findFreePort();
  const words = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ];
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('Redis ended before it was ready.')));
    child.stdout
      .setEncoding('utf8')
      .on('data', (text) => text.includes('Ready to accept') && resolve());
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    end: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
