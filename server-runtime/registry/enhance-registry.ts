import type { AnyEnhancer } from '../capability/enhancer.ts';
import { type CompiledRegistry, toRegistry } from './compile-registry.ts';
import { toRun } from './operation.ts';

/** The same operations inside enhancers, outside their own; the first is the outermost. Without any, the same registry. */
export function enhanceRegistry(registry: CompiledRegistry, use: readonly AnyEnhancer[]): CompiledRegistry {
  if (use.length === 0) return registry;
  return toRegistry(
    registry.operations.map((operation) => {
      const { definition } = operation;
      const enhanced = { ...definition, enhancers: [...use, ...definition.enhancers] };
      return Object.freeze({ ...operation, ...toRun(enhanced, operation) });
    }),
  );
}
