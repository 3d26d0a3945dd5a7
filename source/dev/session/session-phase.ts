import type { SeenChange } from '../../system/watch/gather-changes.ts';
import type { Wanted } from './wanted.ts';

/** The activity of the session. */
export type SessionPhase =
  | { readonly name: 'idle' }
  /** The wanted start waits until its files are left alone: the server itself seems to write them. */
  | { readonly name: 'calming' }
  | { readonly name: 'building'; readonly start: Wanted; readonly from: number }
  /** The build has failed; a save that comes in parts may be the reason. */
  | { readonly name: 'settling'; readonly start: Wanted }
  | {
      readonly name: 'running';
      readonly start: Wanted;
      readonly builtAt: number;
      readonly from: number;
      /** Changes that did not count for the code before. */
      readonly passed: readonly SeenChange[];
    }
  | { readonly name: 'stopped' };
