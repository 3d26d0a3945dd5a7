import type { BundledUserCode } from './bundle-user-code.ts';
import type { Project } from './find-project.ts';
import type { LoadFailure } from './load-failure.ts';
import type { Manifest } from './manifest.ts';
import type { ToManifestOptions } from './to-manifest.ts';

/** To the loader child, once: run this bundle and say what it declares. */
export interface LoadRequest extends ToManifestOptions {
  readonly project: Project;
  readonly bundle: BundledUserCode;
}

/** From the loader child, once. */
export type LoadAnswer =
  | { readonly kind: 'loaded'; readonly manifest: Manifest }
  | { readonly kind: 'failed'; readonly failure: LoadFailure };
