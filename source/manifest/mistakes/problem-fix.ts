/** A mend that is mechanical: a few words in the source, at one place that can be told for certain. */
export interface ProblemFix {
  /** The place to look at: in the call that declares the capability and those that follow it, at the beginning of that call, or in the whole file. */
  readonly within: 'declaration' | 'start' | 'file';
  /** The tokens that stand there one after the other, whatever is between them; `*` is any name, and a text in single quotes any kind of literal. */
  readonly find: readonly string[];
  /** The index of the token that is changed. */
  readonly at: number;
  /** Whether `text` comes before the token, after it, or in its place. A literal keeps its quotes. */
  readonly where: 'before' | 'after' | 'instead';
  /** `{name}` stands for the first name that `*` found. */
  readonly text: string;
}
