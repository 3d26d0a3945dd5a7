import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeHttp } from '../../../server-runtime/http/node/node-http.ts';
import type { OfferedList } from '../../../server-runtime/mcp/offers/to-offers.ts';
import { findRefusal } from '../../../server-runtime/mcp/serve/find-refusal.ts';
import { waitWithin } from '../../system/wait-within.ts';
import { Conversation } from './conversation.ts';
import type { RelayServer } from './relay.ts';
import { parseRpc, toRpcError } from './rpc-message.ts';
import type { SessionFront } from './session-front.ts';

/** A stream of messages that belong to no call, which outlives the process that answers. */
interface OpenStream {
  readonly conversation: Conversation;
  readonly response: ServerResponse;
  /** Undefined for a subscription of 2026-07-28. */
  readonly session: string | undefined;
}

interface CurrentServer {
  readonly server: RelayServer;
  readonly url: string;
}

interface BusyServer {
  readonly url: string;
  /** Requests that it has not answered. */
  unanswered: number;
}

const PATH = '/mcp';
const HOST = '127.0.0.1';
/** The system may tell that a process has ended a little after its connections are gone, milliseconds. */
const GONE_LIMIT_MS = 1_000;
/** Clients give up a stream on which nothing comes for minutes, milliseconds. */
const KEEP_ALIVE_MS = 30_000;
const noNames = { hosts: new Set<string>(), origins: new Set<string>() };

/**
 * One address for one state of the project's code after another: requests go to the process that has the newest, and the one before it answers
 * what it has. Streams on which clients wait for news are held here.
 */
export class HttpFront implements SessionFront {
  readonly isOver = false;
  readonly #onWanted: () => void;
  /** Each request has a connection of its own: a process may close one that is left open just as the next request comes. */
  readonly #agent = new (nodeHttp().Agent)({ keepAlive: false });
  readonly #server = nodeHttp().createServer((request, response) => void this.#take(request, response));
  readonly #streams = new Set<OpenStream>();
  /** The processes that have not answered every request yet. */
  readonly #busy = new Map<RelayServer, BusyServer>();
  readonly #pings = setInterval(() => this.#ping(), KEEP_ALIVE_MS).unref();
  /** The processes that are not known to be gone, with those who wait for that. */
  readonly #alive = new Map<RelayServer, (() => void)[]>();
  #current: CurrentServer | undefined;
  #waiting: ((found: CurrentServer | string) => void)[] = [];

  constructor(onWanted: () => void) {
    this.#onWanted = onWanted;
  }

