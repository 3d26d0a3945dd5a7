import type { CapabilityDefinition, Intent } from '../capability/definition.ts';
import type { EnhancedOperation } from '../capability/enhancer.ts';
import type { DeclaredRoute } from '../capability/http.ts';
import { type CapabilitySteps, lazySteps, type Observer } from '../capability/run-capability.ts';
import { type EnhancerState, setEnhancerState } from '../enhancers/enhancer-state.ts';
import type { GroupAround, RoutedOperation } from '../routing/route.ts';

/** A capability in its place in a registry, with everything worked out that can be. */
export interface Operation extends RoutedOperation {
  readonly groupsAround: readonly GroupAround[];
  readonly declaredRoutes: readonly DeclaredRoute[];
  /** The effective intent: what the name says, else as declared. */
  readonly intent: Intent;
  readonly fields: ReadonlySet<string> | undefined;
  /** Milliseconds, from `withTimeout`; undefined leaves the server's default. */
  readonly timeoutMs: number | undefined;
  readonly definition: CapabilityDefinition;
  readonly steps: () => CapabilitySteps;
}

export function toRun(
  definition: CapabilityDefinition,
  { key, intent }: Pick<Operation, 'key' | 'intent'>,
  { state, observers }: { readonly state?: EnhancerState; readonly observers?: readonly Observer[] } = {},
): Pick<Operation, 'definition' | 'steps' | 'timeoutMs'> {
  const guarded = definition.guards.length + definition.inputGuards.length > 0;
  const enhanced: EnhancedOperation = { key, intent, guarded };
  const timeoutMs = definition.enhancers.findLast((enhancer) => enhancer.timeoutMs !== undefined)?.timeoutMs;
  if (state !== undefined) setEnhancerState(enhanced, timeoutMs === undefined ? state : { ...state, timeoutMs });
  return { definition, timeoutMs, steps: lazySteps(definition, enhanced, observers) };
}
