import { type AnyEnhancer, innerPartsOf } from '../capability/enhancer.ts';
import type { Observer } from '../capability/run-capability.ts';
import type { EnhancerState } from '../enhancers/enhancer-state.ts';
import { type CompiledRegistry, toRegistry } from './compile-registry.ts';
import { toRun } from './operation.ts';

export interface Enhancing {
  readonly use: readonly AnyEnhancer[];
  readonly state: EnhancerState;
  readonly observers: readonly Observer[];
}

/** The same operations with the enhancers of a server and its state; one that needs neither stays as it is. */
export function enhanceRegistry(registry: CompiledRegistry, { use, state, observers }: Enhancing): CompiledRegistry {
  const isForAll = use.length > 0 || observers.length > 0;
  const operations = registry.operations.map((operation) => {
    const { definition } = operation;
    const usesServer = definition.enhancers.some((enhancer) => innerPartsOf(enhancer).usesServer === true);
    if (!isForAll && !usesServer) return operation;
    const enhanced = { ...definition, enhancers: [...use, ...definition.enhancers] };
    const run = toRun(enhanced, operation, { state, observers });
    run.steps();
    return Object.freeze({ ...operation, ...run });
  });
  return toRegistry(operations);
}
