import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { Closing } from './closing.ts';
import type { ServerMaker } from './load-server-maker.ts';

export interface StdioStreams {
  readonly input: Readable;
  /** Carries nothing but the protocol. */
  readonly output: Writable;
  /** Called when the input has ended and everything that was asked has been answered. */
  readonly onClose: () => void;
}

/** One conversation over a pair of streams, until the input ends. Gives the function that ends it earlier. */
export async function serveStdio(
  createMcpServer: ServerMaker,
  { input, output, onClose }: StdioStreams,
): Promise<() => Promise<void>> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const closing = new Closing();
  const server = createMcpServer({ closing });
  const transport = new StdioServerTransport(input as typeof process.stdin, output as typeof process.stdout);
  await server.connect(transport);

  const unanswered = new Set<RequestId>();
  let hasEnded = false;
  const close = async (): Promise<void> => {
    await server.close();
    await closing.cleaned();
  };
  const closeWhenDone = (): void => {
    if (hasEnded && unanswered.size === 0) output.write('', () => void close().then(onClose));
  };
  const receive = transport.onmessage;
  transport.onmessage = (message) => {
    note(message, unanswered);
    receive?.(message);
    closeWhenDone();
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if ('id' in message && !('method' in message)) unanswered.delete(message.id as RequestId);
    closeWhenDone();
  };
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    closing.begin();
    closeWhenDone();
  };
  // A connection that breaks closes without an end.
  input.once('end', end).once('close', end);
  return close;
}

/** A cancelled request gets no answer. */
function note(message: JSONRPCMessage, unanswered: Set<RequestId>): void {
  if (!('method' in message)) return;
  if ('id' in message) unanswered.add(message.id);
  else if (message.method === 'notifications/cancelled') unanswered.delete(message.params?.['requestId'] as RequestId);
}
