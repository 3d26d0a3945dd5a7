import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import type { RequestOptions } from 'node:https';
import type { Server, Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { nodeHttp, nodeHttps } from '../../server-runtime/http/node-http.ts';
import { takeConnection } from '../patches/intercept-listen.ts';
import { toIdleMs } from '../system/timing.ts';
import { createOpenRequests, type OpenRequests } from './open-requests.ts';
import { refuseForeignHosts } from './refuse-foreign-hosts.ts';
import type { CutRequest, OpenPort } from './server-message.ts';

/** A server that gets its connections from the supervisor. */
export interface LinkedServer {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  /** The sessions of HTTP/2, one for each connection. */
  readonly sessions: Set<ServerHttp2Session>;
  readonly requests: OpenRequests;
  readonly opened: (at: OpenPort) => void;
  readonly refused: (error: Error) => void;
  readonly release: () => void;
  /** Whether the code has opened it by itself. */
  readonly isOwn: boolean;
  /** Whether it answers no new request itself: what still comes on its connections is passed on. */
  passesOn: boolean;
  idle: () => void;
}

/**
 * The longest time until a quiet connection is closed in a drain, milliseconds. It is closed when its client has been
 * told that it ends, which Node tells to be 5 s: a client that a busy machine keeps waiting would still send a request
 * on it before.
 */
const MAX_QUIET_MS = 6_000;
/** The same where the successor waits for the end of this process, milliseconds. */
const AWAITED_QUIET_MS = 50;
/** Between two looks at the connections of a drained server, milliseconds. */
const LOOK_MS = 250;
/** The time until streams, and connections that left HTTP, are ended in a drain, milliseconds. */
const STREAM_LIMIT_MS = 5_000;

export function toLinkedServer(
  server: Server,
  {
    hosts,
    ...ends
  }: Pick<LinkedServer, 'isOwn' | 'opened' | 'refused' | 'release'> & { readonly hosts: readonly string[] },
): LinkedServer {
  refuseForeignHosts(server, hosts);
  const requests = createOpenRequests(server as HttpServer);
  requests.follow('server');
  const sessions = trackSessions(server);
  return { ...ends, server, requests, sockets: new Set(), sessions, passesOn: false, idle: () => {} };
}

/** Gives it a connection. */
export function giveConnection(linked: LinkedServer, socket: Socket): void {
  linked.sockets.add(socket);
  socket.once('close', () => {
    linked.sockets.delete(socket);
    if (linked.sockets.size === 0) linked.idle();
  });
  if (linked.isOwn) return takeConnection(linked.server, socket);
  socket.setNoDelay(true);
  linked.server.emit('connection', socket);
  socket.resume();
}

/** Resolves when it has no connection. */
export function emptied(linked: LinkedServer): Promise<void> {
  return new Promise((resolve) => {
    const { idle } = linked;
    linked.idle = () => {
      idle();
      resolve();
    };
    if (linked.sockets.size === 0) resolve();
  });
}

/**
 * Ends a server without losing a request: what runs is finished, however long it takes, what still comes on an open
 * connection is passed on to the process that answers now, so that no answer of old code follows one of new code.
 */
export async function drainServer(linked: LinkedServer, next: OpenPort | undefined): Promise<void> {
  const { server, sessions, requests } = linked;
  const isHttp1 = server instanceof nodeHttp().Server || server instanceof nodeHttps().Server;
  for (const session of sessions) session.close();
  if (isHttp1 && next !== undefined) {
    const target = { server, host: toReachableHost(next), port: next.port };
    server.removeAllListeners('request').on('request', createForwarder(target));
    requests.follow('newer code');
    linked.passesOn = true;
  } else if (isHttp1) requests.endConnections();
  const startedAt = performance.now();
  const quietMs = next === undefined ? AWAITED_QUIET_MS : Math.min(MAX_QUIET_MS, toIdleMs(server, MAX_QUIET_MS));
  const look = (): void => {
    if (isHttp1) requests.closeQuiet(quietMs);
    if (performance.now() - startedAt > STREAM_LIMIT_MS) endStreams(linked);
  };
  // After what has come meanwhile is read: where the machine was busy, timers are late, and come before it.
  const closing = setInterval(() => setImmediate(look), Math.min(LOOK_MS, quietMs / 4));
  await emptied(linked);
  clearInterval(closing);
}

/** Closes every connection but those that only pass requests on. Gives the requests that had begun. */
export function cutOff({ requests, sockets, passesOn }: LinkedServer): readonly CutRequest[] {
  // Their ends are sent before the connections are closed.
  void requests.endEventStreams();
  const cut = requests.describe();
  for (const socket of sockets) {
    if (!passesOn || requests.isAnswering(socket) || !requests.holds(socket)) socket.destroy();
  }
  return cut;
}

/** Ends what may go on for ever. */
function endStreams({ server, sockets, requests }: LinkedServer): void {
  void requests.endEventStreams();
  const isHttp1 = server instanceof nodeHttp().Server || server instanceof nodeHttps().Server;
  for (const socket of sockets) {
    if (isHttp1 ? !requests.holds(socket) : requests.size() === 0) socket.destroy();
  }
}

function trackSessions(server: Server): Set<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  return sessions;
}

/** The address at which this machine reaches a host that may mean several. */
function toReachableHost({ host }: OpenPort): string {
  return host === 'localhost' || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

export interface ForwardTarget {
  /** The server that the requests come to; whether it speaks TLS, the target does too. */
  readonly server: Server;
  readonly host: string;
  readonly port: number;
}

/** Passes requests on to another server, closing the connection after each. 502 where it cannot be reached. */
export function createForwarder({
  server,
  host,
  port,
}: ForwardTarget): (request: IncomingMessage, response: ServerResponse) => void {
  const isTls = server instanceof nodeHttps().Server;
  const { ClientRequest } = nodeHttp();
  return (incoming, response) => {
    const { method, url: path, rawHeaders } = incoming;
    // The headers as they came, Host among them; the certificate of a development server is the user's own business.
    const options: RequestOptions = {
      host,
      port,
      method,
      path,
      headers: rawHeaders,
      setHost: false,
      protocol: isTls ? 'https:' : 'http:',
      agent: isTls ? new (nodeHttps().Agent)() : false,
      rejectUnauthorized: false,
    };
    // By the class: what traces requests replaces `request`, would count this one, and makes an object of the list of
    // headers.
    const outgoing = new ClientRequest(options, (answer) => {
      response.shouldKeepAlive = false;
      response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.rawHeaders));
      pipeline(answer, response, () => {});
    });
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { connection: 'close' }).end();
    });
    pipeline(incoming, outgoing, () => {});
  };
}

/** Raw headers without those that concern one connection only. */
function withoutConnection(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''];
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name)) kept.push(name, value);
  }
  return [...kept, 'Connection', 'close'];
}
