import type { CallSession } from '../invoke/call-session.ts';
import type { CallQuestion } from '../invoke/perform-call.ts';
import { toCount } from '../values/count.ts';

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

/** The words for a field that is missing: those of a form. */
const MISSING = 'required';

/** `2 fields are missing, 1 is wrong. Ctrl-S sends all the same.` */
export function toRefusal(wrong: Problems): string {
  const missing = [...wrong.values()].filter((message) => message === MISSING).length;
  const parts = [
    { count: missing, words: 'missing' },
    { count: wrong.size - missing, words: 'wrong' },
  ].filter(({ count }) => count > 0);
  const texts = parts.map(({ count, words }, index) => {
    const subject = index === 0 ? toCount(count, 'field') : `${count}`;
    return `${subject} ${count === 1 ? 'is' : 'are'} ${words}`;
  });
  return `${texts.join(', ')}. Ctrl-S sends all the same.`;
}

/** The first problem of each field. There are none where the schema cannot run: then the call itself says why. */
export async function findFieldProblems(
  session: CallSession,
  question: CallQuestion,
): Promise<Problems> {
  const fields = await session.validate(question).catch(() => []);
  // A missing field has the words of a form.
  const toShort = (message: string): string =>
    /^Invalid input: expected .+, received undefined$/.test(message) ? MISSING : message;
  return new Map(fields.toReversed().map(({ path, message }) => [path, toShort(message)]));
}