  /** Gives the address. Rejects where the port is taken. */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen({ port, host: HOST }, resolve);
    });
    return `http://${HOST}:${(this.#server.address() as AddressInfo).port}${PATH}`;
  }

  async close(): Promise<void> {
    clearInterval(this.#pings);
    this.#agent.destroy();
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Does nothing: messages come and go over HTTP alone. */
  take(): void {}

  use(server: RelayServer, url: string): void {
    const before = this.#current?.server;
    this.#current = { server, url };
    this.#alive.set(server, []);
    for (const resolve of this.#waiting.splice(0)) resolve(this.#current);
    if (before !== undefined) this.#endWhenDone(before);
  }

  drop(server: RelayServer): void {
    if (this.#current?.server === server) this.#current = undefined;
    const tell = this.#alive.get(server) ?? [];
    this.#alive.delete(server);
    for (const each of tell) each();
  }

  refuse(reason: string): void {
    for (const resolve of this.#waiting.splice(0)) resolve(reason);
  }

  tellChange(lists: readonly OfferedList[]): void {
    this.#tell((conversation) => lists.flatMap((list) => conversation.toChange(list)));
  }

  log(text: string): void {
    this.#tell((conversation) => conversation.toLogged(text));
  }

  #tell(toMessages: (conversation: Conversation) => readonly string[]): void {
    for (const { conversation, response } of this.#streams)
      for (const message of toMessages(conversation)) response.write(`event: message\ndata: ${message}\n\n`);
  }

  #ping(): void {
    for (const { response } of this.#streams) response.write(': \n\n');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = toText(request.headers['mcp-session-id']);
    const isStream = request.method === 'GET' && session !== undefined && request.url === PATH;
    if (isStream && findRefusal(request.headers, noNames) === undefined) return this.#openStream(response, session);
    if (request.method === 'DELETE')
      for (const stream of this.#streams) if (stream.session === session) stream.response.end();
    const found = await this.#findServer();
    if (typeof found === 'string') refuse(response, found);
    else this.#forward(found, request, response);
  }

  /** A client of the revisions before 2026-07-28 waits for news. */
  #openStream(response: ServerResponse, session: string): void {
    const conversation = new Conversation();
    conversation.note({ method: 'notifications/initialized' });
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }).flushHeaders();
    this.#hold({ conversation, response, session });
  }

  #hold(stream: OpenStream): void {
    this.#streams.add(stream);
    stream.response.once('close', () => this.#streams.delete(stream));
  }

  #findServer(): Promise<CurrentServer | string> | CurrentServer {
    if (this.#current !== undefined) return this.#current;
    const found = new Promise<CurrentServer | string>((resolve) => void this.#waiting.push(resolve));
    this.#onWanted();
    return found;
  }

  #forward({ server, url }: CurrentServer, request: IncomingMessage, response: ServerResponse): void {
    const { method, headers } = request;
    const isSubscription = headers['mcp-method'] === 'subscriptions/listen';
    const done = isSubscription ? () => {} : this.#begin(server, url);
    const asked = nodeHttp().request(new URL(request.url ?? '/', url), { method, headers, agent: this.#agent });
    const body = isSubscription || this.#hasOlder(server) ? readText(request) : undefined;
    if (!isSubscription) void body?.then((text) => this.#cancelInOlder(text, { server, request }));
    asked.once('response', (answer) => {
      const { connection: _connection, 'keep-alive': _keepAlive, ...told } = answer.headers;
      response.writeHead(answer.statusCode ?? 500, told);
      const isHeld = isSubscription && answer.statusCode === 200;
      answer.pipe(response, { end: !isHeld });
      if (isHeld) void body?.then((text) => this.#holdSubscription(text, response));
      answer.once('close', done);
    });
    asked.once('error', () => void this.#refuseGone(server, response).then(done));
    response.once('close', () => void asked.destroy());
    request.pipe(asked);
  }

  /** Answers in the place of a process that did not. A client that has left waits for nothing. */
  async #refuseGone(server: RelayServer, response: ServerResponse): Promise<void> {
    if (!response.destroyed) await waitWithin(GONE_LIMIT_MS, this.#dropped(server));
    if (response.headersSent) response.destroy();
    else refuse(response, "The project's code ended the process before it answered.");
  }

  /** Resolves when the process is known to be gone, so that the next request of a caller who is told of it starts another. */
  #dropped(server: RelayServer): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#alive.get(server);
      if (waiting === undefined) resolve();
      else waiting.push(resolve);
    });
  }

  #hasOlder(newest: RelayServer): boolean {
    return [...this.#busy.keys()].some((server) => server !== newest);
  }

  /** The call that a client cancels may be one of a process of before. */
  #cancelInOlder(text: string, { server: newest, request }: { server: RelayServer; request: IncomingMessage }): void {
    if (parseRpc(text)?.method !== 'notifications/cancelled') return;
    for (const [server, { url }] of this.#busy) {
      if (server === newest) continue;
      const asked = nodeHttp().request(new URL(request.url ?? '/', url), {
        method: 'POST',
        headers: request.headers,
      });
      asked.once('error', () => {}).once('response', (answer) => void answer.resume());
      asked.end(text);
    }
  }

  #holdSubscription(text: string, response: ServerResponse): void {
    const conversation = new Conversation();
    const message = parseRpc(text);
    if (message !== undefined) conversation.note(message);
    this.#hold({ conversation, response, session: undefined });
  }

  /** Counts a request, until the function that it gives is called. */
  #begin(server: RelayServer, url: string): () => void {
    const busy = this.#busy.get(server) ?? { url, unanswered: 0 };
    this.#busy.set(server, busy);
    busy.unanswered += 1;
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      busy.unanswered -= 1;
      this.#endWhenDone(server);
    };
  }

  /** Ends a process that another has taken the place of, once it owes nothing. */
  #endWhenDone(server: RelayServer): void {
    if (server === this.#current?.server || (this.#busy.get(server)?.unanswered ?? 0) > 0) return;
    this.#busy.delete(server);
    server.end();
  }
}

function toText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  await new Promise((resolve) => request.once('end', resolve).once('close', resolve));
  return Buffer.concat(parts).toString();
}

function refuse(response: ServerResponse, reason: string): void {
  response.writeHead(503, { 'content-type': 'application/json' });
  response.end(toRpcError(null, reason));
}
