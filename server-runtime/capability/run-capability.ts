import { noteRefusal, type Outcome, type RefusedBy } from '../errors/failure.ts';
import { andThen, isPromise, type MaybePromise } from '../errors/maybe-promise.ts';
import { rememberContext } from '../resources/async-context.ts';
import { createValidator, type Validator } from '../schema/validator.ts';
import { type AnswerStep, createAnswerStep } from './answer-step.ts';
import { type ContextRequest, findCallRequest } from './context.ts';
import type { CapabilityDefinition, Intent } from './definition.ts';
import type { Answer, AnyEnhancer, Check, EnhancedOperation, Next } from './enhancer.ts';
import { askGuard, type ParamSource, withLoaded } from './guard-call.ts';
import { hasItems } from './reply.ts';
import { findSentSecrets } from './secrets.ts';

/** The steps of one capability, made once. Any of them may throw, now or later, to end the call. */
export interface CapabilitySteps {
  /** The checks of enhancers, such as limits, which come before guards. */
  readonly admit: Check | undefined;
  /** The functions of observers that run around the whole call. */
  readonly runs: readonly RunStep[];
  /** Asks the guards in order, each with what those before it have loaded in the context. */
  readonly checkGuards: GuardStep | undefined;
  readonly validate: Validator;
  /** Whether an enhancer needs the input as it was sent. */
  readonly keepsSent: boolean;
  readonly checkInputGuards: Check | undefined;
  /** The handler inside of all enhancers. */
  readonly handle: Next;
  readonly isEnhanced: boolean;
  /**
   * Turns the value that came out of all enhancers into the one that is sent; undefined where no answer is declared.
   */
  readonly toAnswer: AnswerStep['toAnswer'] | undefined;
  /** The stages that have something to do for the capability, in order. */
  readonly stages: readonly Stage[];
}

/** A call while its guards run. */
interface GuardedRun {
  /** With what the guards have loaded so far. */
  ctx: unknown;
  readonly source: ParamSource;
}

/** Asks about a caller, and adds to the context; refuses by throwing. */
type GuardStep = (run: GuardedRun) => MaybePromise<undefined>;

/** Reads the raw input after the guards have passed: for a caller whom they refuse, nothing is read or parsed. */
interface InputSource extends ParamSource {
  readInput(): MaybePromise<Outcome>;
}

/** One call of one capability, in the same turn where every step is synchronous. A thrown value passes through. */
export function runCapability(
  steps: CapabilitySteps,
  ctx: unknown,
  source: InputSource,
): MaybePromise<Outcome> {
  const run: Run = { steps, ctx, source, value: undefined };
  if (steps.runs.length === 0) return walk(run, 0);
  const whole = observed<Step>(() => walk(run, 0), steps.runs, 0);
  return whole(ctx as never, undefined as never) as MaybePromise<Outcome>;
}

/** The state of one call, which goes from stage to stage: closures would be made for each of them. */
interface Run extends GuardedRun {
  readonly steps: CapabilitySteps;
  readonly source: InputSource;
  /** The latest result of the stages: the raw input, the validated one, the handler's value, the declared one. */
  value: unknown;
}

/**
 * A stage of a call, which stores its result in the run, at once or later. It gives an outcome, or throws, where the
 * call ends early.
 */
type Stage = (run: Run) => MaybePromise<Outcome | undefined>;

/**
 * The order of a call, with the step that a capability may lack. docs/internals/request-lifecycle.md lists the status
 * with which each stage refuses.
 */
const order: readonly { readonly needs?: keyof CapabilitySteps; readonly stage: Stage }[] = [
  { needs: 'admit', stage: ({ steps, ctx }) => toPassed(steps.admit?.(ctx, undefined)) },
  {
    needs: 'checkGuards',
    stage: (run) => run.steps.checkGuards?.(run),
  },
  { stage: (run) => andThen(run.source.readInput(), keepRaw, run) },
  { stage: (run) => andThen(run.steps.validate(run.value), keepOutcome, run) },
  {
    needs: 'checkInputGuards',
    stage: ({ steps, ctx, value }) => toPassed(steps.checkInputGuards?.(ctx, value)),
  },
  { stage: (run) => andThen(run.steps.handle(run.value, run.ctx), keepValue, run) },
  {
    needs: 'toAnswer',
    stage: (run) => andThen(run.steps.toAnswer?.(run.value, run.ctx), keepValue, run),
  },
];

