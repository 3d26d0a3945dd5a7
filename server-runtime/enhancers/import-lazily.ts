import { createRequire } from 'node:module';

/**
 * A library that is loaded by the first enhancer that needs it, so that importing `capix` costs a server only what it uses.
 * Synchronous, because enhancers are made while modules are evaluated.
 */
export function importLazily<Library>(name: string): () => Library {
  let library: Library | undefined;
  return () => (library ??= createRequire(import.meta.url)(name) as Library);
}
