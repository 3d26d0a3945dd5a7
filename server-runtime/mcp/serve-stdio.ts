import { finished, type Readable, type Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import type { ServerMaker } from './handlers.ts';
import { type ReadMessage, readMessage, refuseMessage } from './read-message.ts';

export interface StdioStreams {
  readonly input: Readable;
  /** Carries nothing but the protocol. */
  readonly output: Writable;
  /** Called once, when the input has ended and what was asked has been responded to, or nobody reads the output. */
  readonly onClose: () => void;
}

/** The time that calls under way have once the input has ended, milliseconds: their client has left. */
const GRACE_MS = 5000;
/** The time that the responses of calls which were ended have after that, milliseconds. */
const LAST_MS = 1000;

/** One conversation over a pair of streams, until the input ends. Gives the function that ends it earlier. */
export async function serveStdio(
  createMcpServer: ServerMaker,
  { input, output, onClose }: StdioStreams,
): Promise<() => Promise<void>> {
  const [{ serveStdio: serve }, { parseJSONRPCMessage }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('@modelcontextprotocol/server'),
  ]);
  const pending = new Set<unknown>();
  const left = new AbortController();
  let hasEnded = false;
  let closed: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const take = (line: string): void => {
    const read = toMessage(line, parseJSONRPCMessage);
    if (!read.ok) return void writeLine(output, read.refusal).catch(() => {});
    const { method, id, params } = read.message as Told;
    // A cancelled request gets no response, and a subscription none before it ends.
    if (method === 'notifications/cancelled') pending.delete(params?.requestId);
    else if (method !== undefined && method !== 'subscriptions/listen' && id !== undefined) pending.add(id);
    transport.onmessage?.(read.message);
    closeWhenDone();
  };
  const onData = createLineReader(take);
  const transport: Transport = {
    start: async () => {
      input.on('data', onData);
      // A reader that has gone is told of by an error, which ends the process where nobody listens.
      output.on('error', () => void finish());
    },
    send: async (message) => {
      await writeLine(output, message);
      const { method, id } = message as Told;
      if (method === undefined) pending.delete(id);
      closeWhenDone();
    },
    close: async () => {
      input.off('data', onData).pause();
      transport.onclose?.();
    },
  };
  const served = serve(({ era }) => createMcpServer(era === 'modern' ? 'streams' : 'session', left.signal), {
    transport,
  });

  const close = (): Promise<void> => {
    clearTimeout(timer);
    return served.close();
  };
  const finish = (): Promise<void> => (closed ??= close().then(onClose));
  // The SDK drops what is under way when its input ends, so it is not told of that before everything is responded to.
  const closeWhenDone = (): void => {
    if (hasEnded && pending.size === 0) output.write('', () => void finish());
  };
  finished(input, { writable: false }, () => {
    hasEnded = true;
    timer = setTimeout(() => {
      timer = setTimeout(() => void finish(), LAST_MS);
      left.abort();
    }, GRACE_MS);
    closeWhenDone();
  });
  return close;
}

function writeLine(output: Writable, message: object): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(`${JSON.stringify(message)}\n`, (error) => (error instanceof Error ? reject(error) : resolve()));
  });
}

/** Takes the chunks of a stream as lines, empty ones aside. */
function createLineReader(take: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') take(line);
  };
}

interface Told {
  readonly method?: string;
  readonly id?: RequestId;
  readonly params?: { readonly requestId?: unknown };
}

/** A line as a message, or the error that its sender gets. */
function toMessage(line: string, parse: (value: unknown) => JSONRPCMessage): ReadMessage {
  const read = readMessage(line);
  if (!read.ok) return read;
  try {
    return { ok: true, message: parse(read.message) };
  } catch {
    return refuseMessage(read.message, "The message is neither a request nor a response of JSON-RPC '2.0'.");
  }
}
