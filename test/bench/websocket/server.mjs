/** A server of WebSockets in a process of its own: `hand` over ws alone, or `capix`. Both validate input and output. */
import process from 'node:process';
import { WebSocketServer } from 'ws';
import * as z from 'zod';

const Input = z.object({ id: z.string() });
const User = z.object({ id: z.string(), name: z.string() });

function startByHand() {
  const sockets = new WebSocketServer({ port: 0, perMessageDeflate: false });
  sockets.on('connection', (socket) =>
    socket.on('message', (/** @type {Buffer} */ data) => {
      const { id, params } = JSON.parse(data.toString());
      const { data: input } = Input.safeParse(params);
      const { data: result } = User.safeParse({ id: input.id, name: 'Ada' });
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }),
  );
  sockets.on('listening', () => process.send({ url: `ws://127.0.0.1:${sockets.address().port}` }));
}

async function startCapix() {
  const { capability, createServer, restTransport, silentLogger } = await import(
    '../../../dist/server-runtime/index.js'
  );
  const { webSocketTransport } = await import('../../../dist/server-runtime/websocket/index.js');
  const getUser = capability(Input, ({ id }) => ({ id, name: 'Ada' })).output(User);
  const server = createServer({
    capabilities: { users: { getUser } },
    transports: [restTransport({ port: 0 }), webSocketTransport()],
    logger: silentLogger,
  });
  const [{ url }] = await server.start();
  process.send({ url: `${url.replace('http', 'ws')}/_call` });
}

let before;
process.on('message', (order) => {
  if (order === 'begin') before = process.cpuUsage();
  if (order === 'end') {
    const { user, system } = process.cpuUsage(before);
    process.send({ cpuUs: user + system });
  }
  if (order === 'memory') {
    global.gc();
    global.gc();
    process.send({ bytes: process.memoryUsage().rss });
  }
});
if (process.argv[2] === 'hand') startByHand();
else await startCapix();
