import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openKeptConnections } from '../helpers/kept-connections.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { writeTree } from '../helpers/scaffold.ts';

// What a save promises, in docs/dev.md. `npm run saves` runs every combination, and `npm test` one of them.

/** Notes each request when it begins and when it ends. */
const server = `
  import { once } from 'node:events';
  import { appendFileSync } from 'node:fs';
  import { capability, createServer, replacedSignal, restTransport } from 'capix';
  import * as z from 'zod';
  import { version } from './version.ts';

  let waiting = 0;
  const input = z.object({ id: z.string(), until: z.literal('newer').optional() });
  const answer = async ({ id, until }) => {
    appendFileSync('begun', id + '\\n');
    if (until === 'newer') {
      waiting += 1;
      if (!replacedSignal().aborted) await once(replacedSignal(), 'abort');
      const newer = await fetch(new URL('/versions', url), { headers: { connection: 'close' } });
      if ((await newer.json()).data <= version) throw new Error('Older code has answered.');
    }
    appendFileSync('finished', id + '\\n');
    return { id, version, waiting };
  };
  const crash = ({ how }) => {
    if (how === 'exit') process.exit(7);
    setImmediate(() => { throw new Error('lost it'); });
  };
  const capabilities = {
    texts: { listTexts: capability(input, answer), createText: capability(input, answer) },
    versions: { listVersions: capability(() => version) },
    crashes: { listCrashes: capability(z.object({ how: z.string() }), crash) },
  };
  const [{ url }] = await createServer({ capabilities, transports: [restTransport()], timeoutMs: ${PATIENCE_MS} }).start();
`;

function versionFile(version: number): string {
  return `export const version = ${version};`;
}

async function startServer(host: string) {
  const folder = await devProject({ 'src/server.ts': server, 'src/version.ts': versionFile(1) });
  const dev = openDevJson(folder, ['--host', host, '--no-requests']);
  const url = await dev.url();
  let version = 1;
  return {
    url,
    dev,
    /** Resolves with the version of the code, when it has started. */
    save: async () => {
      version += 1;
      await writeTree(folder, { 'src/version.ts': versionFile(version) });
      await dev.waitFor('ready');
      return version;
    },
    /** Resolves when it was told that it cannot start. */
    saveBroken: async () => {
      await writeTree(folder, { 'src/version.ts': 'export const version = ;' });
      await dev.waitFor('failed');
    },
    readIds: async (file: 'begun' | 'finished') =>
      (await readFile(join(folder, file), 'utf8')).trim().split('\n'),
  };
}

const runsAll = process.env['npm_lifecycle_event'] === 'saves';
const all = ['localhost', '127.0.0.1', '::1'].flatMap((host) =>
  [1, 2, 20].map((paceMs) => ({ host, paceMs })),
);

describe.each(runsAll ? all : [{ host: 'localhost', paceMs: 2 }])(
  'eight clients that keep their connections to $host, and send each request once, every $paceMs ms',
  ({ host, paceMs }) => {
    it('are refused nothing, lose nothing, and see nothing old after what is new, over fifty saves', async () => {
      const { url, dev, save, saveBroken, readIds } = await startServer(host);
      const clients = openKeptConnections(url, { paceMs, waitingClients: 2 });
      await clients.haveSeen(1);
      for (let saves = 1; saves <= 50; saves++) {
        if (saves % 10 === 0) {
          await saveBroken();
          await clients.haveMore('answered');
        }
        await clients.haveSeen(await save());
      }
      const stopped = clients.stop();
      await save();
      await stopped;
      const { sent, answered, ...others } = clients.seen;
      expect(others).toEqual({ unavailable: [], refused: [], lost: [], stale: [], closed: [] });
      const ids = sent.toSorted();
      expect(answered.toSorted()).toEqual(ids);
      expect((await readIds('begun')).toSorted()).toEqual(ids);
      expect((await readIds('finished')).toSorted()).toEqual(ids);
      dev.kill('SIGTERM');
      await dev.ended;
    });

    it('are answered with 503 after a crash, which costs each of them one request at most, until the next save', async () => {
      const { url, dev, save, saveBroken } = await startServer(host);
      const clients = openKeptConnections(url, { paceMs, waitingClients: 0 });
      await clients.haveSeen(1);
      for (let crashes = 1; crashes <= 10; crashes++) {
        const before = clients.seen.lost.length;
        const how = crashes % 2 === 0 ? 'exit' : 'throw';
        // Its own answer is lost with the process.
        await fetch(`${url}/crashes?how=${how}`).catch(() => {});
        await dev.waitFor('exited');
        await clients.haveMore('unavailable');
        const lost = clients.seen.lost.slice(before);
        expect(new Set(lost.map((line) => line.split('-')[0])).size, lost.join('\n')).toBe(
          lost.length,
        );
        if (crashes % 3 === 0) await saveBroken();
        await clients.haveMore('unavailable');
        await clients.haveSeen(await save());
        expect(clients.seen.lost.slice(before)).toEqual(lost);
      }
      await clients.stop();
      expect(clients.seen).toMatchObject({ refused: [], stale: [] });
      dev.kill('SIGTERM');
      await dev.ended;
    });
  },
);
