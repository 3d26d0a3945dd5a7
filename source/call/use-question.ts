import { useRef, useState } from 'react';
import type { Elicited } from '../../server-runtime/capability/middleware/caller-tools.ts';
import type { AskingOptions } from './run/call-session.ts';
import type { AskedQuestion } from './run/question-rounds.ts';

/** A question of a capability to its user. */
export interface OpenQuestion {
  /** Another one for each question. */
  readonly number: number;
  readonly asked: AskedQuestion;
  /** Called once. */
  readonly answer: (given: Elicited) => void;
}

export interface QuestionUse {
  /** The question of the call that runs, which waits for its answer. */
  readonly question: OpenQuestion | undefined;
  /** Takes the questions of a call, until it is cancelled. */
  readonly toAsker: (signal: AbortSignal) => NonNullable<AskingOptions['onAsked']>;
  /** Nobody waits for the answer any more. */
  readonly close: () => void;
}

export function useQuestion(): QuestionUse {
  const [question, setQuestion] = useState<OpenQuestion>();
  const count = useRef(0);
  const close = (): void => setQuestion(undefined);
  return {
    question,
    close,
    toAsker: (signal) => (asked, reply) => {
      if (signal.aborted) return;
      const answer = (given: Elicited): void => {
        close();
        reply(given);
      };
      count.current += 1;
      setQuestion({ number: count.current, asked, answer });
    },
  };
}
