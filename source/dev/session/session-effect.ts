import type { CodeInputs } from '../../load/watch/code-inputs.ts';
import type { Wanted } from './wanted.ts';

/** An order of the state of a session. */
export type SessionEffect =
  | { readonly kind: 'tell-starting'; readonly start: Wanted }
  /** Looks at the code; `isAnew`: how it is compiled may have changed. */
  | { readonly kind: 'build'; readonly isAnew: boolean }
  /** Runs it. */
  | { readonly kind: 'run'; readonly start: Wanted }
  | { readonly kind: 'watch-inputs'; readonly inputs: CodeInputs }
  /** Something newer waits: what is started is given up, when it takes long. */
  | { readonly kind: 'supersede' }
  | { readonly kind: 'tell-build-failure'; readonly start: Wanted }
  | { readonly kind: 'tell-outcome'; readonly start: Wanted }
  /** The server writes these files of itself, with other content at each start: they start it no more. */
  | { readonly kind: 'tell-own-writes'; readonly files: readonly string[] }
  /** Tells the end of a wait, with its number. */
  | { readonly kind: 'wait'; readonly wait: number; readonly ms: number }
  /** Makes the next start a quick one. */
  | { readonly kind: 'prepare-build' };
