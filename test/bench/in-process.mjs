// What a whole request of a scenario costs in this tree and in others, without sockets and in one process: `node test/bench/in-process.mjs <scenario> [folders of other trees, built]`.
// On a busy machine, the ratio of two builds is good to 2 %, where on sockets it is good to 30 %.
import { once } from 'node:events';
import { Server } from 'node:http';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { toRequestBytes } from './load.mjs';
import { scenarios } from './scenarios.mjs';

const CONNECTIONS = 32;
/** Shorter than a turn of the scheduler, so that the least disturbed rounds are hardly disturbed. */
const REQUESTS = 128;
const WARM_UP_ROUNDS = 200;
const ROUNDS = 400;
const PERCENTILES = [0.03, 0.1, 0.25, 0.5];

const [scenarioName, ...others] = process.argv.slice(2);
const scenario = scenarios.find(({ name }) => name === scenarioName);
if (scenario === undefined)
  throw new Error(
    `There is no scenario '${scenarioName}'; there are ${scenarios.map(({ name }) => name).join(', ')}.`,
  );

const trees = [join(import.meta.dirname, '..', '..'), ...others];
const subjects = [];
for (const tree of trees)
  subjects.push({ tree, send: toSender(await loadServer(tree)), rounds: [] });
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
  for (const { send, rounds } of subjects) {
    const startedAt = performance.now();
    await send(REQUESTS);
    if (round >= 0) rounds.push(((performance.now() - startedAt) * 1000) / REQUESTS);
  }
}
const figures = subjects.map(({ rounds }) => toPercentiles(rounds));
for (const [index, { tree }] of subjects.entries()) {
  const cells = figures[index].map(
    (us, at) => `${us.toFixed(2)} (${(us / figures[0][at]).toFixed(3)})`,
  );
  console.log(`${cells.join('  ')}  ${tree}`);
}
process.exit(0);

function toPercentiles(rounds) {
  const sorted = rounds.toSorted((a, b) => a - b);
  return PERCENTILES.map((share) => sorted[Math.floor(sorted.length * share)]);
}

/** The HTTP server that capix of that tree starts. */
async function loadServer(tree) {
  const { createServer, restTransport, silentLogger } = await import(
    join(tree, 'dist/server-runtime/index.js')
  );
  const { toCapixOptions } = await import(join(tree, 'test/bench/app/capix-options.mjs'));
  const { listen } = Server.prototype;
  let server;
  Server.prototype.listen = function (...args) {
    server = this;
    return listen.apply(this, args);
  };
  await createServer({
    ...toCapixOptions(scenario.app),
    transports: [restTransport({ port: 0 })],
    logger: silentLogger,
  }).start();
  Server.prototype.listen = listen;
  return server;
}

/** Sends a number of requests over its connections, one at a time on each, and is fulfilled with the last answer. */
function toSender(server) {
  const requests = toRequestBytes(scenario, { port: 80 });
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(server));
  let next = 0;
  return async (count) => {
    let left = count;
    const drive = async (socket) => {
      while (left-- > 0) {
        setImmediate(() => socket.push(requests[next++ % requests.length]));
        const [answer] = await once(socket, 'answer');
        if (!answer.startsWith(`HTTP/1.1 ${scenario.status} `))
          throw new Error(`Unexpected answer: ${answer}`);
      }
    };
    await Promise.all(sockets.map(drive));
  };
}

/** A connection without a system below it. The servers answer in one write. */
function connect(server) {
  const nothing = () => socket;
  const socket = new Duplex({
    decodeStrings: false,
    read() {},
    write(chunk, _encoding, done) {
      done();
      socket.emit('answer', String(chunk));
    },
  });
  Object.assign(socket, {
    setTimeout: nothing,
    setNoDelay: nothing,
    setKeepAlive: nothing,
    remoteAddress: '127.0.0.1',
  });
  server.emit('connection', socket);
  return socket;
}
