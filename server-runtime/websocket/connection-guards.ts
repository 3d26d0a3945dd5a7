import type { AnyGuard } from '../capability/guard.ts';
import type { Failure } from '../errors/failure.ts';
import type { Application } from '../server/application.ts';
import type { Connection } from './connection.ts';
import type { WebSocketSettings } from './options.ts';
import type { SocketCall } from './socket-call.ts';
import type { UpgradeCall } from './upgrade-call.ts';

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

  /** Why the guards of the transport refuse a connection. */
  findRefusal(connection: Connection): Promise<Failure | undefined> {
    return this.findRefusalOf(this.#toRequest(connection), this.#settings.guards);
  }

  /** Why some guards refuse a caller; undefined where they let it pass. */
  async findRefusalOf(
    request: UpgradeCall,
    guards: readonly AnyGuard[],
  ): Promise<Failure | undefined> {
    try {
      await this.#app.admit(guards, request);
      return undefined;
    } catch (thrown) {
      return this.#app.toFailure(thrown);
    } finally {
      await request.release();
    }
  }

  /** The guards by whom a connection and its streams are let in. */
  findAll({ streams }: Connection): readonly AnyGuard[] {
    return [...new Set([...this.#settings.guards, ...streams.flatMap(findGuards)])];
  }

  /** Runs the guards of a connection and of its streams again, and ends those that they now refuse with 401 or 403. */
  async recheck(connection: Connection): Promise<void> {
    if (this.findAll(connection).length === 0) return;
    const { streams } = connection;
    const request = this.#toRequest(connection);
    const lists = [this.#settings.guards, ...streams.map(findGuards)];
    const [refusal, ...alike] = await this.#app.findRefusals(lists, request);
    const refusals = await Promise.all(
      streams.map(async (stream, at) => alike[at] ?? this.#askAbout(stream, request)),
    );
    await request.release();
    if (refusal !== undefined) return connection.closeFor(refusal);
    for (const [at, stream] of streams.entries()) {
      const reason = refusals[at];
      if (reason !== undefined) stream.endWith(reason);
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

function findGuards({ operation }: SocketCall): readonly AnyGuard[] {
  return operation?.definition.guards ?? [];
}
