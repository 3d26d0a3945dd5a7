import { toCount } from '../values/count.ts';
import type { CallSession } from './run/call-session.ts';
import type { CallQuestion } from './run/perform-call.ts';

/** What is wrong with an input, by the path of its field or the id of its row. */
export type Problems = ReadonlyMap<string, string>;

export const noProblems: Problems = new Map();

/** The problems that the schema finds in an input while it is typed. */
export class InputCheck {
  problems = noProblems;
  readonly #onChange: () => void;
  /** The newest input, and the code that checks it. */
  #newest: { readonly text: string; readonly session: CallSession } | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Has the input checked, where it is another one or the code is. */
  check(session: CallSession, question: CallQuestion): void {
    const newest = { text: JSON.stringify(question), session };
    if (this.#newest?.text === newest.text && this.#newest.session === session) return;
    this.#newest = newest;
    void findFieldProblems(session, question).then((found) => {
      if (this.#newest !== newest) return;
      this.problems = found;
      this.#onChange();
    });
  }
}

/** The first problem of each field. There are none where the schema cannot run: then the call itself says why. */
export async function findFieldProblems(
  session: CallSession,
  question: CallQuestion,
): Promise<Problems> {
  const fields = await session.validate(question).catch(() => []);
  // A missing field has the words of a form.
  const toShort = (message: string): string =>
    /^Invalid input: expected .+, received undefined$/.test(message) ? 'required' : message;
  return new Map(fields.toReversed().map(({ path, message }) => [path, toShort(message)]));
}
