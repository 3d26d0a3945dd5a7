/** What one step of a call does: whether it answers in the same turn, and how it ends. */
export interface Step {
  readonly timing: 'now' | 'later';
  /** `refuses` throws an error of the framework, `breaks` one that nobody foresaw. */
  readonly end: 'passes' | 'refuses' | 'breaks';
}

/** One call: its context, guards and so on. Steps of a kind run in the order of the list. */
export interface CallPlan {
  readonly context: Step;
  readonly extensions: readonly Step[];
  readonly guards: readonly Step[];
  readonly schema: Step;
  readonly inputGuards: readonly Step[];
  readonly enhancers: readonly Step[];
  readonly handler: Step;
}

export interface CallRecord {
  /** The steps that ran, in order: `['context', 'guard 0', 'schema']`. */
  readonly trace: readonly string[];
  readonly status: number;
  /** Name of the error; undefined for an answer with data. */
  readonly error: string | undefined;
}

/** The contract of one call, read from top to bottom, one step after the other; nothing runs after a step that throws. */
export function recordByTheContract(plan: CallPlan): CallRecord {
  const steps = [
    { name: 'context', step: plan.context },
    ...plan.extensions.map((step, at) => ({ name: `extension ${at}`, step })),
    ...plan.guards.map((step, at) => ({ name: `guard ${at}`, step })),
    { name: 'schema', step: plan.schema },
    ...plan.inputGuards.map((step, at) => ({ name: `input guard ${at}`, step })),
    ...plan.enhancers.map((step, at) => ({ name: `enhancer ${at}`, step })),
    { name: 'handler', step: plan.handler },
  ];
  const trace: string[] = [];
  for (const { name, step } of steps) {
    trace.push(name);
    if (step.end === 'breaks') return { trace, status: 500, error: 'Internal' };
    if (step.end === 'passes') continue;
    return name === 'schema'
      ? { trace, status: 400, error: 'BadRequest' }
      : { trace, status: 403, error: 'Forbidden' };
  }
  return { trace, status: 200, error: undefined };
}
