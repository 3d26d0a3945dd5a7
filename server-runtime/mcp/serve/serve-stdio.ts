import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import type { ServerMaker } from '../load-server-maker.ts';
import { Closing } from './closing.ts';
import { createMessageFilter } from './read-message.ts';

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
  const { serveStdio: serve, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const closing = new Closing();
  const filter = createMessageFilter((refusal) => void output.write(`${JSON.stringify(refusal)}\n`));
  // The SDK drops what is under way when its input ends, so it is not told of that before everything is answered.
  const transport = new StdioServerTransport(input.pipe(filter, { end: false }), output);
  const served = serve(({ era }) => createMcpServer(closing, era === 'modern' ? 'streams' : 'session'), { transport });

  const unanswered = new Set<RequestId>();
  let hasEnded = false;
  const close = async (): Promise<void> => {
    await served.close();
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

/** A cancelled request gets no answer, and a subscription none before it ends. */
function note(message: JSONRPCMessage, unanswered: Set<RequestId>): void {
  if (!('method' in message)) return;
  if (message.method === 'subscriptions/listen') return;
  if ('id' in message) unanswered.add(message.id);
  else if (message.method === 'notifications/cancelled') unanswered.delete(message.params?.['requestId'] as RequestId);
}
