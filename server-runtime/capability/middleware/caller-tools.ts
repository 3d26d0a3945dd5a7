import type { OutputOf, Schema } from '../../schema/schema.ts';

/** The gravity of a note, as in syslog. */
export type NoteLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** The answer of a user: the content that was asked for, or that there is none. */
export type Elicited<Content = unknown> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel' };

/** The options of a question. */
export interface ElicitOptions {
  /** The name of the answer, so that questions may change their order between two runs. @default `question-1` and on */
  readonly name?: string | undefined;
}

/** The ways to reach whoever called, while the call runs. */
export interface CallerTools {
  /** Says how far the call is: `ctx.progress(3, 10, 'Reading page 3')`. What is not further than before is not sent. */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /** Tells the agent something beside the answer: `ctx.log('info', 'Two rows were skipped.')`. */
  readonly log: (level: NoteLevel, data: unknown) => void;
  /**
   * Asks the user, with a form of flat fields: texts, numbers, booleans, enums. The handler runs again from its start
   * with the answer, so ask before you change anything. Rejects with 428 `InputRequired` where nobody can be asked.
   */
  readonly elicit: <S extends Schema>(
    message: string,
    schema: S,
    options?: ElicitOptions,
  ) => Promise<Elicited<OutputOf<S>>>;
}
