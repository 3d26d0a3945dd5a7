import type {
  BuilderRequest,
  CallerConnection,
  CallRequest,
  ContextRequest,
} from '../capability/context.ts';
import type { AnyEnhancer } from '../capability/enhancer.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import type { AnyGuard } from '../capability/guard.ts';
import type { ParamSource } from '../capability/guard-call.ts';
import type { EnhancerState } from '../enhancers/enhancer-state.ts';
import type { Failure } from '../errors/failure.ts';
import type { RunningCall } from '../execution/execute.ts';
import type { Lifecycle } from '../execution/lifecycle.ts';
import type { CompiledRegistry, Operation } from '../registry/compile-registry.ts';
import type { CompiledHooks } from './hooks.ts';
import type { SafeLogger } from './logger.ts';
import type { App } from './transport.ts';

/**
 * Everything that the transports of this package know about an application. Other transports get an `App`, which is
 * less. `createServer` makes one for the server, and one more for each transport that has its own capabilities.
 */
export interface Application {
  /** The capabilities that the transport serves: those of the application, or its own. */
  readonly registry: CompiledRegistry;
  /**
   * Compiles capabilities of a transport's own; `around` is outside of them. @default the
   * middleware of the application
   */
  compile(own: GroupTree | CompiledRegistry, around?: readonly AnyEnhancer[]): CompiledRegistry;
  /** Runs an open call to its end. Only `runCall` calls it. Never throws. */
  execute(operation: Operation, call: RunningCall): void;
  /** Gives a call its id: that of `x-request-id` where it is sane, else a new one. */
  toRequestId(header: string | string[] | undefined): string;
  /** Turns a thrown value into a failure, by `mapError`; an unexpected one is 500. Never throws. */
  toFailure(thrown: unknown): Failure;
  /**
   * Finds for each list of guards why it refuses a caller, or could not answer. No capability is called, and no
   * observer sees the check. Without `params`, a guard that reads some does not run, and none behind it.
   */
  findRefusals(
    lists: readonly (readonly AnyGuard[])[],
    request: BuilderRequest & CallRequest,
    params?: ParamSource,
  ): Promise<readonly (Failure | undefined)[]>;
  /**
   * Builds the context of a caller that passes the guards, to read something without a call. Rejects with a refusal.
   */
  admit(
    guards: readonly AnyGuard[],
    request: BuilderRequest & CallRequest,
    params?: ParamSource,
  ): Promise<object>;
  /** The time of a call whose capability declares none, milliseconds: from `runCall` to the answer. */
  readonly timeoutMs: number;
  /**
   * The hooks, which a `Call` calls; they never throw. A kind of hook that the application does not have is undefined.
   */
  readonly hooks: CompiledHooks;
  /** Set by the tool: called once with each connection that has ended, also one that a guard closes at once. */
  readonly onConnectionClosed?: ((closed: ClosedConnection) => void) | undefined;
  /** Set by the tool: called with each operation of GraphQL before its fields, whose calls are parts of its request. */
  readonly onOperation?: ((begun: BegunOperation) => void) | undefined;
  /** The logger of the application. It never throws: an error of the application's own logger is dropped. */
  readonly logger: SafeLogger;
  /** What its plugins have opened. */
  readonly lifecycle: Lifecycle;
  /** The stores of caches, limits and idempotency keys. */
  readonly state: EnhancerState;
}

/** An operation of GraphQL that begins. */
export interface BegunOperation {
  readonly request: ContextRequest;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** The name in its document, or its fields where it has none: `{ getUser listPosts }`. */
  readonly title: string;
}

/** How a connection that carries calls has ended, and what it has carried. */
export interface ClosedConnection {
  readonly connection: CallerConnection;
  /** The side that began to close it; `nobody` where it broke off. */
  readonly by: 'server' | 'client' | 'nobody';
  /** The code of WebSockets, 1006 where no close frame was sent. */
  readonly code: number;
  readonly reason: string;
  readonly calls: number;
  /** Messages of the client. */
  readonly received: number;
  /** Messages to the client. */
  readonly sent: number;
}

/** The application of a transport of this package: `createServer` gives all of it. */
export function applicationOf(app: App): Application {
  return app as unknown as Application;
}
