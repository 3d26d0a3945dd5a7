import type { Elicited } from '../../server-runtime/capability/context.ts';
import type { CallEvents, LoggedLine, UserQuestion } from '../invoke/perform-call.ts';

export interface OpenQuestion {
  readonly question: UserQuestion;
  readonly answer: (answer: Elicited) => void;
}

const MAX_KEPT = 5000;
/** Items and lines that arrive without a pause are drawn together, milliseconds. */
const DRAW_MS = 50;

/** The items and lines of a call so far, the last ones. */
export interface LiveOutput {
  readonly items: readonly unknown[];
  readonly itemCount: number;
  readonly lines: readonly LoggedLine[];
}

const noOutput: LiveOutput = { items: [], itemCount: 0, lines: [] };

/** What a call gives before its answer, and after it where its code goes on, and what it asks. */
export class LiveCall {
  output = noOutput;
  question: OpenQuestion | undefined;
  readonly #onChange: () => void;
  #isWaiting = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  clear(): void {
    this.output = noOutput;
  }

  forgetQuestion(): void {
    this.question = undefined;
  }

  /** Takes what a call gives until its signal is aborted. */
  listen(signal: AbortSignal): Required<CallEvents> {
    return {
      onItem: (item) => {
        const items = [...this.output.items, item].slice(-MAX_KEPT);
        if (!signal.aborted) this.#add({ items, itemCount: this.output.itemCount + 1 });
      },
      onLine: (line) => {
        if (!signal.aborted) this.#add({ lines: [...this.output.lines, line].slice(-MAX_KEPT) });
      },
      ask: (question) => this.#ask(question),
    };
  }

  async #ask(question: UserQuestion): Promise<Elicited> {
    try {
      return await new Promise<Elicited>((answer) => {
        this.question = { question, answer };
        this.#onChange();
      });
    } finally {
      this.question = undefined;
      this.#onChange();
    }
  }

  #add(more: Partial<LiveOutput>): void {
    this.output = { ...this.output, ...more };
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      this.#onChange();
    }, DRAW_MS);
  }
}
