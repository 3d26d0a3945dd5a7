import type { GroupTree } from '../capability/group-tree.ts';
import type { EnhancerState } from '../enhancers/enhancer-state.ts';
import type { CheckGuards, Execute } from '../execution/execute.ts';
import type { RequestScope } from '../execution/request-scope.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { CompiledHooks } from './hooks.ts';
import type { Logger } from './logger.ts';

/** The application as the package's own transports see it. */
export interface Application {
  readonly registry: CompiledRegistry;
  /** Compiles capabilities of a transport's own, inside the middleware of the application. */
  readonly compile: (capabilities: GroupTree) => CompiledRegistry;
  readonly execute: Execute;
  readonly checkGuards: CheckGuards;
  /** Starts the clock of one request. `timeoutMs` undefined takes the application's default. */
  readonly openScope: (timeoutMs: number | undefined, onTimeout: () => void) => RequestScope;
  readonly hooks: CompiledHooks;
  readonly logger: Logger;
  /** A new request id, unique in this process and unlikely in another. */
  readonly newRequestId: () => string;
  /** The state of enhancers: the store of the server. */
  readonly state: EnhancerState;
}
