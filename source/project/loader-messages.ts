import type { BundledUserCode } from './bundle-user-code.ts';
import type { Project } from './find-project.ts';
import type { LoadFailure } from './load-failure.ts';
import type { Manifest, ManifestCapability } from './manifest.ts';
import type { ToManifestOptions } from './to-manifest.ts';

/** To the loader child, once: run this bundle and say what it declares. */
export interface LoadRequest extends ToManifestOptions {
  readonly project: Project;
  readonly bundle: BundledUserCode;
}

/**
 * From the loader child before its answer, of a large project. The outline has no schemas and no places; the capabilities come in parts, so
 * that whoever reads them can do something else in between.
 */
export type LoadProgress =
  | { readonly kind: 'outlined'; readonly manifest: Manifest }
  | {
      readonly kind: 'capabilities';
      readonly capabilities: readonly ManifestCapability[];
      readonly fingerprints: readonly string[];
    };

/** From the loader child, once. A manifest without capabilities has those that came before. */
export type LoadAnswer =
  | { readonly kind: 'loaded'; readonly manifest: Manifest }
  | { readonly kind: 'failed'; readonly failure: LoadFailure };
