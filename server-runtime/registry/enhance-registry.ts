import { type AnyEnhancer, innerPartsOf } from '../capability/enhancer.ts';
import type { Observer } from '../capability/run-capability.ts';
import type { EnhancerState } from '../enhancers/enhancer-state.ts';
import { type CompiledRegistry, toRegistry } from './compile-registry.ts';
import { type Operation, toRun } from './operation.ts';

export interface Enhancing {
  /** Enhancers around every operation, outside its own; the first is the outermost. */
  readonly use: readonly AnyEnhancer[];
  /** Given to enhancers that need what a server has. */
  readonly state: EnhancerState;
  readonly observers: readonly Observer[];
}

/** The same operations with the enhancers of a server and its state. Where nothing needs either, the same registry. */
export function enhanceRegistry(registry: CompiledRegistry, { use, state, observers }: Enhancing): CompiledRegistry {
  const isForAll = use.length > 0 || observers.length > 0;
  if (!isForAll && !registry.operations.some(usesServer)) return registry;
  return toRegistry(
    registry.operations.map((operation) => {
      if (!isForAll && !usesServer(operation)) return operation;
      const { definition } = operation;
      const enhanced = { ...definition, enhancers: [...use, ...definition.enhancers] };
      const run = toRun(enhanced, operation, { state, observers });
      run.steps();
      return Object.freeze({ ...operation, ...run });
    }),
  );
}

function usesServer({ definition }: Operation): boolean {
  return definition.enhancers.some((enhancer) => innerPartsOf(enhancer).usesServer === true);
}
