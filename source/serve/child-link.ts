import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { DevLink } from '../../server-runtime/server/dev-link.ts';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import { type ListenInterceptor, type PortHold, type SharedPort, shareWith } from '../patches/intercept-listen.ts';
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
  readonly allowedHosts: readonly string[];
}

/** A server that asked for an address. */
interface Linked extends SharedPort {
  readonly linked: LinkedServer;
  readonly isOwn: boolean;
  at?: OpenPort;
}

/** The time for which news of code that counts as started waits, so that several are told together, milliseconds. */
const LATE_MS = 50;

/**
 * The child's end of the link: gives the supervisor's connections to the servers that asked for them, and finds out
 * when code counts as started: when a server of capix has, or when it listens by itself and is loaded, and no start of
 * capix is under way.
 */
export class ChildLink {
  readonly #options: ChildLinkOptions;
  readonly #servers = new Map<AddressName, Linked>();
  readonly #replaced = new AbortController();
  readonly #running: TransportStarted[] = [];
  /** Ports that are not the supervisor's. */
  readonly #ports: number[] = [];
  /** Addresses that are being opened: the code does not wait for them. */
  #openingCount = 0;
  /** Starts of servers of capix that are under way. */
  #startingCount = 0;
  #hasStarted = false;
  #listens = false;
  #listensItself = false;
  #isLoaded = false;
  /** The news of the start as it was sent last. */
  #sent: string | undefined;
  #late: NodeJS.Timeout | undefined;

  constructor(options: ChildLinkOptions) {
    this.#options = options;
  }

  /** The link for the servers of capix. */
  toDevLink(): DevLink {
    const { recorder, jobs } = this.#options;
    return {
      listen: async (server, address) => {
        shareWith(server, address, (port) => this.#share(server, { ...address, isOwn: false }, port));
        await once(server, 'listening');
        const { address: host, port } = server.address() as AddressInfo;
        return { host, port };
      },
      starting: (start) => {
        this.#startingCount += 1;
        const end = (): void => {
          this.#startingCount -= 1;
          this.#look();
        };
        start.then(end, end);
      },
      started: (running) => {
        this.#hasStarted = true;
        this.#running.push(...running);
        this.#look();
      },
      mounted: (routes) => {
        this.#running.push({ routes });
        this.#look();
      },
      replaced: this.#replaced.signal,
      observe: (app) => recorder?.observe(app) ?? app,
      watchJobs: jobs.watch,
    };
  }

  /** Gives a server that the code opens by itself a port of the supervisor. */
  readonly share: ListenInterceptor['share'] = (server, address, port) =>
    this.#share(server, { ...address, isOwn: true }, port);

  /** A server listens by itself. A port that the system chose is in nobody's way. */
  takeListening(port: number | undefined, isAny: boolean): void {
    if (!isAny) this.#listensItself = true;
    if (port !== undefined) this.#ports.push(port);
    this.#listens = true;
    this.#look();
  }

  /** The code is loaded, or waits for something in the middle of that. */
  takeLoaded(): void {
    this.#isLoaded = true;
    this.#look();
  }

  /** The server that asked for an address; undefined where it has been closed. */
  find(address: AddressName): Linked | undefined {
    return this.#servers.get(address);
  }

  /** Another process answers from now on. Resolves when the last connection is closed. */
  async drain(next: OpenPorts): Promise<void> {
    const { recorder, jobs } = this.#options;
    this.#replaced.abort();
    for (const { linked } of this.#servers.values()) recorder?.detach(linked.server);
    await jobs.settle(Promise.all([...this.#servers].map(([address, { linked }]) => linked.drain(next[address]))));
  }

  /** Ends the streams of events. Resolves when their ends are sent. */
  async endStreams(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ linked }) => linked.endEventStreams()));
  }

  /** Ends what this code has not finished. */
  cut(): CutAnswer {
    const all = [...this.#servers.values()];
    const requests = all.flatMap(({ linked }) => linked.cut());
    return { requests, passesOn: all.some(({ linked }) => linked.isPassingOn) };
  }

  #share(server: Server, address: AskedAddress, port: SharedPort): PortHold {
    const { channel, recorder, ports, allowedHosts } = this.#options;
    const { isOwn } = address;
    const name = toAddressName(address);
    if (this.#servers.has(name) && address.port !== 0) return refuseSecond(address, port);
    const shared: Linked = {
      linked: new LinkedServer(server, [...allowedHosts, address.host ?? 'localhost']),
      isOwn,
      opened: (at) => {
        if (shared.at !== undefined) return;
        shared.at = at;
        this.#openingCount -= 1;
        this.#listens ||= isOwn;
        port.opened(at);
        this.#look();
      },
      refused: (error) => {
        this.#openingCount -= 1;
        port.refused(error);
      },
    };
    this.#servers.set(name, shared);
    this.#openingCount += 1;
    recorder?.attach(server);
    void channel.send({ kind: 'listen', address: { ...address, certificate: findCertificate(server) } });
    if (ports[name] !== undefined) shared.opened(ports[name]);
    let release: (() => void) | undefined = channel.hold();
    const unref = (): void => {
      release?.();
      release = undefined;
    };
    const close = (): void => {
      unref();
      if (this.#servers.get(name) !== shared) return;
      this.#servers.delete(name);
      void channel.send({ kind: 'close', address: name });
    };
    return { ref: () => void (release ??= channel.hold()), unref, close };
  }

  /** Tells when the code has started, and soon after it has opened something more: one server may follow another. */
  #look(): void {
    const isListening = this.#listens && this.#isLoaded && this.#startingCount === 0;
    if (this.#sent === undefined) {
      if (this.#openingCount === 0 && (this.#hasStarted || isListening)) this.#tellReady();
    } else if (this.#late === undefined) this.#late = setTimeout(() => this.#tellReady(), LATE_MS).unref();
  }

  #tellReady(): void {
    this.#late = undefined;
    const shared = [...this.#servers.values()].flatMap(({ isOwn, at }) => (isOwn && at ? [at.port] : []));
    const ready: ServerMessage = {
      kind: 'ready',
      running: this.#running,
      ports: [...shared, ...this.#ports],
      hasStarted: this.#hasStarted,
      listensItself: this.#listensItself,
    };
    const text = JSON.stringify(ready);
    if (text !== this.#sent) void this.#options.channel.send(ready);
    this.#sent = text;
  }
}

/** As the system would: a port is open once. */
function refuseSecond({ host = '::', port }: AskedAddress, { refused }: SharedPort): PortHold {
  const error = new Error(`listen EADDRINUSE: address already in use ${host}:${port}`);
  const facts = { code: 'EADDRINUSE', syscall: 'listen', address: host, port };
  process.nextTick(() => refused(Object.assign(error, facts)));
  return { ref: () => {}, unref: () => {}, close: () => {} };
}
