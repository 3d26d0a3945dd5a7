/** A place in a source file. */
interface FailurePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Why something cannot go on, from where that is found to the text or screen that shows it: one type for the loader,
 * `dev` and the commands. All text is free of escape sequences.
 */
export interface ShownFailure<Code extends string | undefined = string | undefined> {
  /** Permanent name, for scripts; undefined where only people are shown it. */
  readonly code?: Code;
  readonly message: string;
  /** The next step. */
  readonly hint?: string | undefined;
  /** The lines of the source around the place, as text. */
  readonly frame?: string | undefined;
  /** The place in the source, as its absolute path has it. */
  readonly place?: FailurePlace | undefined;
}

/** A failure that scripts can tell from others. */
export type NamedFailure<Code extends string> = ShownFailure<Code> & { readonly code: Code };
