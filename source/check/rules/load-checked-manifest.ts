import { loadManifest, type ToManifestOptions } from '../../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import type { Manifest } from '../../manifest/manifest.ts';

export interface CheckedOptions extends ToManifestOptions {
  /** Whether the problems of capabilities are listed beside those of routes; never without schemas. @default true */
  readonly hasProblems?: boolean | undefined;
}

/** The manifest of a project, with everything that the rules of `capix check` find in it. */
export async function loadCheckedManifest(
  loaded: LoadedRegistry,
  { hasProblems = true, ...options }: CheckedOptions = {},
): Promise<Manifest> {
  const manifest = await loadManifest(loaded, options);
  if (options.hasSchemas === false || !hasProblems) return manifest;
  const { findProblems } = await import('./find-problems.ts');
  return {
    ...manifest,
    problems: [...manifest.problems, ...(await findProblems(manifest, loaded))],
  };
}
