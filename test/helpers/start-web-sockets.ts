import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import {
  createServer,
  type RestOptions,
  restTransport,
  type Server,
  type ServerOptions,
} from '../../server-runtime/index.ts';
import { type WebSocketOptions, webSocketTransport } from '../../server-runtime/websocket/index.ts';
import { type RecordedLog, recordLog } from './start-rest.ts';

export interface SocketServerOptions extends Omit<ServerOptions, 'transports'> {
  readonly rest?: RestOptions;
  readonly socket?: WebSocketOptions;
}

export interface RunningSockets {
  readonly server: Server;
  /** `ws://localhost:49152` */
  readonly url: string;
  readonly log: RecordedLog;
  /** Opens a connection, by default for plain JSON; it ends with the test. */
  readonly open: (options?: OpenOptions) => Promise<Talk>;
}

export interface OpenOptions extends ClientOptions {
  readonly path?: string;
  readonly protocols?: string | string[];
}

/** A message of JSON-RPC, as far as tests look at it. */
export interface Received {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: {
    readonly id?: unknown;
    readonly data?: unknown;
    readonly [name: string]: unknown;
  };
  readonly result?: unknown;
  readonly status?: number;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: {
      readonly error: string;
      readonly status: number;
      readonly [name: string]: unknown;
    };
  };
}

/** Starts a server of REST and WebSockets on a free port; it stops with the test. */
export async function startSockets(options: SocketServerOptions): Promise<RunningSockets> {
  const { rest, socket, ...others } = options;
  const log = recordLog();
  const server = createServer({
    logger: log,
    ...others,
    transports: [restTransport({ port: 0, ...rest }), webSocketTransport(socket)],
  });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const url = (started?.url ?? '').replace('http', 'ws');
  return { server, url, log, open: (how) => openTalk(url, how) };
}

/** Opens a connection, which ends with the test. */
export async function openTalk(url: string, options: OpenOptions = {}): Promise<Talk> {
  const talk = startTalk(url, options);
  await once(talk.webSocket, 'open');
  return talk;
}

/** The same, for one that may not open. */
export function startTalk(
  url: string,
  { path = '/_call', protocols, ...options }: OpenOptions = {},
): Talk {
  const webSocket = new WebSocket(url + path, protocols ?? [], options);
  onTestFinished(() => webSocket.terminate());
  return new Talk(webSocket);
}

/** One connection: sends messages, and gives those that come in their order. */
export class Talk {
  readonly webSocket: WebSocket;
  readonly #received: Received[] = [];
  readonly #waiting: ((message: Received) => void)[] = [];
  /** What the connection was closed with. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** The status of an upgrade that was refused, and its body. */
  readonly refused: Promise<{ readonly status: number; readonly body: string }>;
  #ids = 0;

  constructor(webSocket: WebSocket) {
    this.webSocket = webSocket;
    webSocket.on('error', () => {});
    webSocket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString()) as Received));
    this.closed = new Promise((resolve) =>
      webSocket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
    this.refused = new Promise((resolve) =>
      webSocket.once('unexpected-response', (_request, response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      }),
    );
  }

  /** Sends a call, and gives its id. */
  call(method: string, params?: unknown, more: object = {}): number {
    const id = ++this.#ids;
    this.send({ id, method, params, ...more });
    return id;
  }

  /** Calls, and gives the next message, which is the answer where nothing else is under way. */
  ask(method: string, params?: unknown, more: object = {}): Promise<Received> {
    this.call(method, params, more);
    return this.next();
  }

  send(message: object): void {
    this.webSocket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  next(): Promise<Received> {
    const message = this.#received.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The messages that have come and that nobody has asked for. */
  get unread(): readonly Received[] {
    return this.#received;
  }

  /** The data of the items of a stream until its end, which is given, too. */
  async readItems(): Promise<{ readonly items: unknown[]; readonly end: Received }> {
    const items: unknown[] = [];
    for (;;) {
      const message = await this.next();
      if (message.method !== '$/item') return { items, end: message };
      items.push(message.params?.data);
    }
  }

  #take(message: Received): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#received.push(message);
    else waiting(message);
  }
}
