import type { FileChange } from './file-change.ts';
import type { MissingLines } from './load-missing-lines.ts';

/** The outcome of generating a capability or group. */
export interface Generated {
  /** `'users.getUser'`, or that of the group. */
  readonly key: string;
  /** The changes in the order in which they are to be written. */
  readonly changes: readonly FileChange[];
  /** The route of a capability, as its name makes it. */
  readonly route?: GeneratedRoute;
  /** The lines that the capabilities file lacks to read its folder. */
  readonly missing?: MissingLines | undefined;
}

export interface GeneratedRoute {
  readonly method: string;
  readonly path: string;
  /** Whether the path has an `:id` that the input lacks, so that the handler would get it raw. */
  readonly lacksId: boolean;
}
