import type { OfferedList } from '../../../server-runtime/mcp/offers/to-offers.ts';
import type { RelayServer } from './relay.ts';

/** The side of a session that clients see, over one process after another that has the project's code. */
export interface SessionFront {
  /** Whether everything that was asked has its answer, and nothing more comes. */
  readonly isOver: boolean;
  /** Leads on with this process. `url`: the address of its server; empty where it speaks by messages. */
  readonly use: (server: RelayServer, url: string) => void;
  /** A message of a process. */
  readonly take: (server: RelayServer, text: string) => void;
  /** A process is gone. */
  readonly drop: (server: RelayServer, reason: string) => void;
  /** No process can be started: what waits for one is answered with that. */
  readonly refuse: (reason: string) => void;
  readonly tellChange: (lists: readonly OfferedList[]) => void;
  /** Tells the client something in its log. */
  readonly log: (text: string) => void;
}
