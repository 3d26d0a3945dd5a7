import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { andThen, type Failure, type MaybePromise, type Outcome } from '../errors/failure.ts';
import type { Operation } from '../registry/operation.ts';
import { createValidator, type FieldProblem, findDroppedFields, toBadInput } from '../schema/validator.ts';
import type { Application } from '../server/application.ts';
import { askApproval } from './ask/ask-approval.ts';
import { callOperation, type ProtocolCall } from './call-operation.ts';
import type { ReadContent } from './read-content.ts';
import { isReadOnly } from './tool-annotations.ts';
import { toToolError, toToolResult } from './tool-result.ts';
import type { Tool } from './tools.ts';

/** Runs the capability of a tool; questions to the user come before its result. */
export async function callTool(
  app: Application,
  { operation, question }: Tool,
  call: ProtocolCall,
): Promise<CallToolResult | InputRequiredResult> {
  const { check, findNote } = createFieldCheck(operation);
  const toAnswer = (content: ReadContent): CallToolResult => {
    const result = toToolResult(content, operation.key);
    const note = findNote();
    return note === undefined ? result : { ...result, content: [...result.content, { type: 'text', text: note }] };
  };
  const checkInput = async (input: unknown): Promise<Outcome> => {
    const fine = await check(input);
    if (!fine.ok || question === undefined) return fine;
    return askApproval({ operation, question, caller: call.link }, input);
  };
  const end = await callOperation({ app, operation, toAnswer, checkInput }, call);
  switch (end.kind) {
    case 'answer':
      return end.answer;
    case 'questions':
      return end.questions;
    case 'refusal':
      return refuse(app, operation, end.failure);
  }
}

function refuse(app: Application, operation: Operation, failure: Failure): CallToolResult {
  try {
    return toToolError(operation, failure);
  } catch (error) {
    app.logger.error(`[capix] The meta of ${failure.name} cannot be written as JSON; it was left out.`, { error });
    return toToolError(operation, { ...failure, meta: undefined });
  }
}

/** The look at one input for fields that its schema would drop without a word. */
interface FieldCheck {
  /** Refuses the input of a call that would change something else than was meant. */
  readonly check: (input: unknown) => MaybePromise<Outcome>;
  /** The note for a call that has been answered all the same: it only reads. */
  readonly findNote: () => string | undefined;
}

/** Tells an agent of misspelt optional fields: it learns of no others from the failure of a call. */
function createFieldCheck(operation: Operation): FieldCheck {
  const { schema } = operation.definition;
  let dropped: readonly FieldProblem[] = [];
  return {
    check: (input) => {
      dropped = findDroppedFields(schema, input);
      if (dropped.length === 0 || isReadOnly(operation)) return { ok: true, value: input };
      // What is wrong otherwise is told first, as anywhere.
      return andThen(createValidator(schema)(input), (valid) =>
        valid.ok ? { ok: false, failure: toBadInput(dropped) } : valid,
      );
    },
    findNote: () =>
      dropped.length === 0
        ? undefined
        : ['Note: the answer is that of the input without these fields.', ...dropped.map(toLine)].join('\n'),
  };
}

function toLine({ path, message }: FieldProblem): string {
  return `- ${path}: ${message}`;
}
