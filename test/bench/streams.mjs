// What a stream of 10,000 items costs in this tree and in others, in CPU of one process that serves and reads: `node
// test/bench/streams.mjs [folders of other trees, built]`. The ratio is that of this tree to the other one, below 1 where
// this one costs less.
import { Agent, request } from 'node:http';
import { join } from 'node:path';

const ITEMS = 10_000;
const WARM_UP_ROUNDS = 5;
const ROUNDS = 25;
const accept = 'text/event-stream';

const trees = [join(import.meta.dirname, '..', '..'), ...process.argv.slice(2)];
const subjects = [];
for (const tree of trees) subjects.push({ tree, ...(await serve(tree)) });

for (const way of ['overSocket', 'throughFetch']) {
  const rounds = subjects.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    // Each of them is first as often as the others.
    for (let turn = 0; turn < subjects.length; turn++) {
      const at = (turn + round + WARM_UP_ROUNDS) % subjects.length;
      const before = process.cpuUsage();
      await subjects[at][way]();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) rounds[at].push((user + system) / 1000);
    }
  }
  const medians = rounds.map((all) => all.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]);
  for (const [at, { tree }] of subjects.entries())
    console.log(
      `${way}  ${medians[at].toFixed(1)} ms (${(medians[0] / medians[at]).toFixed(3)})  ${tree}`,
    );
}
process.exit(0);

async function serve(tree) {
  const { capability, createServer, restTransport, silentLogger, toFetchHandler } = await import(
    join(tree, 'dist/server-runtime/index.js')
  );
  const watchItems = capability(async function* () {
    for (let id = 0; id < ITEMS; id++) yield { id, name: 'an item' };
  }, 'query').route('GET', '/items');
  const server = createServer({
    capabilities: { items: { watchItems } },
    transports: [restTransport({ port: 0 })],
    logger: silentLogger,
  });
  const [{ url }] = await server.start();
  const answer = toFetchHandler(server);
  const agent = new Agent({ keepAlive: true });
  return {
    overSocket: () =>
      new Promise((resolve, reject) => {
        const read = (response) => response.resume().once('end', resolve);
        request(`${url}/items`, { agent, headers: { accept } }, read).once('error', reject).end();
      }),
    throughFetch: async () => {
      const response = await answer(new Request(`${url}/items`, { headers: { accept } }));
      await response.arrayBuffer();
    },
  };
}
