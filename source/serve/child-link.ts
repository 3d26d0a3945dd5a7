import type { Server, Socket } from 'node:net';
import type { DevLink } from '../../server-runtime/server/dev-link.ts';
import type { ListenInterceptor, SharedPort } from '../patches/intercept-listen.ts';
import type { RequestRecorder } from '../record/request-recorder.ts';
import type { ParentChannel } from '../system/parent-channel.ts';
import { findCertificate } from './answer-unavailable.ts';
import type { JobWatch } from './job-watch.ts';
import { LinkedServer } from './linked-server.ts';
import {
  type AddressName,
  type AskedAddress,
  type CutAnswer,
  type OpenPort,
  type OpenPorts,
  type ServerMessage,
  toAddressName,
} from './server-message.ts';

export interface ChildLinkOptions {
  readonly channel: ParentChannel<ServerMessage>;
  readonly recorder: RequestRecorder | undefined;
  readonly jobs: Pick<JobWatch, 'watch' | 'settle'>;
  /** The addresses that the supervisor has open already. */
  readonly ports: OpenPorts;
  /** The names of hosts that requests may be for, besides those of this machine. */
  readonly allowedHosts: readonly string[];
}

/** The child's end of the link: gives the supervisor's connections to the servers that asked for them. */
export type ChildLink = ReturnType<typeof createChildLink>;

export function createChildLink({ channel, recorder, jobs, ports, allowedHosts }: ChildLinkOptions) {
  const servers = new Map<AddressName, LinkedServer>();
  const replaced = new AbortController();

  const ask = (server: Server, address: AskedAddress, port: SharedPort): LinkedServer => {
    const name = toAddressName(address);
    const hosts = [...allowedHosts, address.host ?? 'localhost'];
    const { isOwn = false } = address;
    const linked = new LinkedServer(server, { ...port, isOwn, release: channel.hold(), hosts });
    servers.set(name, linked);
    recorder?.attach(server);
    void channel.send({ kind: 'listen', address: { ...address, certificate: findCertificate(server) } });
    if (ports[name] !== undefined) port.opened(ports[name]);
    return linked;
  };
  const forget = (address: AddressName): void => {
    servers.delete(address);
    void channel.send({ kind: 'close', address });
  };
  const link = {
    listen: (server, address) =>
      new Promise<OpenPort>((resolve, reject) => {
        const opened = (at: OpenPort): void => {
          // Node starts its clocks for slow requests when a server listens.
          server.emit('listening');
          resolve(at);
        };
        ask(server, address, { opened, refused: reject });
      }),
    close: async (server) => {
      for (const [address, linked] of servers) {
        if (linked.server !== server) continue;
        forget(address);
        await linked.emptied();
        linked.options.release();
      }
    },
    // The code that has begun a start hears of its fault itself.
    starting: (start) => {
      void channel.send({ kind: 'starting' });
      start.catch(() => void channel.send({ kind: 'not-started' }));
    },
    started: (running) => void channel.send({ kind: 'started', running }),
    mounted: (routes) => void channel.send({ kind: 'mounted', routes }),
    replaced: replaced.signal,
    observe: (app) => recorder?.observe(app) ?? app,
    watchJobs: jobs.watch,
  } satisfies DevLink;

  /** Gives a server that the code opens by itself a port of the supervisor. */
  const share: ListenInterceptor['share'] = (server, asked, port) => {
    const address: AskedAddress = { ...asked, isOwn: true };
    const name = toAddressName(address);
    if (servers.has(name)) {
      // As the system would: a port is open once. It is told when the hold is known.
      const { host = '::', port: number } = asked;
      const error = new Error(`listen EADDRINUSE: address already in use ${host}:${number}`);
      const facts = { code: 'EADDRINUSE', syscall: 'listen', address: host, port: number };
      process.nextTick(() => port.refused(Object.assign(error, facts)));
      return { ref: () => {}, unref: () => {}, close: () => {} };
    }
    const linked = ask(server, address, port);
    let release: (() => void) | undefined = linked.options.release;
    const unref = (): void => {
      release?.();
      release = undefined;
    };
    const close = (): void => {
      unref();
      if (servers.get(name) === linked) forget(name);
    };
    return { ref: () => void (release ??= channel.hold()), unref, close };
  };

  return {
    link,
    share,
    /** A server that asked for an address; undefined where it has been closed. */
    find: (address: AddressName): LinkedServer | undefined => servers.get(address),
    /** Gives a server a connection, which ends where there is none. */
    connect: (address: AddressName, socket: Socket): void => {
      const linked = servers.get(address);
      if (linked === undefined) socket.destroy();
      else linked.connect(socket);
    },
    /** Another process answers from now on. Resolves when the last connection is closed. */
    drain: async (next: OpenPorts): Promise<void> => {
      replaced.abort();
      for (const { server } of servers.values()) recorder?.detach(server);
      await jobs.settle(Promise.all([...servers].map(([address, linked]) => linked.drain(next[address]))));
    },
    /** Ends the streams of events. Resolves when their ends are sent. */
    endStreams: async (): Promise<void> => {
      await Promise.all([...servers.values()].map((linked) => linked.endEventStreams()));
    },
    /** Ends what this code has not finished. */
    cut: (): CutAnswer => {
      const all = [...servers.values()];
      const requests = all.flatMap((linked) => linked.cut());
      return { requests, passesOn: all.some(({ isPassingOn }) => isPassingOn) };
    },
  };
}
