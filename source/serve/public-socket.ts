import type { Server, Socket } from 'node:net';
import { acceptFrom, handleOf, type ListenHandle } from '../patches/intercept-listen.ts';
import type { Direction } from './phase.ts';
import type { PlaceName } from './server-message.ts';

/** A process that may accept the connections of a socket. */
export interface Acceptor {
  /** Has it accept, and give the socket back once it does. `id`: of the socket. */
  accept(place: PlaceName, id: number, handle: ListenHandle): void;
}

let lastId = 0;

/**
 * A listening socket of the supervisor. The process that answers accepts its connections, many in one turn. While no
 * process may answer, they wait in the system; and where none will, this process accepts them.
 */
export class PublicSocket {
  readonly id = ++lastId;
  readonly #onConnection: (socket: Socket) => void;
  #state:
    | { readonly kind: 'accepting'; readonly server: Server }
    /** Open here, too, as the process that accepts may end. */
    | { readonly kind: 'holding'; readonly handle: ListenHandle }
    | { readonly kind: 'closed' };
  /** The process that accepts, or that has to. */
  #acceptor: Acceptor | undefined;

  constructor(server: Server, onConnection: (socket: Socket) => void) {
    this.#state = { kind: 'accepting', server };
    this.#onConnection = onConnection;
  }

  direct(place: PlaceName, direction: Direction<Acceptor>): void {
    const acceptor = direction.kind === 'to' ? direction.runner : undefined;
    const isOther = acceptor !== this.#acceptor;
    this.#acceptor = acceptor;
    const handle = this.#handle;
    if (isOther && handle !== undefined) acceptor?.accept(place, this.id, handle);
    if (direction.kind === 'refuse') this.#acceptHere();
  }

  /** A process accepts now. `handle`: the socket, which stays open with it while nobody accepts here. */
  hold(by: Acceptor, handle: ListenHandle): void {
    if (this.#acceptor !== by || this.#state.kind === 'closed') return handle.close();
    this.#closeHandle();
    this.#state = { kind: 'holding', handle };
  }

  close(): void {
    this.#closeHandle();
    this.#state = { kind: 'closed' };
  }

  get #handle(): ListenHandle | undefined {
    if (this.#state.kind === 'accepting') return handleOf(this.#state.server);
    return this.#state.kind === 'holding' ? this.#state.handle : undefined;
  }

  #acceptHere(): void {
    if (this.#state.kind !== 'holding') return;
    const server = acceptFrom(this.#state.handle, { pauseOnConnect: true }, this.#onConnection);
    this.#state = { kind: 'accepting', server };
  }

  #closeHandle(): void {
    if (this.#state.kind === 'accepting') this.#state.server.close();
    if (this.#state.kind === 'holding') this.#state.handle.close();
  }
}
