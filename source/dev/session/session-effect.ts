import type { BuildInputs } from '../../load/bundle/build-inputs.ts';
import type { Wanted } from './wanted.ts';

/** An order of the state of a session. */
export type SessionEffect =
  | { readonly kind: 'tell-starting'; readonly start: Wanted }
  /** Bundles the code; `isAnew`: how it is to be built may have changed. */
  | { readonly kind: 'build'; readonly isAnew: boolean }
  /** Runs what was built. */
  | { readonly kind: 'run'; readonly start: Wanted }
  /** Does not run what was built. */
  | { readonly kind: 'discard' }
  | { readonly kind: 'watch-inputs'; readonly inputs: BuildInputs }
  /** Something newer waits: what is built or started is given up, when it takes long. */
  | { readonly kind: 'supersede' }
  | { readonly kind: 'tell-build-failure'; readonly start: Wanted }
  | { readonly kind: 'tell-outcome'; readonly start: Wanted }
  /** The server writes these files, which it is made of, with other content at each start: it is no longer started for that. */
  | { readonly kind: 'tell-own-writes'; readonly files: readonly string[] }
  /** Tells the end of a wait, with its number. */
  | { readonly kind: 'wait'; readonly wait: number; readonly ms: number }
  /** Makes the next build a quick one. */
  | { readonly kind: 'prepare-build' };
