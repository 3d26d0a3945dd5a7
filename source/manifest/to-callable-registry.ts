import { type CompiledRegistry, toRegistry } from '../../server-runtime/registry/compile-registry.ts';
import type { LoadedRegistry } from './loaded-registry.ts';

/** Everything that can be called in this process: the capabilities, and those that only a queue runs. */
export function toCallableRegistry({ registry, jobs }: Pick<LoadedRegistry, 'registry' | 'jobs'>): CompiledRegistry {
  if (jobs === undefined) return registry;
  const own = jobs.registry.operations.filter(({ key }) => registry.find(key) === undefined);
  return toRegistry([...registry.operations, ...own]);
}
