import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { setGlobal } from '../../server-runtime/patches/set-global.ts';
import type { DevLink } from '../../server-runtime/server/dev-link.ts';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import {
  interceptListen,
  type ListenHandle,
  type PortHold,
  type SharedPort,
  shareWith,
} from '../patches/intercept-listen.ts';
import type { RequestRecorder } from '../record/request-recorder.ts';
import type { ParentChannel } from '../system/parent-channel.ts';
import { findCertificate } from './answer-unavailable.ts';
import type { JobWatch } from './job-watch.ts';
import { LinkedServer } from './linked-server.ts';
import { isOwnOrigin, refuseForeignHosts } from './refuse-foreign-hosts.ts';
import {
  type AddressName,
  type CodeAddress,
  type CutAnswer,
  type OpenPort,
  type OpenPorts,
  type ServerMessage,
  type ServerMessageOf,
  type ServerOrderOf,
  toAddressName,
} from './server-message.ts';

export interface ChildLinkOptions {
  readonly channel: ParentChannel<ServerMessage>;
  readonly recorder: RequestRecorder | undefined;
  readonly jobs: JobWatch;
  readonly allowedHosts: readonly string[];
  readonly isRepeatable: () => boolean;
}

/** A server that needs an address; it has one once there is `at`. */
interface Linked extends SharedPort {
  readonly linked: LinkedServer;
  readonly isOwn: boolean;
  at?: OpenPort;
}

/** The time after which code that listens, and goes on loading, may have done what it is for, milliseconds. */
const WAITING_MS = 1_000;

/** Gives the supervisor's connections to the servers that need them, and finds out when code has started. */
export class ChildLink {
  readonly #options: ChildLinkOptions;
  readonly #servers = new Map<AddressName, Linked>();
  readonly #replaced = new AbortController();
  readonly #running: TransportStarted[] = [];
  /** Ports that are not the supervisor's. */
  readonly #ports: number[] = [];
  #startingCount = 0;
  #hasStarted = false;
  /** Some server listens at an address that is not the supervisor's; at one, too, that another version may need. */
  #listensAside = false;
  #listensItself = false;
  #isLoaded = false;
  /** The report of the start as it was sent last. */
  #sent: string | undefined;

  constructor(options: ChildLinkOptions) {
    this.#options = options;
  }

  install(): void {
    const { recorder, jobs, allowedHosts } = this.#options;
    const link: DevLink = {
      listen: async (server, address) => {
        shareWith(server, address, (port) =>
          this.#share(server, { ...address, isOwn: false }, port),
        );
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
      allowsOrigin: (origin, host) => isOwnOrigin(origin, host, allowedHosts),
      observe: (app) => recorder?.observe(app) ?? app,
      observer: recorder?.observer,
      watchJobs: jobs.watch,
    };
    setGlobal('capix.devLink', link);
    interceptListen({
      share: (server, address, port) => {
        this.#limitLoading();
        return this.#share(server, { ...address, isOwn: true }, port);
      },
      // A port that the system chose is in nobody's way.
      onListening: (server, isAny) => {
        this.#limitLoading();
        refuseForeignHosts(server, allowedHosts);
        recorder?.attach(server);
        const { port } = (server.address() as AddressInfo | null) ?? {};
        if (port !== undefined) this.#ports.push(port);
        this.#listensItself ||= !isAny;
        this.#listensAside = true;
        this.#look();
      },
    });
  }

  /** The code is loaded, or waits for something in the middle of that. */
  takeLoaded(): void {
    this.#isLoaded = true;
    this.#look();
  }

  find(address: AddressName): Linked | undefined {
    return this.#servers.get(address);
  }

  /** An address that the code has closed meanwhile is refused by that: what arrives there is the supervisor's again. */
  accept({ address, id }: ServerOrderOf<'accept'>, handle: ListenHandle): void {
    const server = this.#servers.get(address)?.linked;
    if (server === undefined) return handle.close();
    server.accept(handle);
    void this.#options.channel.send({ kind: 'accepts', id }, handle);
  }

  stopAccepting(): void {
    for (const { linked } of this.#servers.values()) linked.stopAccepting();
  }

  /** Another process answers from now on. Resolves when the last connection is closed. */
  async drain(next: OpenPorts): Promise<void> {
    const { recorder, jobs } = this.#options;
    this.#replaced.abort();
    for (const { linked } of this.#servers.values()) recorder?.detach(linked.server);
    await jobs.settle(
      Promise.all([...this.#servers].map(([address, { linked }]) => linked.drain(next[address]))),
    );
  }

  async endStreams(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ linked }) => linked.endEventStreams()));
  }

  cut(closesQuiet: boolean): CutAnswer {
    const all = [...this.#servers.values()].map(({ linked }) => linked);
    return {
      requests: all.flatMap((linked) => linked.cut(closesQuiet)),
      passesOn: all.some(({ isPassingOn }) => isPassingOn),
    };
  }

  #share(server: Server, address: CodeAddress, port: SharedPort): PortHold {
    const { channel, recorder, allowedHosts } = this.#options;
    const name = toAddressName(address);
    if (this.#servers.has(name) && address.port !== 0) return refuseSecond(address, port);
    const shared: Linked = {
      linked: new LinkedServer(server, [...allowedHosts, address.host ?? 'localhost']),
      isOwn: address.isOwn,
      opened: (at) => {
        shared.at = at;
        port.opened(at);
        this.#look();
      },
      refused: port.refused,
    };
    this.#servers.set(name, shared);
    recorder?.attach(server);
    void channel.send({
      kind: 'listen',
      address: { ...address, certificate: findCertificate(server) },
    });
    let release: (() => void) | undefined = channel.hold();
    const unref = (): void => {
      release?.();
      release = undefined;
    };
    const close = (): void => {
      unref();
      if (this.#servers.get(name) !== shared) return;
      this.#servers.delete(name);
      shared.linked.stopAccepting();
      void channel.send({ kind: 'close', address: name });
    };
    const ref = (): void => {
      release ??= channel.hold();
    };
    return { ref, unref, close };
  }

  #limitLoading(): void {
    setTimeout(() => this.takeLoaded(), WAITING_MS).unref();
  }

  /** Tells when the code has started, and what it has opened since: one server may follow another. */
  #look(): void {
    const servers = [...this.#servers.values()];
    const shared = servers.flatMap(({ isOwn, at }) => (isOwn && at !== undefined ? [at.port] : []));
    const listens = this.#listensAside || shared.length > 0;
    const isOpening = servers.some(({ at }) => at === undefined);
    const isReady = this.#hasStarted || (listens && this.#isLoaded && this.#startingCount === 0);
    if (this.#sent === undefined && (isOpening || !isReady)) return;
    const ready: ServerMessageOf<'ready'> = {
      kind: 'ready',
      running: this.#running,
      ports: [...shared, ...this.#ports],
      hasStarted: this.#hasStarted,
      listensItself: this.#listensItself,
      isRepeatable: this.#options.isRepeatable(),
    };
    const text = JSON.stringify(ready);
    if (text !== this.#sent) void this.#options.channel.send(ready);
    this.#sent = text;
  }
}

/** As the system would: a port is open once. */
function refuseSecond({ host = '::', port }: CodeAddress, { refused }: SharedPort): PortHold {
  const error = new Error(`listen EADDRINUSE: address already in use ${host}:${port}`);
  const facts = { code: 'EADDRINUSE', syscall: 'listen', address: host, port };
  process.nextTick(() => refused(Object.assign(error, facts)));
  return { ref: () => {}, unref: () => {}, close: () => {} };
}
