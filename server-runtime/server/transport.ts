import type { GroupTree } from '../capability/group-tree.ts';
import type { Execute } from '../execution/execute.ts';
import type { RequestScope } from '../execution/request-scope.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { CompiledHooks } from './hooks.ts';
import type { Logger } from './logger.ts';

/** The application as a transport sees it. */
export interface Application {
  readonly registry: CompiledRegistry;
  readonly execute: Execute;
  /** Starts the clock of one request. `timeoutMs` undefined takes the application's default. */
  readonly openScope: (timeoutMs: number | undefined, onTimeout: () => void) => RequestScope;
  readonly hooks: CompiledHooks;
  readonly logger: Logger;
  /** A new request id, unique in this process and unlikely in another. */
  readonly newRequestId: () => string;
}

/** What a transport tells once it listens. */
export interface TransportStarted {
  /** Where it can be reached, for people: `http://localhost:3000`. */
  readonly url?: string;
  /** Where other machines reach it, perhaps nowhere. Missing for one that does not listen at every address of this machine. */
  readonly networkUrls?: readonly string[];
  /** Its routes, a line each, for people. */
  readonly routes: readonly string[];
}

/** A way in: REST, MCP. */
export interface Transport {
  readonly name: string;
  /** Its own capabilities, in place of the application's. */
  readonly capabilities?: GroupTree;
  /** Rejects, without side effect, when it cannot expose these capabilities or cannot listen. */
  start(app: Application): Promise<TransportStarted>;
  /** Called once every transport of the server has started; one that listens before refuses what comes until then. */
  open?(): void;
  /** Refuses new requests, waits at most `graceMs` milliseconds for those under way, then closes. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}
