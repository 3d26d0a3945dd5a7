import type { ChangeClass } from '../../source/contract/changes/rule.ts';
import type { OpenApi } from './document-types.ts';
import type { Random } from './random.ts';

/** What an edit does to somebody who calls: `none` where the contract is the same in other words. */
export type Effect = ChangeClass | 'none';

export interface Edited {
  readonly before: OpenApi;
  readonly after: OpenApi;
}

export interface EditKind {
  /** `a field of a request became required` */
  readonly name: string;
  /** By what it does to callers, not by what the tool says of it. */
  readonly effect: Effect;
  readonly reason: string;
  /** Whether nobody can tell what the edit does: two regular expressions, a condition. */
  readonly isUnclear: boolean;
  /** Edits a document, which it may change. Undefined where there is no place for it. */
  readonly make: (document: OpenApi, random: Random) => Edited | undefined;
}
