import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { Server, Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { nodeHttp, nodeHttps } from '../../server-runtime/http/node-http.ts';
import { findUpgrade, type UpgradeRequest } from '../../server-runtime/http/upgrades.ts';
import { acceptFrom, type ListenHandle, takeConnection } from '../patches/intercept-listen.ts';
import { answerHeaders } from '../record/carrier.ts';
import { refuseForeignHosts } from './refuse-foreign-hosts.ts';
import type { CutRequest, OpenPort } from './server-message.ts';

/** The time until a drain closes connections without a request, milliseconds; Node closes idle ones after 5 s. */
const QUIET_MS = 6_000;
/** The same where the successor waits for the end of this process, milliseconds. */
const AWAITED_QUIET_MS = 50;

interface OpenRequest {
  readonly request: IncomingMessage;
  /** Whether newer code answers it. */
  readonly isPassedOn: boolean;
  readonly from: number;
  /** Resolves when the end of its stream is sent, where it was ended from here. */
  ended?: Promise<void>;
}

/** A server that gets its connections from the supervisor. */
export class LinkedServer {
  readonly server: Server;
  readonly #isHttp1: boolean;
  readonly #sockets = new Set<Socket>();
  /** What accepts the connections of its address, at each listening socket of that. */
  readonly #acceptors = new Set<Server>();
  readonly #open = new Map<ServerResponse, OpenRequest>();
  /** The sockets of TLS, by the connection below each. */
  readonly #secure = new WeakMap<Socket, Socket>();
  #isDrained = false;
  /** Whether it answers no new request itself: what still comes on its connections is passed on. */
  #passesOn = false;

  /** `hosts`: names that requests may be for, besides those of this machine. */
  constructor(server: Server, hosts: readonly string[]) {
    this.server = server;
    this.#isHttp1 = server instanceof nodeHttp().Server || server instanceof nodeHttps().Server;
    refuseForeignHosts(server, hosts);
    server.prependListener('request', this.#take);
    server.on('secureConnection', (socket: Socket) =>
      this.#secure.set(toConnection(socket), socket),
    );
  }

  connect(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    takeConnection(this.server, socket);
  }

  /** Takes the connections of a listening socket, until it makes way for another process or is closed. */
  accept(handle: ListenHandle): void {
    const { allowHalfOpen = false } = this.server as { readonly allowHalfOpen?: boolean };
    const acceptor = acceptFrom(handle, { allowHalfOpen }, (socket) => this.connect(socket));
    // What holds the process is the server.
    this.#acceptors.add(acceptor.unref());
  }

  stopAccepting(): void {
    for (const acceptor of this.#acceptors) acceptor.close();
    this.#acceptors.clear();
  }

  /**
   * Finishes what runs, however long it takes, and passes what still comes on to the process that answers at `next`, so
   * that no answer of old code follows one of new code. Each connection ends with its next answer.
   */
  async drain(next: OpenPort | undefined): Promise<void> {
    const { server } = this;
    this.stopAccepting();
    this.#isDrained = this.#isHttp1;
    if (this.#isHttp1) for (const response of this.#open.keys()) response.shouldKeepAlive = false;
    this.#passesOn = this.#isHttp1 && next !== undefined;
    if (this.#passesOn && next !== undefined)
      server
        .removeAllListeners('request')
        .on('request', this.#take)
        .on('request', createForwarder(server, next));
    // This runs after what arrived meanwhile is read: where the machine was busy, timers are late, and fire before
    // that.
    const close = (): void => void setImmediate(() => this.#closeQuiet());
    const timer = setTimeout(close, next === undefined ? AWAITED_QUIET_MS : QUIET_MS);
    for (const socket of this.#sockets)
      await new Promise((resolve) => socket.once('close', resolve));
    clearTimeout(timer);
  }

  /**
   * Closes every connection but those that only pass requests on, or may: those that may close, too, where
   * `closesQuiet`. Gives the requests that had begun.
   */
  cut(closesQuiet: boolean): readonly CutRequest[] {
    // Their ends are sent before the connections are closed.
    void this.endEventStreams();
    const own = [...this.#open.values()].filter(({ isPassedOn }) => !isPassedOn);
    const upgraded = [...this.#sockets].flatMap((socket) => this.#findUpgrade(socket) ?? []);
    this.#close(
      (socket) =>
        !this.#passesOn ||
        this.#findUpgrade(socket) !== undefined ||
        own.some(({ request }) => toConnection(request.socket) === socket),
    );
    const cutUpgrades = upgraded.map(({ method, url, startedAtMs }) => ({
      method,
      url,
      durationMs: performance.now() - startedAtMs,
    }));
    if (closesQuiet) this.#closeQuiet();
    const cutRequests = own
      .filter(({ ended }) => ended === undefined)
      .map(({ request: { method = '', url = '' }, from }) => ({
        method,
        url,
        durationMs: performance.now() - from,
      }));
    return [...cutRequests, ...cutUpgrades];
  }

  /** Whether it has connections on which requests are passed on. */
  get isPassingOn(): boolean {
    return this.#passesOn && [...this.#sockets].some(({ destroyed }) => !destroyed);
  }

  /** Ends streams of events that a client has subscribed to (GET), and asks for again. Resolves when that is sent. */
  async endEventStreams(): Promise<void> {
    for (const [response, open] of this.#open)
      if (open.request.method === 'GET' && isEventStream(response))
        open.ended ??= endStream(response);
    await Promise.all([...this.#open.values()].flatMap(({ ended }) => ended ?? []));
  }

  readonly #take = (request: IncomingMessage, response: ServerResponse): void => {
    this.#open.set(response, { request, isPassedOn: this.#passesOn, from: performance.now() });
    if (this.#isDrained) response.shouldKeepAlive = false;
    response.once('close', () => this.#open.delete(response));
  };

  /**
   * Ends streams of events, and connections without a request, such as WebSockets that no transport has taken. What a
   * transport has taken is its own to end.
   */
  #closeQuiet(): void {
    void this.endEventStreams();
    if (!this.#isHttp1 && this.#open.size > 0)
      return void setTimeout(() => this.#closeQuiet(), QUIET_MS).unref();
    const busy = new Set(
      [...this.#open.values()].map(({ request }) => toConnection(request.socket)),
    );
    this.#close((socket) => !busy.has(socket) && this.#findUpgrade(socket) === undefined);
  }

  #findUpgrade(connection: Socket): UpgradeRequest | undefined {
    return findUpgrade(this.#secure.get(connection) ?? connection);
  }

  #close(counts: (socket: Socket) => boolean): void {
    for (const socket of this.#sockets) if (counts(socket)) socket.destroy();
  }
}

/** Node's TLS keeps the socket that it reads from as its parent. */
function toConnection(socket: Socket): Socket {
  return (socket as { readonly _parent?: Socket | null })._parent ?? socket;
}

function isEventStream(response: ServerResponse): boolean {
  return answerHeaders(response).some(
    ([name, value]) => /^content-type$/i.test(name) && /^text\/event-stream\b/i.test(value),
  );
}

/** An end without a word would look like that of the stream itself, behind which clients request no more. */
function endStream(response: ServerResponse): Promise<void> {
  // Whoever writes to it learns of its end by that alone.
  response.on('error', () => {});
  return new Promise((resolve) => {
    response.once('close', resolve);
    if (isOfLibrary(response)) response.write(lastEvent);
    response.end(resolve);
  });
}

/** The library writes whole events; those of other code may be cut off anywhere. */
function isOfLibrary(response: ServerResponse): boolean {
  return answerHeaders(response).some(([name]) => name === 'x-request-id');
}

const stopping = { error: 'ServiceUnavailable', message: 'The server is stopping' };
const lastEvent = `event: error\ndata: ${JSON.stringify(stopping)}\n\n`;

/** Passes requests on to the server at a port, closing the connection after each. 502 where it cannot be reached. */
function createForwarder(from: Server, { host, port }: OpenPort) {
  const isTls = from instanceof nodeHttps().Server;
  const { ClientRequest } = nodeHttp();
  const target: RequestOptions = {
    // This machine reaches by it a host that means several.
    host: ['localhost', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host,
    port,
    setHost: false,
    protocol: isTls ? 'https:' : 'http:',
    agent: isTls ? new (nodeHttps().Agent)() : false,
    // The certificate of a development server is the user's own business.
    rejectUnauthorized: false,
  };
  return (incoming: IncomingMessage, response: ServerResponse): void => {
    // The headers as they came, Host among them.
    const { method, url: path, rawHeaders: headers } = incoming;
    // By the class: what traces requests replaces `request`, would count this one, and makes an object of the list of
    // headers.
    const outgoing = new ClientRequest({ ...target, method, path, headers }, (answer) => {
      const { 'keep-alive': _, 'transfer-encoding': __, ...answered } = answer.headersDistinct;
      response.writeHead(answer.statusCode ?? 502, { ...answered, connection: 'close' });
      pipeline(answer, response, () => {});
    });
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { connection: 'close' }).end();
    });
    pipeline(incoming, outgoing, () => {});
  };
}
