/** A call with 50 statements of PGlite, each noted by `trace`: recorded as `capix dev` does, recorded by nobody, and without `trace`. */
import { createServer } from 'node:http';
import { PGlite } from '@electric-sql/pglite';
import { importSource, root } from '../../../scripts/import-source.mjs';
import { listen, read, repeat } from './servers.mjs';

export const units = 20;

const text = 'select * from lines where id = $1';

export async function open({ isTraced = true, isRecorded = false }) {
  const capix = await import('../../../dist/server-runtime/index.js');
  const db = await PGlite.create();
  await db.exec('create table lines (id int); insert into lines select generate_series(1, 100)');
  const ask = (id) => db.query(text, [id]);
  const listLines = capix.capability(async () => {
    for (let id = 0; id < 50; id += 1) {
      if (isTraced) await capix.trace('db', text, () => ask(id));
      else await ask(id);
    }
    return 'all';
  }, 'query');
  const recorder = isRecorded ? await createRecorder() : undefined;
  const server = capix.createServer({
    capabilities: { lines: { listLines } },
    transports: [capix.restTransport()],
    logger: capix.silentLogger,
  });
  const http = createServer(capix.toNodeHandler(server));
  recorder?.attach(http);
  return listen(http);
}

/** The recorder of the tool, which a server under `capix dev` finds in its process. */
async function createRecorder() {
  const { RequestRecorder } = await importSource(
    `export { RequestRecorder } from './request-recorder.ts';`,
    `${root}/source/record`,
  );
  const recorder = new RequestRecorder(() => {}, 100);
  const { observe, observer } = recorder;
  Reflect.set(globalThis, Symbol.for('capix.devLink'), { observe, observer, started: () => {} });
  return recorder;
}

export const peers = {
  capix: () => open({ isRecorded: true }),
  'not recorded': () => open({}),
};

export const load = (url) => repeat(units, 1, () => read(`${url}/lines`));
