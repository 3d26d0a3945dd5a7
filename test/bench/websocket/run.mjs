/**
 * Compares `webSocketTransport` with a server of ws that was written by hand: the CPU of a call, and the memory of an
 * idle connection, as ratios of the best of some rounds. `npm run build && node test/bench/websocket/run.mjs [connections]`
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

const best = { hand: undefined, capix: undefined };
for (let round = 0; round < ROUNDS; round++)
  for (const kind of ['hand', 'capix']) best[kind] = toBetter(best[kind], await measure(kind));
const { hand, capix } = best;
process.stdout.write(
  `CPU of a call: ${capix.callUs.toFixed(1)} µs, ${(capix.callUs / hand.callUs).toFixed(2)} of ws by hand\n` +
    `Memory of one of ${idleCount} idle connections: ${capix.idleKib.toFixed(1)} KiB, ` +
    `${(capix.idleKib / hand.idleKib).toFixed(2)} of ws by hand\n`,
);
process.exit(0);

async function measure(kind) {
  const child = fork(new URL('server.mjs', import.meta.url), [kind], { execArgv: ['--expose-gc'] });
  const [{ url }] = await once(child, 'message');
  const callers = await openMany(url, CALLERS);
  await callMany(callers, WARM_UP);
  child.send('begin');
  await callMany(callers, CALLS);
  const { cpuUs } = await ask(child, 'end');
  for (const caller of callers) caller.terminate();
  const { bytes: before } = await ask(child, 'memory');
  const idle = await openMany(url, idleCount);
  const { bytes } = await ask(child, 'memory');
  for (const each of idle) each.terminate();
  child.kill();
  return { callUs: cpuUs / CALLS, idleKib: (bytes - before) / idleCount / 1024 };
}

async function ask(child, order) {
  child.send(order);
  const [answer] = await once(child, 'message');
  return answer;
}

async function openMany(url, count) {
  const all = [];
  while (all.length < count)
    all.push(...(await Promise.all(Array.from({ length: Math.min(100, count) }, () => open(url)))));
  return all;
}

async function open(url) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}

function callMany(callers, count) {
  return new Promise((resolve) => {
    let sent = 0;
    let answered = 0;
    const call = (caller) => {
      if (sent === count) return;
      const id = ++sent;
      const message = { jsonrpc: '2.0', id, method: 'users.getUser', params: { id: '7' } };
      caller.send(JSON.stringify(message));
    };
    for (const caller of callers) {
      caller.removeAllListeners('message').on('message', () => {
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
