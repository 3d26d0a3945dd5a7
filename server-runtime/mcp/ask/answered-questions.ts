import type { ServerContext } from '@modelcontextprotocol/server';

/** The answers that a client has given so far, by the key of the question. */
export type AnsweredQuestions = Readonly<Record<string, unknown>>;

/** The state that a client holds for the server from one round of questions to the next. */
export interface AskState {
  /** The capability that asks. */
  readonly key: string;
  readonly answers: AnsweredQuestions;
}

/** Answers of this round, and of the rounds before where the client has handed back what it holds for this capability. */
export function answersOf({ mcpReq }: ServerContext, key: string): AnsweredQuestions {
  const state = mcpReq.requestState<AskState>();
  return { ...(state?.key === key ? state.answers : {}), ...mcpReq.inputResponses };
}
