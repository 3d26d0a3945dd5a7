import type { ToManifestOptions } from '../../manifest/load-manifest.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { Project } from '../../manifest/project.ts';
import type { ModulesAhead } from '../../system/child/import-ahead.ts';
import type { Variables } from '../../system/read-variables.ts';
import type { BundledUserCode } from '../bundle/bundle-user-code.ts';
import type { LoadFailure } from '../load-failure.ts';
import type { ManifestPart, PackedManifest } from './packed-manifest.ts';

/** Asks the loader child to run a bundle and to say what it declares. */
export interface LoadRequest extends ToManifestOptions {
  readonly project: Project;
  readonly bundle: BundledUserCode;
  /** Added to the environment. */
  readonly variables: Variables;
  /** Fingerprints of what is there from loads before: it is not sent again. */
  readonly known: readonly string[];
}

/**
 * A note of the loader child before its answer: the project's own code is done, and what follows is the tool's work. Then of a large project that
 * nothing is known of the routes, without schemas and places; then the parts.
 */
export type LoadProgress =
  | { readonly kind: 'imported' }
  | { readonly kind: 'outlined'; readonly manifest: Manifest }
  | { readonly kind: 'part'; readonly part: ManifestPart };

export type LoadAnswer =
  | { readonly kind: 'loaded'; readonly manifest: PackedManifest }
  | { readonly kind: 'failed'; readonly failure: LoadFailure }
  /** The child has missed files that may be there by now: another one can load them. */
  | { readonly kind: 'unfit' };

/** The code of a project that the next load will probably need, too. */
export interface CodeAhead {
  readonly project: Project;
  readonly modules: ModulesAhead;
}

/** One question, which the child is ended after. */
export interface LoaderProtocol {
  /** To load ahead. */
  readonly order: CodeAhead;
  readonly note: never;
  readonly questions: {
    readonly load: { readonly question: LoadRequest; readonly progress: LoadProgress; readonly answer: LoadAnswer };
  };
}
