import type { BuilderRequest, CallRequest } from '../capability/context.ts';
import type { AnyEnhancer } from '../capability/enhancer.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import type { Guard } from '../capability/guard.ts';
import type { EnhancerState } from '../enhancers/enhancer-state.ts';
import type { Failure } from '../errors/failure.ts';
import type { RunningCall } from '../execution/execute.ts';
import type { CompiledRegistry, Operation } from '../registry/compile-registry.ts';
import type { CompiledHooks } from './hooks.ts';
import type { Logger } from './logger.ts';
import type { App } from './transport.ts';

/**
 * All that the transports of this package know of an application. Others see an `App`, which is less. `createServer`
 * makes one for the server, and one more for each transport that has capabilities of its own.
 */
export interface Application {
  /** What the transport makes reachable: the capabilities of the application, or its own. */
  readonly registry: CompiledRegistry;
  /**
   * Compiles capabilities of a transport's own; `around` is outside of them. @default the
   * middleware of the application
   */
  compile(own: GroupTree | CompiledRegistry, around?: readonly AnyEnhancer[]): CompiledRegistry;
  /** Runs a call that is open to its end. `runCall` calls it, and nobody else. Never throws. */
  execute(operation: Operation, call: RunningCall): void;
  /** Gives a call its id: that of `x-request-id` where it is sane, else a new one. */
  toRequestId(header: string | string[] | undefined): string;
  /** Makes a failure of what was thrown, as `mapError` says; 500 where nobody foresaw it. Never throws. */
  toFailure(thrown: unknown): Failure;
  /** Finds the guards that refuse a caller with 401 or 403. Nothing is called, and nobody observes it. */
  findRefusing(
    guards: readonly Guard[],
    request: BuilderRequest & CallRequest,
  ): Promise<ReadonlySet<Guard>>;
  /**
   * Builds the context of a caller whom the guards let pass, for what is read without a call.
   * Rejects with a refusal.
   */
  admit(guards: readonly Guard[], request: BuilderRequest & CallRequest): Promise<object>;
  /** The time of a call whose capability declares none, milliseconds: from `runCall` to the answer. */
  readonly timeoutMs: number;
  /** What looks on: called by a `Call`, never throws. A kind of hook that nobody has is undefined. */
  readonly hooks: CompiledHooks;
  /** The logger of the application. It never throws: what a logger throws is dropped. */
  readonly logger: Logger;
  /** The stores of caches, limits and idempotency keys. */
  readonly state: EnhancerState;
}

/** The application of a transport of this package: `createServer` gives all of it. */
export function applicationOf(app: App): Application {
  return app as unknown as Application;
}
