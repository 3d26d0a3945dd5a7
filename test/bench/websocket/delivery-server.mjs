/**
 * A server that delivers each item to every connection, in a process of its own: `hand` by ws alone, which makes one text
 * for all of them, or a topic of capix. `publish` publishes some items one after the other; `stopped` opens readers of long items.
 */
import process from 'node:process';
import { WebSocketServer } from 'ws';

let subscribed = 0;

const toItem = (at) => ({ id: `${at}`, from: 'Ada', text: 'A message of some length', at });

function startByHand() {
  const sockets = new WebSocketServer({ port: 0, perMessageDeflate: false });
  const subscribers = [];
  sockets.on('connection', (socket) =>
    socket.on('message', () => {
      subscribed++;
      subscribers.push(socket);
    }),
  );
  sockets.on('listening', () => process.send({ url: `ws://127.0.0.1:${sockets.address().port}` }));
  return (at) => {
    const params = { id: 1, data: toItem(at), eventId: `${at}` };
    const text = JSON.stringify({ jsonrpc: '2.0', method: '$/item', params });
    for (const each of subscribers) each.send(text);
  };
}

async function startCapix() {
  const load = (path) => import(`../../../dist/server-runtime/${path}.js`);
  const { capability, createServer, restTransport, silentLogger } = await load('index');
  const { webSocketTransport } = await load('websocket/index');
  const { topic } = await load('topics/index');
  const room = topic('room');
  const listMessages = capability(async (_input, { signal }) => {
    const live = await room.subscribe({ signal });
    subscribed++;
    return live;
  });
  const server = createServer({
    capabilities: { room: { listMessages } },
    transports: [restTransport({ port: 0 }), webSocketTransport()],
    logger: silentLogger,
  });
  const [{ url }] = await server.start();
  process.send({ url: `${url.replace('http', 'ws')}/_call` });
  return (at, long) => void room.publish(long === '' ? toItem(at) : { ...toItem(at), long });
}

const publish = process.argv[2] === 'hand' ? startByHand() : await startCapix();

function measureMemory() {
  global.gc();
  global.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, held: heapUsed + external };
}

let before;
process.on('SIGINT', () => process.exit());
process.on('message', (message) => void answer(message));

async function answer({ order, count, long = '' }) {
  if (order === 'begin') before = process.cpuUsage();
  if (order === 'publish') {
    for (let at = 0; at < count; at++) {
      publish(at, long);
      // Each item is delivered in a turn of its own, as items are published by calls.
      await new Promise((resolve) => setImmediate(resolve));
    }
    process.send({ published: count });
  }
  if (order === 'end') {
    const { user, system } = process.cpuUsage(before);
    process.send({ cpuUs: user + system });
  }
  if (order === 'count') process.send({ subscribed });
  if (order === 'memory') process.send(measureMemory());
}