/** Without the stages whose step the capability lacks: to go through all seven is 1 % of a small request. */
export function toStages(steps: Omit<CapabilitySteps, 'stages'>): readonly Stage[] {
  return order
    .filter(({ needs }) => needs === undefined || Reflect.get(steps, needs) !== undefined)
    .map(({ stage }) => stage);
}

/** Runs the stages from this one on. A promise is made only behind a stage that makes one. */
function walk(run: Run, from: number): MaybePromise<Outcome> {
  const { stages } = run.steps;
  for (let at = from; at < stages.length; at++) {
    const end = (stages[at] as Stage)(run);
    if (end === undefined) continue;
    return isPromise(end) ? end.then((early) => early ?? walk(run, at + 1)) : end;
  }
  return toOutcome(run.value);
}

/** A check refuses by throwing. */
function toPassed(checked: unknown): MaybePromise<undefined> {
  return isPromise(checked) ? Promise.resolve(checked).then(() => undefined) : undefined;
}

/** What a guard has loaded is in the context of everything behind it. */
function keepLoaded(loaded: unknown, run: GuardedRun): undefined {
  if (loaded !== undefined) run.ctx = withLoaded(run.ctx, loaded);
}

function keepRaw(raw: Outcome, run: Run): Outcome | undefined {
  const call = raw.ok && run.steps.keepsSent ? findCallRequest(run.ctx) : undefined;
  if (raw.ok && call !== undefined) call.sent = raw.value;
  return keepOutcome(raw, run);
}

function keepOutcome(outcome: Outcome, run: Run): Outcome | undefined {
  if (!outcome.ok) return outcome;
  run.value = outcome.value;
  return undefined;
}

function keepValue(value: unknown, run: Run): undefined {
  run.value = value;
}

export function toOutcome(value: unknown): Outcome {
  return { ok: true, value };
}

/** The steps of a capability, made when its first call comes. */
export function lazySteps(...parts: Parameters<typeof toCapabilitySteps>): () => CapabilitySteps {
  let steps: CapabilitySteps | undefined;
  return () => {
    steps ??= toCapabilitySteps(...parts);
    return steps;
  };
}

/** `observers` look at each step; a step that none of them asks for stays as it is. */
export function toCapabilitySteps(
  definition: CapabilityDefinition,
  operation: EnhancedOperation,
  observers: readonly Observer[] = [],
): CapabilitySteps {
  const { key: capability, intent } = operation;
  const runsOf = (kind: ObservedStep['kind'], name = capability): readonly RunStep[] =>
    observers.flatMap((observer) => observer({ capability, intent, kind, name }) ?? []);
  const guards = definition.guards.map((guard): GuardStep => {
    const { name } = guard;
    const ask = (ctx: unknown, source: ParamSource) => askGuard(guard, ctx, source);
    const seen = observed(ask, runsOf('guard', name), 0);
    const check = noting(seen, { name, sawInput: false });
    return (run) => andThen(check(run.ctx, run.source), keepLoaded, run);
  });
  const inputGuards = definition.inputGuards.map(({ name, check }): Check => {
    const ask: Check = (ctx, input) => check(input as never, ctx as never);
    const seen = observed(ask, runsOf('inputGuard', name), 0);
    return noting(seen, { name, sawInput: true });
  });
  const { answers } = definition;
  const isOnce = ({ kind }: AnyEnhancer): boolean => kind === 'idempotency';
  const once = definition.enhancers.findLast(isOnce);
  const others = definition.enhancers.filter((enhancer) => !isOnce(enhancer));
  const enhancers = once === undefined ? others : [once, ...others];
  const isAround = enhancers.length > 0 || observers.length > 0;
  const own = definition.handler as Next;
  const handler = observed(isAround ? keepContext(own) : own, runsOf('handler'), 1);
  const answerStep =
    answers.length === 0
      ? undefined
      : createAnswerStep(capability || 'The handler', answers, enhancers);
  // Without enhancers, `toAnswer` checks the value of the handler itself.
  const isChecked = enhancers.length > 0 && answerStep !== undefined;
  let handle = isChecked ? answerStep.checkHandler(handler) : handler;
  for (const { name, wrap } of enhancers.toReversed())
    handle = observed(wrap(handle, operation) as Next, runsOf('enhancer', name), 1);
  const steps = {
    admit: joinChecks(definition.enhancers.flatMap(({ admit }) => admit?.(operation) ?? [])),
    runs: runsOf('call'),
    checkGuards: joinGuards(guards),
    validate: createValidator(definition.schema, findSentSecrets(definition)),
    keepsSent: once !== undefined,
    checkInputGuards: joinChecks(inputGuards),
    handle,
    isEnhanced: enhancers.length > 0,
    toAnswer: answerStep?.toAnswer,
  };
  return { ...steps, stages: toStages(steps) };
}

