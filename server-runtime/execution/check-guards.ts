import type { BuilderRequest, CallRequest } from '../capability/context.ts';
import { withAdded } from '../capability/enhancer.ts';
import type { AnyGuard } from '../capability/guard.ts';
import { askGuard, isLoaded, type ParamSource, passGuard } from '../capability/guard-call.ts';
import type { Failure } from '../errors/failure.ts';
import type { BuildContext } from './execute.ts';

/**
 * Finds for each list of guards why it refuses a caller: with 401 or 403, or else with the first other error, behind
 * which the next guards run all the same. Guards with which several lists begin run once. Without `params`, a guard
 * that reads some does not run, and none behind it, which may need what it loads. No limit counts such a check, and no
 * observer sees it.
 */
export function createGuardChecker(
  buildContext: BuildContext,
  toCallFailure: (thrown: unknown) => Failure,
) {
  const toStanding = (thrown: unknown, before: Standing): Standing => {
    const reason = toCallFailure(thrown);
    if (isRefusal(reason)) return { ...before, refusal: reason };
    return { ...before, fault: before.fault ?? reason };
  };

  async function begin(request: BuilderRequest): Promise<Standing> {
    try {
      return { ctx: await buildContext(request, false) };
    } catch (thrown) {
      return toStanding(thrown, { ctx: undefined, isUnknown: true });
    }
  }

  async function ask(before: Standing, guard: AnyGuard, params?: ParamSource): Promise<Standing> {
    if (before.refusal !== undefined || before.isUnknown === true) return before;
    const isUnknown = guard.params.length > 0 && params === undefined;
    if (isUnknown) return { ...before, isUnknown };
    try {
      const loaded = await askGuard(guard, before.ctx, params ?? noParams);
      if (loaded instanceof Error) throw loaded;
      // Other lists go on from the same context.
      return isLoaded(loaded) ? { ...before, ctx: withAdded(before.ctx, loaded) } : before;
    } catch (thrown) {
      return toStanding(thrown, before);
    }
  }

  return async (
    lists: readonly (readonly AnyGuard[])[],
    request: BuilderRequest & CallRequest,
    params?: ParamSource,
  ): Promise<readonly (Failure | undefined)[]> => {
    const first: Point = { standing: begin(request), next: new Map() };
    const standings = lists.map(async (guards) => {
      if (guards.length === 0) return undefined;
      const last = guards.reduce((point, guard) => {
        const known = point.next.get(guard);
        if (known !== undefined) return known;
        const standing = point.standing.then(async (before) => ask(before, guard, params));
        const behind: Point = { standing, next: new Map() };
        point.next.set(guard, behind);
        return behind;
      }, first);
      const { refusal, fault } = await last.standing;
      return refusal ?? fault;
    });
    return Promise.all(standings);
  };
}

/** Whether a failure is the answer of a guard, and not the error of one that could not answer. */
export function isRefusal({ status }: Failure): boolean {
  return status === 401 || status === 403;
}

/** A caller behind some guards. */
interface Standing {
  readonly ctx: object | undefined;
  /** Why one of them refuses the caller with 401 or 403. */
  readonly refusal?: Failure | undefined;
  /** The first other error of one of them. */
  readonly fault?: Failure | undefined;
  /** Whether the next guards cannot run: one of them reads parameters that are not there. */
  readonly isUnknown?: boolean;
}

/** A caller behind some guards, and behind each one that follows them. */
interface Point {
  readonly standing: Promise<Standing>;
  readonly next: Map<AnyGuard, Point>;
}

/**
 * Builds the context to read something of a capability without calling it, once its guards have let the caller pass. No
 * limit counts it, and no observer sees it. Rejects with the refusal.
 */
export function createAdmission(buildContext: BuildContext) {
  return async (
    guards: readonly AnyGuard[],
    request: BuilderRequest & CallRequest,
    params = noParams,
  ): Promise<object> => {
    let context: unknown = await buildContext(request, false);
    for (const guard of guards) context = await passGuard(guard, context, params);
    return context as object;
  };
}

const noParams: ParamSource = { readParams: () => ({ ok: true, value: {} }) };
