import type { CapabilityDefinition, Intent } from '../capability/definition.ts';
import type { EnhancedOperation } from '../capability/enhancer.ts';
import type { DeclaredRoute } from '../capability/http.ts';
import { type CapabilitySteps, type Observer, toCapabilitySteps } from '../capability/run-capability.ts';
import { type EnhancerState, setEnhancerState } from '../enhancers/enhancer-state.ts';
import type { GroupPath, RoutedOperation } from '../routing/route.ts';

/** A capability in its place in a registry, with everything worked out that can be. */
export interface Operation extends RoutedOperation {
  readonly groupPaths: readonly GroupPath[];
  readonly declaredIntent: Intent | undefined;
  readonly declaredRoutes: readonly DeclaredRoute[];
  /** The effective intent: what the name says, else as declared. */
  readonly intent: Intent;
  readonly fields: ReadonlySet<string> | undefined;
  /** Milliseconds, from `withTimeout`; undefined leaves the server's default. */
  readonly timeoutMs: number | undefined;
  readonly definition: CapabilityDefinition;
}

export interface RunnableOperation extends Operation {
  readonly steps: () => CapabilitySteps;
}

export interface RunOptions {
  readonly state?: EnhancerState;
  readonly observers?: readonly Observer[];
}

export function toRun(
  definition: CapabilityDefinition,
  { key, intent }: Pick<Operation, 'key' | 'intent'>,
  { state, observers }: RunOptions = {},
): Pick<RunnableOperation, 'definition' | 'steps' | 'timeoutMs'> {
  const guarded = definition.guards.length + definition.inputGuards.length > 0;
  const enhanced: EnhancedOperation = { key, intent, guarded };
  const timeoutMs = definition.enhancers.findLast((enhancer) => enhancer.timeoutMs !== undefined)?.timeoutMs;
  if (state !== undefined) setEnhancerState(enhanced, timeoutMs === undefined ? state : { ...state, timeoutMs });
  let made: CapabilitySteps | undefined;
  return { definition, timeoutMs, steps: () => (made ??= toCapabilitySteps(definition, enhanced, observers)) };
}

export function stepsOf(operation: Operation): CapabilitySteps {
  return (operation as RunnableOperation).steps();
}
