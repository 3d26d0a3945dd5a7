import type { Server } from 'node:net';
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
export class ChildLink {
  readonly #options: ChildLinkOptions;
  readonly #servers = new Map<AddressName, LinkedServer>();
  readonly #replaced = new AbortController();

  constructor(options: ChildLinkOptions) {
    this.#options = options;
  }

  /** The link for the servers of capix. */
  toDevLink(): DevLink & Required<Pick<DevLink, 'listen' | 'close'>> {
    const { channel, recorder, jobs } = this.#options;
    return {
      listen: (server, address) =>
        new Promise<OpenPort>((resolve, reject) => {
          const opened = (at: OpenPort): void => {
            // Node starts its clocks for slow requests when a server listens.
            server.emit('listening');
            resolve(at);
          };
          this.#ask(server, address, { opened, refused: reject });
        }),
      close: (server) => this.#close(server),
      // The code that has begun a start hears of its fault itself.
      starting: (start) => {
        void channel.send({ kind: 'starting' });
        start.catch(() => void channel.send({ kind: 'not-started' }));
      },
      started: (running) => void channel.send({ kind: 'started', running }),
      mounted: (routes) => void channel.send({ kind: 'mounted', routes }),
      replaced: this.#replaced.signal,
      observe: (app) => recorder?.observe(app) ?? app,
      watchJobs: jobs.watch,
    };
  }

  /** Gives a server that the code opens by itself a port of the supervisor. */
  readonly share: ListenInterceptor['share'] = (server, asked, port) => {
    const name = toAddressName({ ...asked, isOwn: true });
    if (this.#servers.has(name)) {
      // As the system would: a port is open once. It is told when the hold is known.
      const { host = '::', port: number } = asked;
      const error = new Error(`listen EADDRINUSE: address already in use ${host}:${number}`);
      const facts = { code: 'EADDRINUSE', syscall: 'listen', address: host, port: number };
      process.nextTick(() => port.refused(Object.assign(error, facts)));
      return { ref: () => {}, unref: () => {}, close: () => {} };
    }
    const linked = this.#ask(server, { ...asked, isOwn: true }, port);
    let release: (() => void) | undefined = linked.options.release;
    const unref = (): void => {
      release?.();
      release = undefined;
    };
    const close = (): void => {
      unref();
      if (this.#servers.get(name) === linked) this.#forget(name);
    };
    return { ref: () => void (release ??= this.#options.channel.hold()), unref, close };
  };

  /** A server that asked for an address; undefined where it has been closed. */
  find(address: AddressName): LinkedServer | undefined {
    return this.#servers.get(address);
  }

  /** Another process answers from now on. Resolves when the last connection is closed. */
  async drain(next: OpenPorts): Promise<void> {
    const { recorder, jobs } = this.#options;
    this.#replaced.abort();
    for (const { server } of this.#servers.values()) recorder?.detach(server);
    await jobs.settle(Promise.all([...this.#servers].map(([address, linked]) => linked.drain(next[address]))));
  }

  /** Ends the streams of events. Resolves when their ends are sent. */
  async endStreams(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((linked) => linked.endEventStreams()));
  }

  /** Ends what this code has not finished. */
  cut(): CutAnswer {
    const all = [...this.#servers.values()];
    const requests = all.flatMap((linked) => linked.cut());
    return { requests, passesOn: all.some(({ isPassingOn }) => isPassingOn) };
  }

  #ask(server: Server, address: AskedAddress, port: SharedPort): LinkedServer {
    const { channel, recorder, ports, allowedHosts } = this.#options;
    const name = toAddressName(address);
    const hosts = [...allowedHosts, address.host ?? 'localhost'];
    const linked = new LinkedServer(server, {
      ...port,
      isOwn: address.isOwn ?? false,
      release: channel.hold(),
      hosts,
    });
    this.#servers.set(name, linked);
    recorder?.attach(server);
    void channel.send({ kind: 'listen', address: { ...address, certificate: findCertificate(server) } });
    if (ports[name] !== undefined) port.opened(ports[name]);
    return linked;
  }

  #forget(address: AddressName): void {
    this.#servers.delete(address);
    void this.#options.channel.send({ kind: 'close', address });
  }

  async #close(server: Server): Promise<void> {
    for (const [address, linked] of this.#servers) {
      if (linked.server !== server) continue;
      this.#forget(address);
      await linked.emptied();
      linked.options.release();
    }
  }
}
