import * as z from 'zod';
import { capability, createServer, restTransport } from '../../../server-runtime/index.ts';
import { topic } from '../../../server-runtime/topics/index.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';

const messages = topic<string>('messages');

const send = capability(z.object({ text: z.string() }), ({ text }) => messages.publish(text));
const watch = capability((_input: unknown, { signal }) => messages.subscribe({ signal }), 'query');

export const server = createServer({
  capabilities: { chat: { send, watch } },
  transports: [restTransport({ port: 3000 }), webSocketTransport()],
});
