import { defaultErrors } from '../../errors/default-errors.ts';
import { failure } from '../../errors/failure.ts';
import { andThen, type MaybePromise, type Outcome } from '../../errors/outcome.ts';
import { createAnswerPlan } from './answer-plan.ts';
import type { Content } from './content.ts';

/** The last step of a call: what is sent of what its handler gave. */
export type AnswerStep = (outcome: Outcome) => MaybePromise<Outcome>;

/**
 * Makes of a handler's value what its capability declares. Where `checksOutput` holds, a value that does not fit is a failure that says what was
 * not declared.
 */
export function createAnswerStep(key: string, answers: readonly Content[], checksOutput: boolean): AnswerStep {
  if (answers.length === 0) return (outcome) => outcome;
  const { finish, findFault, findLeak } = createAnswerPlan({ key, answers, checksItems: checksOutput });
  return (outcome) => {
    if (!outcome.ok) return outcome;
    const fault = checksOutput ? findFault(outcome.value) : findLeak(outcome.value);
    return andThen(fault, (found): MaybePromise<Outcome> => {
      if (found === undefined) return andThen(finish(outcome.value), (value): Outcome => ({ ok: true, value }));
      return {
        ok: false,
        failure: { ...failure(defaultErrors.Internal), cause: new TypeError(found), unexpected: true },
      };
    });
  };
}