/**
 * The same handler, which leaves with its call where it ran: the items of a stream are made after the middleware around
 * it, and a tracer, that have set an asynchronous context for it, have returned.
 */
function keepContext(handler: Next): Next {
  const keep = (value: Answer, ctx: unknown): Answer => {
    const call = hasItems(value) ? findCallRequest(ctx) : undefined;
    if (call !== undefined) call.runStream = rememberContext();
    return value;
  };
  return (input, ctx) => andThen(handler(input, ctx), keep, ctx);
}

/** The same check, which notes the guard that refused. An error that a guard returns counts as thrown. */
function noting<Second>(
  check: (ctx: unknown, second: Second) => unknown,
  guard: RefusedBy,
): (ctx: unknown, second: Second) => MaybePromise<unknown> {
  const refuse = (thrown: unknown): never => {
    noteRefusal(thrown, guard);
    throw thrown;
  };
  const settle = (checked: unknown): unknown =>
    checked instanceof Error ? refuse(checked) : checked;
  return (ctx, second) => {
    try {
      const checked = check(ctx, second);
      return isPromise(checked) ? Promise.resolve(checked).then(settle, refuse) : settle(checked);
    } catch (thrown) {
      return refuse(thrown);
    }
  };
}

/** All guards as one, in order. Undefined where there are none. */
function joinGuards(guards: readonly GuardStep[]): GuardStep | undefined {
  const [first, ...others] = guards;
  const rest = others.length === 0 ? undefined : joinGuards(others);
  if (first === undefined || rest === undefined) return first;
  return (run) => andThen(first(run), () => rest(run));
}

/** All checks as one, in order; the next begins when the one before has passed. Undefined where there are none. */
function joinChecks(checks: readonly Check[]): Check | undefined {
  const [first, ...others] = checks;
  const rest = others.length === 0 ? undefined : joinChecks(others);
  if (first === undefined || rest === undefined) return first;
  return (ctx, input) => andThen(first(ctx, input), () => rest(ctx, input));
}

/** A part of a call that can be looked at. `call` is the whole one, without the reading of its request. */
interface ObservedStep {
  readonly capability: string;
  readonly intent: Intent;
  readonly kind: 'call' | 'guard' | 'inputGuard' | 'enhancer' | 'handler';
  /** The name of the guard or enhancer; of a call and its handler the key. */
  readonly name: string;
}

/**
 * Runs a step and returns its result. A `call` with invalid input gives `{ok: false, failure}`; other failures are
 * thrown.
 */
type RunStep = (
  run: () => MaybePromise<unknown>,
  request: ContextRequest | undefined,
) => MaybePromise<unknown>;

/**
 * Called once for each step, when a server is made. A step for which it returns undefined runs as before, at no cost.
 */
export type Observer = (step: ObservedStep) => RunStep | undefined;

type Step = (first: never, second: never) => MaybePromise<unknown>;

/** The same step, in the hands of all observers, the first outermost; `contextAt` is the index of the context. */
function observed<S extends Step>(step: S, runs: readonly RunStep[], contextAt: 0 | 1): S {
  let outer: Step = step;
  for (const run of runs.toReversed()) {
    const inner = outer;
    outer = (first, second) => {
      const ctx = contextAt === 0 ? first : second;
      return run(() => inner(first, second), findCallRequest(ctx));
    };
  }
  return outer as S;
}
