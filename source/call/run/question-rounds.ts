import type {
  CallerTools,
  Elicited,
  ElicitOptions,
} from '../../../server-runtime/capability/middleware/caller-tools.ts';
import { InputRequired } from '../../../server-runtime/enhancers/with-caller.ts';
import type { Outcome } from '../../../server-runtime/errors/outcome.ts';
import type { Schema } from '../../../server-runtime/schema/schema.ts';
import type { JsonSchema } from '../../../server-runtime/schema/to-json-schema.ts';
import { toWireSchema } from '../../../server-runtime/schema/to-wire-schema.ts';
import { createValidator, type FieldProblem, toToldMeta } from '../../../server-runtime/schema/validator.ts';

/** A question of a capability to its user, to be answered with a form. */
export interface AskedQuestion {
  readonly message: string;
  readonly schema: JsonSchema;
  /** The answer of before, where that did not fit; `problems` say why. */
  readonly content?: unknown;
  readonly problems: readonly FieldProblem[];
}

/** Asks the user, who may decline or cancel. */
export type AskUser = (question: AskedQuestion) => Promise<Elicited>;

/**
 * The questions of one call. As over MCP, the call runs again from its start with each answer: it waits for nobody, and so no time limit of it
 * runs while somebody types.
 */
export class QuestionRounds {
  /** The answers by the names of the questions. */
  readonly #answers = new Map<string, Elicited>();
  #pending: { readonly name: string; readonly question: AskedQuestion } | undefined;

  /** The tools of the next run. */
  begin(): CallerTools {
    let asked = 0;
    this.#pending = undefined;
    const elicit = async (message: string, schema: Schema, options: ElicitOptions = {}): Promise<Elicited> => {
      asked += 1;
      const { name = `question-${asked}` } = options;
      const answer = this.#answers.get(name);
      if (answer !== undefined && answer.action !== 'accept') return answer;
      const checked = answer && (await createValidator(schema)(answer.content));
      if (checked?.ok === true) return { action: 'accept', content: checked.value };
      const problems = checked === undefined ? [] : toToldMeta(checked.failure.meta).fields;
      this.#pending ??= {
        name,
        question: { message, schema: toWireSchema(schema, { io: 'input' }), content: answer?.content, problems },
      };
      throw InputRequired(message);
    };
    return { progress: () => {}, log: () => {}, elicit: elicit as CallerTools['elicit'] };
  }

  /** Asks what a run has ended with; false where it has ended with something else. */
  async ask(outcome: Outcome, askUser: AskUser): Promise<boolean> {
    const pending = this.#pending;
    if (pending === undefined || outcome.ok || outcome.failure.name !== InputRequired.errorName) return false;
    this.#answers.set(pending.name, await askUser(pending.question));
    return true;
  }
}
