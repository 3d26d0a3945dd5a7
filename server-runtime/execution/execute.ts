import type { ContextRequest } from '../capability/context.ts';
import { toReplyData } from '../capability/reply.ts';
import { type InputSource, runCapability } from '../capability/run-capability.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure, toFailure } from '../errors/failure.ts';
import { andThen, isPromise, type MaybePromise, type Outcome } from '../errors/outcome.ts';
import { type Operation, stepsOf } from '../registry/operation.ts';
import { createValidator, toIssueText, toToldMeta, type Validator } from '../schema/validator.ts';
import type { BuildContext } from './context-builder.ts';
import { discardValue } from './discard-value.ts';
import type { RequestScope } from './request-scope.ts';

/** One call of one operation, from whichever transport. */
export interface OperationCall {
  readonly operation: Operation;
  readonly request: ContextRequest;
  readonly scope: RequestScope;
  readonly source: InputSource;
  /** Makes what the caller gets of the handler's value, while the time of the call runs: reads a stream to its end. */
  readonly finish?: ((value: unknown) => MaybePromise<unknown>) | undefined;
}

/** Runs a call and gives its outcome to `done`, unless the call's scope has ended by then. */
export type Execute = (call: OperationCall, done: (outcome: Outcome) => void) => void;

/**
 * Context, then guards → input → validation → input guards → enhancers(handler), then in development the check of the
 * answer. Whatever is thrown on the way becomes a failure here, and nowhere else.
 */
export function createExecute({
  buildContext,
  checksOutput,
}: {
  readonly buildContext: BuildContext;
  readonly checksOutput: boolean;
}): Execute {
  const checkOutput = createOutputCheck();
  return (call, done) => {
    const settle = (outcome: Outcome): void => {
      if (call.scope.close()) done(outcome);
      else if (outcome.ok) discardValue(outcome.value);
    };
    const fail = (thrown: unknown): void => settle({ ok: false, failure: toFailure(thrown) });
    try {
      const { operation } = call;
      const steps = stepsOf(operation);
      const context = buildContext(call.request, operation.definition.enhancers.length > 0);
      const ran = andThen(context, (ctx) => runCapability(steps, ctx, call.source));
      const checked = checksOutput ? andThen(ran, (result) => checkOutput(call.operation, result)) : ran;
      const outcome = call.finish === undefined ? checked : andThen(checked, toFinish(call.finish));
      if (isPromise(outcome)) outcome.then(settle, fail);
      else settle(outcome);
    } catch (thrown) {
      fail(thrown);
    }
  };
}

function toFinish(finish: (value: unknown) => MaybePromise<unknown>): (outcome: Outcome) => MaybePromise<Outcome> {
  return (outcome) =>
    outcome.ok ? andThen(finish(outcome.value), (value): Outcome => ({ ok: true, value })) : outcome;
}

type OutputCheck = (operation: Operation, outcome: Outcome) => MaybePromise<Outcome>;

/** Gives a failure that names the field where the handler's value does not fit the declared output. */
function createOutputCheck(): OutputCheck {
  const validators = new WeakMap<Operation, Validator>();
  return (operation, outcome) => {
    const { output } = operation.definition;
    if (!outcome.ok || output === undefined) return outcome;
    const validate = validators.get(operation) ?? createValidator(output);
    validators.set(operation, validate);
    return andThen(validate(toReplyData(outcome.value)), (checked): Outcome => {
      if (checked.ok) return outcome;
      const cause = new TypeError(
        `${operation.key} returned a value that does not fit its output schema: ${toIssuesText(checked.failure)}`,
      );
      return { ok: false, failure: { ...failure(defaultErrors.Internal), cause, unexpected: true } };
    });
  };
}

function toIssuesText({ meta }: Failure): string {
  const { fields, omitted } = toToldMeta(meta);
  return [...fields.map(toIssueText), ...(omitted === 0 ? [] : [`and ${omitted} more`])].join('; ');
}
