import type { Server, Socket } from 'node:net';
import type { DevLink } from '../../server-runtime/server/dev-link.ts';
import type { ListenInterceptor, SharedPort } from '../patches/intercept-listen.ts';
import type { RequestRecorder } from '../record/request-recorder.ts';
import type { ParentChannel } from '../system/parent-channel.ts';
import { findCertificate } from './hand-over.ts';
import type { JobWatch } from './job-watch.ts';
import { cutOff, drainServer, emptied, giveConnection, type LinkedServer, toLinkedServer } from './linked-server.ts';
import { type PortError, toSystemError, toTakenError } from './public-ports.ts';
import {
  type AddressName,
  type AskedAddress,
  type OpenPort,
  type OpenPorts,
  type ServerMessage,
  toAddressName,
} from './server-message.ts';

/** The child's end of the link: gives the supervisor's connections to the servers that asked for them. */
export interface ChildLink {
  readonly link: DevLink & Required<Pick<DevLink, 'listen' | 'close'>>;
  /** Gives connections to servers that the code opens by itself. */
  readonly share: ListenInterceptor['share'];
  /** The supervisor has the port open. */
  readonly opened: (address: AddressName, at: OpenPort) => void;
  /** It cannot open it. */
  readonly refused: (address: AddressName, error: PortError) => void;
  readonly connect: (address: AddressName, socket: Socket) => void;
  /** Another process answers from now on. Resolves when the last connection is closed. */
  readonly drain: (ports: OpenPorts) => Promise<void>;
  /** Ends the streams of events. Resolves when their ends are sent. */
  readonly endStreams: () => Promise<void>;
  /** Ends what this code has not finished. */
  readonly cut: () => Omit<Extract<ServerMessage, { readonly kind: 'were-cut' }>, 'kind'>;
}

export interface ChildLinkOptions {
  readonly channel: ParentChannel<ServerMessage>;
  readonly recorder: RequestRecorder | undefined;
  readonly jobs: Pick<JobWatch, 'watch' | 'settle'>;
  /** The addresses that the supervisor has open already. */
  readonly ports: OpenPorts;
  /** The names of hosts that requests may be for, besides those of this machine. */
  readonly allowedHosts: readonly string[];
}

export function createChildLink(options: ChildLinkOptions): ChildLink {
  const { channel, recorder, jobs } = options;
  const servers = new Map<AddressName, LinkedServer>();
  const replaced = new AbortController();

  const ask = (server: Server, address: AskedAddress, port: SharedPort): LinkedServer => {
    const name = toAddressName(address);
    const hosts = [...options.allowedHosts, address.host ?? 'localhost'];
    const linked = toLinkedServer(server, { ...port, isOwn: address.isOwn ?? false, release: channel.hold(), hosts });
    servers.set(name, linked);
    recorder?.attach(server);
    void channel.send({ kind: 'listen', address: { ...address, certificate: findCertificate(server) } });
    if (options.ports[name] !== undefined) port.opened(options.ports[name]);
    return linked;
  };
  const listen: ChildLink['link']['listen'] = (server, address) =>
    new Promise((resolve, reject) => {
      const opened = (at: OpenPort): void => {
        // Node starts its clocks for slow requests when a server listens.
        server.emit('listening');
        resolve(at);
      };
      ask(server, address, { opened, refused: reject });
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
      starting: (start) => tellStart(start, channel),
      started: (running) => void channel.send({ kind: 'started', running }),
      mounted: (routes) => void channel.send({ kind: 'mounted', routes }),
      replaced: replaced.signal,
      observe: (app) => recorder?.observe(app) ?? app,
      watchJobs: jobs.watch,
    },
    share: createPortSharing({ servers, ask, channel }),
    opened: (address, at) => servers.get(address)?.opened(at),
    refused: (address, error) => servers.get(address)?.refused(toSystemError(error)),
    connect: (address, socket) => {
      const linked = servers.get(address);
      if (linked === undefined) return void socket.destroy();
      giveConnection(linked, socket);
    },
    drain: async (ports) => {
      replaced.abort();
      for (const { server } of servers.values()) recorder?.detach(server);
      const drained = [...servers].map(([address, linked]) => drainServer(linked, ports[address]));
      await jobs.settle(Promise.all(drained));
    },
    endStreams: () => endStreams(servers.values()),
    cut: () => cutAll([...servers.values()]),
  };
}

/** The code that has begun a start hears of its fault itself. */
function tellStart(start: Promise<unknown>, channel: ChildLinkOptions['channel']): void {
  void channel.send({ kind: 'starting' });
  start.catch(() => void channel.send({ kind: 'not-started' }));
}

function cutAll(servers: readonly LinkedServer[]): ReturnType<ChildLink['cut']> {
  const requests = servers.flatMap(cutOff);
  return { requests, passesOn: servers.some(({ sockets }) => [...sockets].some(({ destroyed }) => !destroyed)) };
}

async function endStreams(servers: Iterable<LinkedServer>): Promise<void> {
  await Promise.all([...servers].map(({ requests }) => requests.endEventStreams()));
}

interface PortSharingOptions {
  readonly servers: Map<AddressName, LinkedServer>;
  /** Asks the supervisor for the connections of an address. */
  readonly ask: (server: Server, address: AskedAddress, port: SharedPort) => LinkedServer;
  readonly channel: ParentChannel<ServerMessage>;
}

/** Gives servers that the code opens by itself ports of the supervisor. */
function createPortSharing({ servers, ask, channel }: PortSharingOptions): ListenInterceptor['share'] {
  return (server, asked, port) => {
    const address: AskedAddress = { ...asked, isOwn: true };
    const name = toAddressName(address);
    if (servers.has(name)) {
      // As the system would: a port is open once. It is told when the hold is known.
      process.nextTick(() => port.refused(toSystemError(toTakenError(asked))));
      return { ref: () => {}, unref: () => {}, close: () => {} };
    }
    const linked = ask(server, address, port);
    let release: (() => void) | undefined = linked.release;
    const unref = (): void => {
      release?.();
      release = undefined;
    };
    const close = (): void => {
      unref();
      if (servers.get(name) !== linked) return;
      servers.delete(name);
      void channel.send({ kind: 'close', address: name });
    };
    return { ref: () => void (release ??= channel.hold()), unref, close };
  };
}
