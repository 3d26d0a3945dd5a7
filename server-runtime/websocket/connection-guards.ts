import type { AnyGuard } from '../capability/guard.ts';
import { type Failure, toError, toTimeout } from '../errors/failure.ts';
import type { UpgradeCall } from '../http/sockets/upgrade-call.ts';
import { untilAborted } from '../resources/item-source.ts';
import type { Application } from '../server/application.ts';
import type { Connection } from './connection.ts';
import type { WebSocketSettings } from './options.ts';
import type { SocketCall } from './socket-call.ts';

/** Asks guards about connections: those of the transport, and those of the streams that are open. Never rejects. */
export class ConnectionGuards {
  readonly #app: Application;
  readonly #settings: WebSocketSettings;
  readonly #toRequest: (connection: Connection) => UpgradeCall;
  /** When the streams of a connection are looked at next. */
  readonly #looks = new WeakMap<Connection, NodeJS.Timeout>();

  /** `toRequest` makes the request for the guards: that of the upgrade, with the current headers. */
  constructor(
    app: Application,
    settings: WebSocketSettings,
    toRequest: (connection: Connection) => UpgradeCall,
  ) {
    this.#app = app;
    this.#settings = settings;
    this.#toRequest = toRequest;
  }

  /** Why the guards of the transport refuse a connection with the headers that it has now. */
  async findRefusal(connection: Connection): Promise<Failure | undefined> {
    const request = this.#toRequest(connection);
    const refusal = await this.findRefusalOf(request, this.#settings.guards);
    if (refusal !== undefined) reportFault(request, refusal);
    return refusal;
  }

  /** Why some guards refuse a caller, or cannot answer; undefined where they let it pass. */
  async findRefusalOf(
    request: UpgradeCall,
    guards: readonly AnyGuard[],
  ): Promise<Failure | undefined> {
    const admit = async (): Promise<undefined> => {
      try {
        await this.#app.admit(guards, request);
      } finally {
        await request.release();
      }
    };
    try {
      return await this.#inTime(request, admit());
    } catch (thrown) {
      return this.#app.toFailure(thrown);
    }
  }

  /** Waits for guards as long as a call may take. Rejects with 504 behind that. */
  async #inTime<T>(request: UpgradeCall, answer: Promise<T>): Promise<T> {
    const { timeoutMs } = this.#app;
    const late = toError(toTimeout(timeoutMs));
    const timer = setTimeout(() => request.leave(late), timeoutMs);
    try {
      return await untilAborted(answer, request.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The guards by whom a connection and its streams are let in. */
  findAll({ streams }: Connection): readonly AnyGuard[] {
    return [...new Set([...this.#settings.guards, ...streams.flatMap(findGuards)])];
  }

  /**
   * Runs the guards of a connection and of its streams again. A stream that is refused now ends with that error. Where
   * a guard cannot answer, or none of the connection lets it pass, the connection is closed.
   */
  async recheck(connection: Connection): Promise<void> {
    if (this.findAll(connection).length === 0) return;
    const { streams } = connection;
    const request = this.#toRequest(connection);
    const reasons = await this.#findRefusals(request, streams);
    const refusal = reasons[0] ?? reasons.find((reason) => reason !== undefined && isFault(reason));
    if (refusal !== undefined) {
      reportFault(request, refusal);
      return connection.closeFor(refusal);
    }
    for (const [at, stream] of streams.entries()) {
      const reason = reasons[at + 1];
      if (reason !== undefined) stream.endWith(reason);
    }
  }

  /** Why the connection is refused, and then each of its streams. */
  async #findRefusals(request: UpgradeCall, streams: readonly SocketCall[]): Promise<Refusals> {
    const find = async (): Promise<Refusals> => {
      const lists = [this.#settings.guards, ...streams.map(findGuards)];
      const [own, ...alike] = await this.#app.findRefusals(lists, request);
      const others = streams.map(
        async (stream, at) => alike[at] ?? this.#askAbout(stream, request),
      );
      return [own, ...(await Promise.all(others))];
    };
    try {
      return await this.#inTime(request, find());
    } catch (thrown) {
      return [this.#app.toFailure(thrown)];
    } finally {
      void request.release();
    }
  }

  /** Asks the guards of a stream that read parameters of its message, each stream by itself. */
  async #askAbout(stream: SocketCall, request: UpgradeCall): Promise<Failure | undefined> {
    const guards = findGuards(stream);
    if (guards.every(({ params }) => params.length === 0)) return undefined;
    const [refusal] = await this.#app.findRefusals([guards], request, stream);
    return refusal;
  }

  /** Asks them from time to time, for as long as a connection has streams. */
  watch(connection: Connection): void {
    const { recheckMs } = this.#settings;
    if (recheckMs === 0 || this.#looks.has(connection) || connection.streams.length === 0) return;
    const look = async (): Promise<void> => {
      this.#looks.delete(connection);
      if (connection.streams.length > 0) await this.recheck(connection);
      this.watch(connection);
    };
    this.#looks.set(connection, setTimeout(() => void look(), recheckMs).unref());
  }

  /** Called once a connection is closed, which the timer would hold in memory. */
  forget(connection: Connection): void {
    clearTimeout(this.#looks.get(connection));
  }
}

type Refusals = readonly (Failure | undefined)[];

/** Whether a guard could not answer: nobody knows then whether its caller may go on. */
function isFault({ status }: Failure): boolean {
  return status >= 500;
}

/** Hooks and log learn of a guard that could not answer; a refusal is an answer. */
function reportFault(request: UpgradeCall, reason: Failure): void {
  if (isFault(reason)) request.report(reason);
}

function findGuards({ operation }: SocketCall): readonly AnyGuard[] {
  return operation?.definition.guards ?? [];
}
