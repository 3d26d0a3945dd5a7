import type { CutRequest } from './server-message.ts';

/** An event of a server besides starting and ending, for people to know. */
export type ServeNotice =
  /** These requests had begun when their version was ended. */
  | { readonly code: 'RequestsCut'; readonly requests: readonly CutRequest[] }
  /** The process did not end in the time that it had. */
  | { readonly code: 'Killed'; readonly graceMs: number }
  /** The version before is from now on ended before the next one starts. */
  | { readonly code: 'StopsFirst'; readonly reason: string };
