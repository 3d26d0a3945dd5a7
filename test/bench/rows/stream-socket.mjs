/** The items of a stream over a WebSocket, in capix and by `ws` by hand. */
import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';
import { ITEMS, Item, makeItems, openCapixStream } from './streams.mjs';

export const units = ITEMS;

/** Where so many bytes wait, the server waits for its reader. */
const MOST_BYTES = 65_536;

export const peers = {
  capix: async () => {
    const { webSocketTransport } = await import('../../../dist/server-runtime/websocket/index.js');
    const { url } = await openCapixStream(webSocketTransport());
    return { url: `${url.replace('http', 'ws')}/_call` };
  },
  ws: async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
    server.on('connection', (socket) => socket.once('message', () => void sendItems(socket)));
    await once(server, 'listening');
    return { url: `ws://127.0.0.1:${server.address().port}` };
  },
};

async function sendItems(socket) {
  for await (const item of makeItems()) {
    const params = { id: 1, item: Item.parse(item) };
    const text = JSON.stringify({ jsonrpc: '2.0', method: '$/item', params });
    if (socket.bufferedAmount < MOST_BYTES) socket.send(text);
    else await new Promise((resolve) => socket.send(text, resolve));
  }
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: null }));
}

export async function load(url) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  let items = -1;
  const ended = new Promise((resolve) => {
    socket.on('message', (/** @type {Buffer} */ data) => {
      items++;
      const { id, error } = JSON.parse(data.toString());
      if (error !== undefined) throw new Error(error.message);
      if (id === 1) resolve();
    });
  });
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'bench.listItems', params: {} }));
  await ended;
  if (items !== ITEMS) throw new Error(`${items} items came.`);
  socket.close();
}
