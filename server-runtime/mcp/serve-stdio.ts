import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

export interface StdioStreams {
  readonly input: Readable;
  /** Carries nothing but the protocol. */
  readonly output: Writable;
  /** Called when the input has ended and everything that was asked has been answered. */
  readonly onClose: () => void;
}

/** One conversation over a pair of streams, until the input ends. Gives the function that ends it earlier. */
export async function serveStdio(
  server: Server,
  { input, output, onClose }: StdioStreams,
): Promise<() => Promise<void>> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const transport = new StdioServerTransport(input as typeof process.stdin, output as typeof process.stdout);
  await server.connect(transport);

  const unanswered = new Set<RequestId>();
  let hasEnded = false;
  const closeWhenDone = (): void => {
    if (hasEnded && unanswered.size === 0) output.write('', () => void server.close().then(onClose));
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
  input.once('end', () => {
    hasEnded = true;
    closeWhenDone();
  });
  return () => server.close();
}

/** A cancelled request gets no answer. */
function note(message: JSONRPCMessage, unanswered: Set<RequestId>): void {
  if (!('method' in message)) return;
  if ('id' in message) unanswered.add(message.id);
  else if (message.method === 'notifications/cancelled') unanswered.delete(message.params?.['requestId'] as RequestId);
}
