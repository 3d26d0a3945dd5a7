import type { MaybePromise } from '../../errors/outcome.ts';
import type { ContextRequest } from '../context.ts';
import type { Intent } from '../intent.ts';
import { findCallRequest } from '../middleware/call-request.ts';

/** A part of a call that can be looked at. `call` is the whole one, without the reading of its request. */
export interface ObservedStep {
  /** Key of the capability: `users.getUser`. */
  readonly capability: string;
  /** The intent of the capability. */
  readonly intent: Intent;
  /** An enhancer has those inside it, and the handler, in its time. */
  readonly kind: 'call' | 'guard' | 'inputGuard' | 'enhancer' | 'handler';
  /** The name of the guard or enhancer; of a call and its handler the key. */
  readonly name: string;
}

/**
 * Runs a step, and gives what it gave. A guard, an enhancer or a handler that refuses rejects or throws; a `call` whose
 * input is invalid gives `{ok: false, failure}`.
 */
export type RunStep = (run: () => MaybePromise<unknown>, request: ContextRequest | undefined) => MaybePromise<unknown>;

/** Asked once for each step, when a server is made: undefined leaves it alone, which costs nothing. */
export type Observer = (step: ObservedStep) => RunStep | undefined;

type Step = (first: never, second: never) => MaybePromise<unknown>;

/** The same step, in the hands of all observers, the first outermost; `contextAt` is the index of the context. */
export function observed<S extends Step>(step: S, runs: readonly RunStep[], contextAt: 0 | 1): S {
  return runs.reduceRight<Step>(
    (inner, run) => (first, second) =>
      run(() => inner(first, second), findCallRequest(contextAt === 0 ? first : second)),
    step,
  ) as S;
}

/** The runs that observers give for a step. */
export function toRuns(observers: readonly Observer[], step: ObservedStep): readonly RunStep[] {
  return observers.flatMap((observer) => observer(step) ?? []);
}
