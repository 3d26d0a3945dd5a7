/**
 * Compares `webSocketTransport` with a server of ws that was written by hand, with socket.io and with tRPC: the CPU of a
 * call, and the memory of an idle connection beside the first, as ratios of the best of some rounds. The same client
 * speaks the protocol of each. `npm ci --prefix test/bench && npm run build && node test/bench/websocket/run.mjs [connections]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { WebSocket } from 'ws';

const CALLS = 60_000;
const WARM_UP = 20_000;
const CALLERS = 20;
/** The calls of a caller that are under way. */
const DEPTH = 10;
const ROUNDS = 3;
const idleCount = Number(process.argv[2] ?? 5000);

const toJsonRpc = (id) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'users.getUser', params: { id: '7' } });
/** The message of a call, and whether a message is an answer. */
const peers = {
  hand: { toCall: toJsonRpc },
  capix: { toCall: toJsonRpc },
  'socket.io': {
    toCall: (id) => `42${id}["users.getUser",{"id":"7"}]`,
    greet: async (socket) => {
      await once(socket, 'message');
      socket.send('40');
      await once(socket, 'message');
      socket.on('message', (data) => data.toString() === '2' && socket.send('3'));
    },
    isAnswer: (data) => data.toString().startsWith('43'),
  },
  tRPC: {
    toCall: (id) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'query',
        params: { path: 'users.getUser', input: { id: '7' } },
      }),
  },
};

const best = {};
for (let round = 0; round < ROUNDS; round++)
  for (const kind of Object.keys(peers)) best[kind] = toBetter(best[kind], await measure(kind));
const { capix, ...others } = best;
process.stdout.write(`CPU of a call: ${capix.callUs.toFixed(1)} µs\n`);
for (const [kind, { callUs }] of Object.entries(others))
  process.stdout.write(
    `  ${(capix.callUs / callUs).toFixed(2)} of ${kind} (${callUs.toFixed(1)} µs)\n`,
  );
process.stdout.write(
  `Memory of one of ${idleCount} idle connections: ${capix.idleKib.toFixed(1)} KiB, ` +
    `${(capix.idleKib / best.hand.idleKib).toFixed(2)} of ws by hand\n`,
);
process.exit(0);

async function measure(kind) {
  const peer = peers[kind];
  const child = fork(new URL('server.mjs', import.meta.url), [kind], { execArgv: ['--expose-gc'] });
  const [{ url }] = await once(child, 'message');
  const callers = await openMany(url, CALLERS, peer);
  await callMany(callers, WARM_UP, peer);
  child.send('begin');
  await callMany(callers, CALLS, peer);
  const { cpuUs } = await ask(child, 'end');
  for (const caller of callers) caller.terminate();
  const idleKib = kind === 'hand' || kind === 'capix' ? await measureIdle(child, url, peer) : 0;
  child.kill();
  return { callUs: cpuUs / CALLS, idleKib };
}

async function measureIdle(child, url, peer) {
  const { bytes: before } = await ask(child, 'memory');
  const idle = await openMany(url, idleCount, peer);
  const { bytes } = await ask(child, 'memory');
  for (const each of idle) each.terminate();
  return (bytes - before) / idleCount / 1024;
}

async function ask(child, order) {
  child.send(order);
  const [answer] = await once(child, 'message');
  return answer;
}

async function openMany(url, count, peer) {
  const all = [];
  while (all.length < count)
    all.push(
      ...(await Promise.all(Array.from({ length: Math.min(100, count) }, () => open(url, peer)))),
    );
  return all;
}

async function open(url, { greet }) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  // socket.io sends its first message with the frame of the upgrade.
  await Promise.all([once(socket, 'open'), greet?.(socket)]);
  return socket;
}

function callMany(callers, count, { toCall, isAnswer = () => true }) {
  return new Promise((resolve) => {
    let sent = 0;
    let answered = 0;
    const call = (caller) => {
      if (sent === count) return;
      const id = ++sent;
      caller.send(toCall(id));
    };
    for (const caller of callers) {
      caller.removeAllListeners('message').on('message', (data) => {
        if (!isAnswer(data)) return;
        if (++answered === count) resolve();
        else call(caller);
      });
      for (let each = 0; each < DEPTH; each++) call(caller);
    }
  });
}

function toBetter(one, other) {
  if (one === undefined) return other;
  return {
    callUs: Math.min(one.callUs, other.callUs),
    idleKib: Math.min(one.idleKib, other.idleKib),
  };
}
