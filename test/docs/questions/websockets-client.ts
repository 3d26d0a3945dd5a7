import { createClient, type SocketTransport } from '../../../server-runtime/client/index.ts';
import type { server } from './websockets.ts';

/** Shows each message; in a page: `show(webSocket('wss://api.example.org/_call'), console.log)`. */
export async function show(
  transport: SocketTransport,
  print: (text: string) => void,
): Promise<void> {
  const api = createClient<typeof server>({ transport });
  for await (const text of await api.chat.watch()) print(text);
}
