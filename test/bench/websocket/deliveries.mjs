/**
 * Compares the delivery of an item of a topic to each of 1,000 subscribers with ws by hand, which sends one text to all
 * of them: CPU of the server, the best of some rounds, and their ratio. And measures what a subscriber costs that has
 * stopped to read. `npm run build && node test/bench/websocket/deliveries.mjs [subscribers]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { WebSocket } from 'ws';

const subscriberCount = Number(process.argv[2] ?? 1000);
const ITEMS = 100;
const WARM_UP = 40;
const ROUNDS = Number(process.argv[3] ?? 5);
const STOPPED = 50;
const LONG = 20_000;

const best = { hand: Number.POSITIVE_INFINITY, capix: Number.POSITIVE_INFINITY };
for (let round = 0; round < ROUNDS; round++)
  for (const kind of ['hand', 'capix']) best[kind] = Math.min(best[kind], await measure(kind));
const { hand, capix } = best;
process.stdout.write(
  `CPU of a delivery, ${subscriberCount} subscribers: ${capix.toFixed(2)} µs, by hand ${hand.toFixed(2)} µs: ` +
    `${(capix / hand).toFixed(2)}\n`,
);
const { heldKib, rssKib } = await measureStopped();
process.stdout.write(
  `A subscriber that has stopped to read, behind ${LONG / 1000} MB: ${heldKib.toFixed(0)} KiB of objects and ` +
    `buffers, ${rssKib.toFixed(0)} KiB of the process\n`,
);
process.exit(0);

async function measure(kind) {
  const { child, url } = await start(kind);
  const all = await openAll(child, url, subscriberCount);
  let received = 0;
  let onAll = () => {};
  for (const each of all)
    each.on('message', (/** @type {Buffer} */ data) => {
      // Not the message that a stream is open.
      if (!data.includes('$/item')) return;
      received++;
      if (received % subscriberCount === 0) onAll(received / subscriberCount);
    });
  const deliver = async (count) => {
    const end = received / subscriberCount + count;
    const delivered = new Promise((resolve) => {
      onAll = (items) => items === end && resolve();
    });
    await ask(child, 'publish', { count });
    await delivered;
  };
  await deliver(WARM_UP);
  child.send({ order: 'begin' });
  await deliver(ITEMS);
  const { cpuUs } = await ask(child, 'end');
  for (const each of all) each.terminate();
  child.kill();
  return cpuUs / ITEMS / subscriberCount;
}

/** What each of some more subscribers costs that take nothing while 20 MB of items are published. */
async function measureStopped() {
  const few = await measureMemory(STOPPED);
  const many = await measureMemory(2 * STOPPED);
  return {
    heldKib: (many.held - few.held) / STOPPED / 1024,
    rssKib: (many.rss - few.rss) / STOPPED / 1024,
  };
}

async function measureMemory(count) {
  const { child, url } = await start('capix');
  const all = await openAll(child, url, count);
  for (const each of all) each.pause();
  await ask(child, 'publish', { count: 1000, long: 'x'.repeat(LONG) });
  const memory = await ask(child, 'memory');
  for (const each of all) each.terminate();
  child.kill();
  return memory;
}

async function start(kind) {
  const file = new URL('delivery-server.mjs', import.meta.url);
  const child = fork(file, [kind], { execArgv: ['--expose-gc'] });
  const [{ url }] = await once(child, 'message');
  return { child, url };
}

async function ask(child, order, more = {}) {
  child.send({ order, ...more });
  const [answer] = await once(child, 'message');
  return answer;
}

/** Opens subscribers, some at a time, and waits until each of them hears. */
async function openAll(child, url, count) {
  const all = [];
  while (all.length < count)
    all.push(...(await Promise.all(Array.from({ length: Math.min(100, count) }, () => open(url)))));
  while ((await ask(child, 'count')).subscribed < count)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return all;
}

async function open(url) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'room.listMessages' }));
  return socket;
}
