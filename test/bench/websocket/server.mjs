/**
 * A server of WebSockets in a process of its own: `hand` over ws alone, `capix`, `socket.io` or `tRPC`. All of them
 * validate input and output with the same schemas.
 */
import { createServer as createHttpServer } from 'node:http';
import process from 'node:process';
import { WebSocketServer } from 'ws';
import * as z from 'zod';

const Input = z.object({ id: z.string() });
const User = z.object({ id: z.string(), name: z.string() });

const starters = {
  hand: startByHand,
  capix: startCapix,
  'socket.io': startSocketIo,
  tRPC: startTrpc,
};

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
  sockets.on('listening', () => tellUrl(sockets.address()));
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

async function startSocketIo() {
  const { Server } = await import('socket.io');
  const http = createHttpServer();
  const server = new Server(http, { transports: ['websocket'], perMessageDeflate: false });
  server.on('connection', (socket) =>
    socket.on('users.getUser', (params, answer) => {
      const { data: input } = Input.safeParse(params);
      const { data: result } = User.safeParse({ id: input.id, name: 'Ada' });
      answer(result);
    }),
  );
  http.listen(0, () => tellUrl(http.address(), '/socket.io/?EIO=4&transport=websocket'));
}

async function startTrpc() {
  const { initTRPC } = await import('@trpc/server');
  const { applyWSSHandler } = await import('@trpc/server/adapters/ws');
  const { procedure, router } = initTRPC.create();
  const getUser = procedure
    .input(Input)
    .output(User)
    .query(({ input }) => ({ id: input.id, name: 'Ada' }));
  const wss = new WebSocketServer({ port: 0, perMessageDeflate: false });
  applyWSSHandler({ wss, router: router({ users: router({ getUser }) }) });
  wss.on('listening', () => tellUrl(wss.address()));
}

function tellUrl({ port }, path = '') {
  process.send({ url: `ws://127.0.0.1:${port}${path}` });
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
await starters[process.argv[2]]();
