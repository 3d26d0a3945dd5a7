import { finished } from 'node:stream';
import { parseJSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { claimStdout } from '../patches/claim-stdout.ts';
import type { StdioOptions } from './options.ts';
import { type RpcMessage, readMessage } from './read-message.ts';
import type { ServerMaker } from './server-maker.ts';

/** How long calls may take once the input has ended, because the client has left, and to clean up after a cancel. */
const [GRACE_MS, LAST_MS] = [5000, 500];

/** One conversation over a pair of streams, until the input ends. Gives the function that ends it earlier. */
export function serveStdio(
  createMcpServer: ServerMaker,
  { input = process.stdin, output = claimStdout(), onClose }: StdioOptions,
): () => Promise<void> {
  const pending = new Set<RequestId>();
  let hasEnded = false;
  let closed: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const take = (line: string): void => {
    const read = readMessage(line, parseJSONRPCMessage);
    if (!read.ok) return void send(read.refusal).catch(() => {});
    const { method, id, params } = read.message;
    // A cancelled request gets no response, and a subscription none before it ends.
    if (method === 'notifications/cancelled' && params?.requestId !== undefined)
      pending.delete(params.requestId);
    else if (method !== undefined && method !== 'subscriptions/listen' && id !== undefined)
      pending.add(id);
    transport.onmessage?.(read.message);
    closeWhenDone();
  };
  const onData = createLineReader(take);
  const send = async (message: object): Promise<void> => {
    await new Promise<void>((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) =>
        error instanceof Error ? reject(error) : resolve(),
      );
    });
    const { method, id } = message as RpcMessage;
    if (method === undefined && id !== undefined) pending.delete(id);
    closeWhenDone();
  };
  const transport: Transport = {
    start: async () => {
      input.setEncoding('utf8').on('data', onData);
      // When the reader has closed the output, the stream emits an error, which without a listener would end the
      // process.
      output.on('error', () => void close());
    },
    send,
    close: async () => {
      input.off('data', onData).pause();
      transport.onclose?.();
    },
  };
  const served = serve(({ era }) => createMcpServer(era === 'modern' ? 'streams' : 'session'), {
    transport,
  });

  const close = (): Promise<void> => {
    clearTimeout(timer);
    closed ??= served.close().then(() => onClose?.());
    return closed;
  };
  // The SDK drops open requests when its input ends, so it sees that end only after everything was responded to.
  const closeWhenDone = (): void => {
    if (hasEnded && pending.size === 0) output.write('', () => void close());
  };
  finished(input, { writable: false }, () => {
    hasEnded = true;
    timer = setTimeout(() => {
      // The SDK sends no response to a cancelled request.
      for (const requestId of pending)
        transport.onmessage?.({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId },
        });
      timer = setTimeout(() => {
        const error = { code: -32_000, message: 'The call was cancelled: the input has ended.' };
        for (const id of pending) send({ jsonrpc: '2.0', id, error }).catch(() => {});
      }, LAST_MS);
    }, GRACE_MS);
    closeWhenDone();
  });
  return close;
}

function createLineReader(take: (line: string) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') take(line);
  };
}
