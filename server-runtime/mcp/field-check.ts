import { andThen, type MaybePromise, type Outcome } from '../errors/outcome.ts';
import type { Operation } from '../registry/operation.ts';
import { createValidator, type FieldProblem, findDroppedFields, toBadInput } from '../schema/validator.ts';
import { isReadOnly } from './tool-annotations.ts';

/** The look at one input for fields that its schema would drop without a word. */
export interface FieldCheck {
  /** Refuses the input of a call that would change something else than was meant. */
  readonly check: (input: unknown) => MaybePromise<Outcome>;
  /** The note for a call that has been answered all the same: it only reads. */
  readonly findNote: () => string | undefined;
}

/** Tells an agent of misspelt optional fields: it learns of no others from the failure of a call. */
export function createFieldCheck(operation: Operation): FieldCheck {
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
