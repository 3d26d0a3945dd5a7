/** Something that a command found, as build machines show it. */
export interface Finding {
  /** The permanent id of its rule. */
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  /** The key of the capability that it concerns. */
  readonly name: string;
  /** One or more sentences. */
  readonly message: string;
  /** Relative to the project, with forward slashes. */
  readonly file?: string | undefined;
  /** The line, counted from 1. */
  readonly line?: number | undefined;
  /** The column, counted from 1. */
  readonly column?: number | undefined;
}
