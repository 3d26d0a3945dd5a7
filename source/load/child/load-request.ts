import type { ToManifestOptions } from '../../manifest/load-manifest.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { Project } from '../../manifest/project.ts';
import type { Variables } from '../../system/read-variables.ts';
import type { CodeNote, HooksOrder } from '../hooks/code-note.ts';
import type { LoadFailure } from '../load-failure.ts';

/** Asks the loader child to run the code of a project and to say what it declares. */
export interface LoadRequest extends ToManifestOptions {
  readonly project: Project;
  /** Added to the environment. */
  readonly variables: Variables;
  /** Whether the routes of a large project are to come before the rest. */
  readonly isFirst: boolean;
}

/**
 * A note of the loader child before its answer: the project's own code is done, and what follows is the tool's work.
 * Then of a large project the routes, without schemas and places.
 */
export type LoadProgress = { readonly kind: 'imported' } | { readonly kind: 'outlined'; readonly manifest: Manifest };

export type LoadAnswer =
  | { readonly kind: 'loaded'; readonly manifest: Manifest }
  | { readonly kind: 'failed'; readonly failure: LoadFailure };

/** One question, which the child is ended after. */
export interface LoaderProtocol {
  /** The code that the next load will probably need, too. */
  readonly order: HooksOrder;
  /** The code that is loaded. */
  readonly note: readonly CodeNote[];
  readonly questions: {
    readonly load: { readonly question: LoadRequest; readonly progress: LoadProgress; readonly answer: LoadAnswer };
  };
}
