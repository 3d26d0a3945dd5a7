import type { CallerTools, Elicited } from '../../../server-runtime/capability/middleware/caller-tools.ts';
import { InputRequired } from '../../../server-runtime/enhancers/with-caller.ts';
import type { Schema } from '../../../server-runtime/schema/schema.ts';
import { toWireSchema } from '../../../server-runtime/schema/to-wire-schema.ts';
import { createValidator, toIssueText, toToldMeta } from '../../../server-runtime/schema/validator.ts';
import { usageError } from '../../cli/errors/cli-error.ts';
import { toShape } from '../../shape/read/to-shape.ts';
import { toSampleValue } from '../../shape/sample-value.ts';

/** The answer to one question of a capability. */
export type GivenAnswer = Elicited;

/**
 * The answers that a caller gives beforehand: the JSON of a form, or that there is none.
 *
 * @throws CliError `Usage` for what is neither
 */
export function parseAnswers(texts: readonly string[]): readonly GivenAnswer[] {
  return texts.map((text) => {
    if (text === 'decline' || text === 'cancel') return { action: text };
    const content = parseJson(text);
    if (typeof content === 'object' && content !== null && !Array.isArray(content))
      return { action: 'accept', content };
    throw usageError("option '--answer': write it as a JSON object, or `decline` or `cancel`");
  });
}

/** Answers the questions of one call, in their order. One without an answer is refused, and says how to give one. */
export function createQuestionAnswerer(answers: readonly GivenAnswer[]): CallerTools {
  let asked = 0;
  const elicit = async (message: string, schema: Schema): Promise<Elicited> => {
    const answer = answers[asked];
    asked += 1;
    const sample = JSON.stringify(toSampleValue(toShape(toWireSchema(schema, { io: 'input' }))));
    const how = `one for each question, in their order: --answer '${sample}', or decline, or cancel`;
    if (answer === undefined) throw InputRequired(`The user must be asked: ${message} Answer with --answer, ${how}.`);
    if (answer.action !== 'accept') return answer;
    const content = await createValidator(schema)(answer.content);
    if (content.ok) return { action: 'accept', content: content.value };
    const wrong = toToldMeta(content.failure.meta).fields.map(toIssueText).join('; ');
    throw InputRequired(`The answer to the question \`${message}\` does not fit: ${wrong}. Give ${how}.`);
  };
  return { progress: () => {}, log: () => {}, elicit: elicit as CallerTools['elicit'] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
