import type { CallerTools, Elicited, ElicitOptions } from '../../../server-runtime/capability/call-request.ts';
import { InputRequired } from '../../../server-runtime/enhancers/with-caller.ts';
import type { Outcome } from '../../../server-runtime/errors/failure.ts';
import { describe } from '../../../server-runtime/schema/describe.ts';
import type { Schema } from '../../../server-runtime/schema/schema.ts';
import { toToldMeta } from '../../../server-runtime/schema/to-told-meta.ts';
import { createValidator, toIssueText } from '../../../server-runtime/schema/validator.ts';
import { usageError } from '../../cli/errors/cli-error.ts';
import { toShape } from '../../shape/read/to-shape.ts';
import { toSampleValue } from '../../shape/sample-value.ts';
import type { AskedQuestion, AskUser } from './call-protocol.ts';

/**
 * The questions of one call. As over MCP, the call runs again from its start with each answer: it waits for nobody, and
 * so no time limit of it runs while somebody types.
 */
export class QuestionRounds {
  /** The answers by the names of the questions. */
  readonly #answers = new Map<string, Elicited>();
  #pending: { readonly name: string; readonly question: AskedQuestion } | undefined;

  /** The way in which the next run asks. */
  begin(): CallerTools['elicit'] {
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
        question: { message, schema: describe(schema).input, content: answer?.content, problems },
      };
      throw InputRequired(`The user must be asked: ${message}`);
    };
    return elicit as CallerTools['elicit'];
  }

  /** Asks what a run has ended with; false where it has ended with something else. */
  async ask(outcome: Outcome, askUser: AskUser): Promise<boolean> {
    const pending = this.#pending;
    if (pending === undefined || outcome.ok || outcome.failure.name !== InputRequired.errorName) return false;
    this.#answers.set(pending.name, await askUser(pending.question));
    return true;
  }
}

/**
 * Answers the questions of a call with those of `--answer`, in their order: the JSON of a form, `decline` or `cancel`.
 * A question without an answer is refused, and says how to give one.
 *
 * @throws CliError `Usage` for what is no answer
 */
export function toAnswerQueue(texts: readonly string[]): AskUser {
  const given = texts.map(parseAnswer);
  return async ({ message, schema, problems }) => {
    const sample = JSON.stringify(toSampleValue(toShape(schema)));
    const how = `one for each question, in their order: --answer '${sample}', or decline, or cancel`;
    const wrong = problems.map(toIssueText).join('; ');
    if (wrong !== '')
      throw InputRequired(`The answer to the question \`${message}\` does not fit: ${wrong}. Give ${how}.`);
    const answer = given.shift();
    if (answer === undefined) throw InputRequired(`The user must be asked: ${message} Answer with --answer, ${how}.`);
    return answer;
  };
}

function parseAnswer(text: string): Elicited {
  if (text === 'decline' || text === 'cancel') return { action: text };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { action: 'accept', content };
  throw usageError("option '--answer': write it as a JSON object, or `decline` or `cancel`");
}
