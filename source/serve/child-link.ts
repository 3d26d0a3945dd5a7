import { Server as HttpServer } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import { Server as HttpsServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import type { DevLink } from '../../server-runtime/server/dev-link.ts';
import type { RequestRecorder } from '../record/request-recorder.ts';
import type { ParentChannel } from '../system/child/parent-channel.ts';
import { createForwarder } from './forwarder.ts';
import { createOpenRequests, type OpenRequests } from './open-requests.ts';
import {
  type AddressName,
  type CutRequest,
  type OpenPort,
  type OpenPorts,
  type ServerMessage,
  toAddressName,
} from './server-message.ts';

/** The child's end of the link: gives the supervisor's connections to the servers that asked for them. */
export interface ChildLink {
  readonly link: DevLink;
  /** The supervisor has the port open. */
  readonly opened: (address: AddressName, at: OpenPort) => void;
  readonly connect: (address: AddressName, socket: Socket) => void;
  /** Another process answers from now on. Resolves when the last connection is closed. */
  readonly drain: (ports: OpenPorts) => Promise<void>;
  /** Closes every connection. Gives the requests that had begun. */
  readonly cut: () => readonly CutRequest[];
}

interface LinkedServer {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  /** The sessions of HTTP/2, one for each connection. */
  readonly sessions: Set<ServerHttp2Session>;
  readonly requests: OpenRequests;
  readonly opened: (at: OpenPort) => void;
  readonly release: () => void;
  idle: () => void;
}

/**
 * Until a quiet connection is closed in a drain, milliseconds: a request that is on its way must arrive before, also from a client that a
 * busy machine keeps waiting.
 */
const QUIET_MS = 1_000;
/** The same where the successor waits for the end of this process, milliseconds. */
const AWAITED_QUIET_MS = 50;
/** Until streams of events, and connections that have left HTTP, are ended in a drain, milliseconds: they have no end of their own. */
const STREAM_LIMIT_MS = 5_000;

export interface ChildLinkOptions {
  readonly channel: ParentChannel<ServerMessage>;
  readonly recorder: RequestRecorder | undefined;
  /** The addresses that the supervisor has open already. */
  readonly ports: OpenPorts;
}

export function createChildLink({ channel, recorder, ports: openPorts }: ChildLinkOptions): ChildLink {
  const servers = new Map<AddressName, LinkedServer>();
  const replaced = new AbortController();

  const listen: DevLink['listen'] = (server, address) =>
    new Promise((resolve) => {
      const opened = (at: OpenPort): void => {
        // Node starts its clocks for slow requests when a server listens.
        server.emit('listening');
        resolve(at);
      };
      const name = toAddressName(address);
      recorder?.attach(server);
      servers.set(name, toLinkedServer(server, { opened, release: channel.hold() }));
      void channel.send({ kind: 'listen', address });
      const at = openPorts[name];
      if (at !== undefined) opened(at);
    });
  const close = async (server: Server): Promise<void> => {
    for (const [address, linked] of servers) {
      if (linked.server !== server) continue;
      servers.delete(address);
      void channel.send({ kind: 'close', address });
      await emptied(linked);
      linked.release();
    }
  };

  return {
    link: {
      listen,
      close,
      started: (running) => void channel.send({ kind: 'started', running }),
      replaced: replaced.signal,
      observe: (app) => recorder?.observe(app) ?? app,
    },
    opened: (address, at) => servers.get(address)?.opened(at),
    connect: (address, socket) => {
      const linked = servers.get(address);
      if (linked === undefined) return void socket.destroy();
      connect(linked, socket);
    },
    drain: async (ports) => {
      replaced.abort();
      for (const { server } of servers.values()) recorder?.detach(server);
      await Promise.all([...servers].map(([address, linked]) => drainServer(linked, ports[address])));
    },
    cut: () => {
      const requests = [...servers.values()].flatMap((linked) => linked.requests.describe());
      for (const { sockets } of servers.values()) for (const socket of sockets) socket.destroy();
      return requests;
    },
  };
}

function toLinkedServer(server: Server, ends: Pick<LinkedServer, 'opened' | 'release'>): LinkedServer {
  const requests = createOpenRequests(server as HttpServer);
  requests.follow();
  return { ...ends, server, requests, sockets: new Set(), sessions: trackSessions(server), idle: () => {} };
}

function connect(linked: LinkedServer, socket: Socket): void {
  linked.sockets.add(socket);
  socket.once('close', () => {
    linked.sockets.delete(socket);
    if (linked.sockets.size === 0) linked.idle();
  });
  socket.setNoDelay(true);
  linked.server.emit('connection', socket);
  socket.resume();
}

function emptied(linked: LinkedServer): Promise<void> {
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
 * Ends a server without losing a request: what runs is finished, however long it takes, what still comes on an open connection is passed on
 * to the process that answers now, so that no answer of old code follows one of new code.
 */
async function drainServer(linked: LinkedServer, next: OpenPort | undefined): Promise<void> {
  const { server, sessions, requests } = linked;
  const isHttp1 = server instanceof HttpServer || server instanceof HttpsServer;
  for (const session of sessions) session.close();
  if (isHttp1 && next !== undefined) {
    const target = { server, host: toReachableHost(next), port: next.port };
    server.removeAllListeners('request').on('request', createForwarder(target));
    requests.follow();
  }
  const startedAt = performance.now();
  const closing = setInterval(
    () => {
      if (isHttp1) server.closeIdleConnections();
      if (performance.now() - startedAt > STREAM_LIMIT_MS) endStreams(linked);
    },
    next === undefined ? AWAITED_QUIET_MS : QUIET_MS,
  );
  await emptied(linked);
  clearInterval(closing);
}

/** Ends what may go on for ever. */
function endStreams({ server, sockets, requests }: LinkedServer): void {
  requests.endEventStreams();
  const isHttp1 = server instanceof HttpServer || server instanceof HttpsServer;
  for (const socket of sockets) {
    if (isHttp1 ? !requests.has(socket) : requests.size() === 0) socket.destroy();
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
