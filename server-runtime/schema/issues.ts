import type { Outcome } from '../errors/failure.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';

/** An issue of a library. It may have inner ones: those of the key of a record, or of each branch of a choice. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly errors?: readonly (readonly Issue[])[] | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  /** The fields that were sent to an object that takes no others. */
  readonly keys?: readonly string[] | undefined;
}

/** No more than the first {@link MAX_ISSUES} issues, and the number of the others. */
export type ParseResult =
  | Extract<Outcome, { readonly ok: true }>
  | { readonly ok: false; readonly issues: readonly Issue[]; readonly omitted: number };

/** A caller can send faults by the hundred thousand in one body. */
export const MAX_ISSUES = 50;

export type ParseSchema = (input: unknown) => MaybePromise<ParseResult>;
