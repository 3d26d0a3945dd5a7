import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe } from 'vitest';
import { findRedisServer, needsRedisServer } from '../../scripts/find-redis-server.mjs';
import { cleanUp } from './clean-up.ts';
import { findFreePort } from './find-free-port.ts';

/** A Redis of a test's own. */
export interface RunningRedis {
  readonly url: string;
  readonly port: number;
  /** Ends it as a crash does; what it holds is lost, unless it keeps it. */
  readonly kill: () => Promise<void>;
  /** Starts it again at its port. */
  readonly restart: () => Promise<void>;
  /** Stops its process without ending it, as one that hangs. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

const redisServer = findRedisServer();
const running = new Set<() => Promise<void>>();

/**
 * Tests that need a real Redis or Valkey. Where there is none they are counted as not run, and `npm test` says what to install; on a build
 * machine they fail.
 */
export function describeWithRedis(name: string, cases: () => void): void {
  describe.runIf(needsRedisServer())(`${name}, with a real server`, cases);
}

/** Starts one on a free port; it ends with the file. With `keeps`, every write is on the disk before it is answered. */
export async function startRedis({ keeps = false } = {}): Promise<RunningRedis> {
  if (redisServer === undefined)
    throw new Error('Install redis-server: there is none, and no valkey-server, on the PATH.');
  const folder = await mkdtemp(join(tmpdir(), 'capix-redis-'));
  const port = await findFreePort();
  const place = { port, folder, keeps };
  let { subprocess } = await launch(place);
  const kill = async (): Promise<void> => {
    subprocess.kill('SIGKILL');
    await subprocess;
  };
  running.add(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    restart: async () => void ({ subprocess } = await launch(place)),
    freeze: () => void subprocess.kill('SIGSTOP'),
    thaw: () => void subprocess.kill('SIGCONT'),
  };
}

interface Place {
  readonly port: number;
  readonly folder: string;
  readonly keeps: boolean;
}

async function launch({ port, folder, keeps }: Place) {
  const words = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    keeps ? 'yes' : 'no',
    '--appendfsync',
    'always',
    '--dir',
    folder,
  ];
  const subprocess = execa(redisServer ?? '', words, {
    reject: false,
    buffer: false,
    stdin: 'ignore',
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    subprocess.stdout.setEncoding('utf8').on('data', (part: string) => {
      output += part;
      if (output.includes('Ready to accept connections')) resolve();
    });
    void subprocess.then(() => reject(new Error(`Redis ended before it was ready:\n${output}`)));
  });
  // In an object: a subprocess is a promise of its end.
  return { subprocess };
}

cleanUp.afterEachFile.add(async () => {
  const ending = [...running];
  running.clear();
  for (const end of ending) await end();
});
