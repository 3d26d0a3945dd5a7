import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import type { Closing } from './closing.ts';
import type { ServerMaker } from './load-handlers.ts';
import { INVALID_REQUEST, readMessage, toRefusal } from './read-message.ts';

export interface StdioStreams {
  readonly input: Readable;
  /** Carries nothing but the protocol. */
  readonly output: Writable;
  /** Called when the input has ended and everything that was asked has been answered. */
  readonly onClose: () => void;
  readonly closing: Closing;
}

/** The longest message, bytes: that which the SDK reads over HTTP. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** One conversation over a pair of streams, until the input ends. Gives the function that ends it earlier. */
export async function serveStdio(
  createMcpServer: ServerMaker,
  { input, output, onClose, closing }: StdioStreams,
): Promise<() => Promise<void>> {
  const [{ serveStdio: serve }, { parseJSONRPCMessage }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('@modelcontextprotocol/server'),
  ]);
  const unanswered = new Set<RequestId>();
  let hasEnded = false;

  const transport = createLineTransport(input, output, {
    parse: parseJSONRPCMessage,
    onMessage: (message) => {
      note(message, unanswered);
      transport.onmessage?.(message);
      closeWhenDone();
    },
    onSent: (message) => {
      if ('id' in message && !('method' in message)) unanswered.delete(message.id as RequestId);
      closeWhenDone();
    },
  });
  const served = serve(({ era }) => createMcpServer(era === 'modern' ? 'streams' : 'session'), { transport });

  const close = async (): Promise<void> => {
    await served.close();
    await closing.cleaned();
  };
  // The SDK drops what is under way when its input ends, so it is not told of that before everything is answered.
  const closeWhenDone = (): void => {
    if (hasEnded && unanswered.size === 0) output.write('', () => void close().then(onClose));
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

interface LineEnds {
  /** @throws where a value is not a message */
  readonly parse: (value: unknown) => JSONRPCMessage;
  readonly onMessage: (message: JSONRPCMessage) => void;
  readonly onSent: (message: JSONRPCMessage) => void;
}

/** Messages as the lines of two streams. The sender of a line that is none gets an error. */
function createLineTransport(input: Readable, output: Writable, { parse, onMessage, onSent }: LineEnds): Transport {
  const send = (message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error instanceof Error ? reject(error) : resolve()));
    });
  const refuse = (message: unknown, reason: string): void => {
    send(toRefusal(message, INVALID_REQUEST, reason)).catch(() => {});
  };
  const onLine = (line: string): void => {
    const read = readMessage(line);
    if (!read.ok) return void send(read.refusal).catch(() => {});
    try {
      parse(read.message);
    } catch {
      return refuse(read.message, "The message is neither a request nor a response of JSON-RPC '2.0'.");
    }
    onMessage(read.message);
  };
  const onTooLong = (): void => refuse(undefined, `A message may have ${MAX_MESSAGE_BYTES} bytes.`);
  const take = createLineReader({ onLine, onTooLong });
  const transport: Transport = {
    start: async () => {
      input.on('data', take);
      // A reader that has gone is told of by an error, which ends the process where nobody listens.
      output.on('error', () => void transport.close());
    },
    send: async (message) => {
      await send(message);
      onSent(message);
    },
    close: async () => {
      input.off('data', take).pause();
      transport.onclose?.();
    },
  };
  return transport;
}

interface LineTaker {
  readonly onLine: (line: string) => void;
  /** Told of a line that is too long while it comes; the rest of it is passed over. */
  readonly onTooLong: () => void;
}

/** Takes the chunks of a stream as lines, empty ones aside. */
function createLineReader({ onLine, onTooLong }: LineTaker): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let line = '';
  let isTooLong = false;
  const add = (text: string): void => {
    if (isTooLong) return;
    line += text;
    // No character has fewer bytes than one.
    isTooLong = line.length > MAX_MESSAGE_BYTES;
    if (isTooLong) onTooLong();
  };
  return (chunk) => {
    const [first = '', ...others] = decoder.write(chunk).split('\n');
    add(first);
    for (const next of others) {
      if (!isTooLong && line.trim() !== '') onLine(line);
      isTooLong = false;
      line = '';
      add(next);
    }
  };
}

/** A cancelled request gets no answer, and a subscription none before it ends. */
function note(message: JSONRPCMessage, unanswered: Set<RequestId>): void {
  if (!('method' in message)) return;
  if (message.method === 'subscriptions/listen') return;
  if ('id' in message) unanswered.add(message.id);
  else if (message.method === 'notifications/cancelled') unanswered.delete(message.params?.['requestId'] as RequestId);
}
