import { findCallRequest } from '../capability/call-request.ts';
import type { Intent } from '../capability/definition.ts';
import { type AnyEnhancer, createEnhancer, type Enhancer, innerPartsOf, type Next } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { expectInteger } from '../errors/expect-options.ts';
import { loadAnswerCodec } from './answer-codec.ts';
import { type By, claimSpace, createCallerOf, enhancerStateOf, whenLoaded } from './enhancer-state.ts';
import { createOnceStep, KeyReused } from './once-step.ts';

/** The options of `withIdempotency`: how long an answer is remembered, and for whom. */
export interface IdempotencyOptions<in Input = never, in Ctx = never> {
  /** The time that an answer is remembered, milliseconds. @default 86400000 (a day) */
  readonly ttlMs?: number | undefined;
  /**
   * Whose keys these are: `(input, ctx) => ctx.user.id`. A guarded capability must say it. The context is as the guards
   * leave it: what middleware adds to it is not there. @default one space of keys for everybody
   */
  readonly by?: By<Input, Ctx> | undefined;
  /** Refuses calls without a key with 400. @default false: they are run as they are */
  readonly required?: boolean | undefined;
  /** The time after which a call whose process has died may be run again, milliseconds. @default 30000 */
  readonly lockMs?: number | undefined;
  /** Answers that are remembered without a store. @default 10000 */
  readonly maxEntries?: number | undefined;
}

/** The type names one, because the others are those of every server. */
const errors = [defaultErrors.BadRequest, defaultErrors.Conflict, KeyReused, defaultErrors.ServiceUnavailable];

/**
 * Runs a change once for each `Idempotency-Key` that callers send, a header as in the draft of the IETF: the same key
 * and input get the first answer, or refusal, also while it is still being made; another input is 422
 * `IdempotencyKeyReused`. A call that failed with 5xx may be run again. Queries are let through.
 *
 * It stands outside of all middleware and other enhancers, wherever it is declared, so a transaction is committed, or
 * rolled back, before the outcome is stored; of several, the last one counts. Calls with a key are refused with 503
 * while the store of the server is away.
 *
 * @throws RangeError for a bad number; when the registry is compiled, TypeError on a guarded capability without `by`
 *
 * @example
 * ```ts
 * interface Context { readonly user: { readonly id: string } }
 *
 * export const createOrder = capability
 *   .withContext<Context>()(z.object({ item: z.string() }), ({ item }) => ({ id: '7', item }))
 *   .enhance(withIdempotency({ by: (_input, ctx) => ctx.user.id }));
 * ```
 */
export function withIdempotency<Input, Ctx>(
  options: IdempotencyOptions<Input, Ctx> = {},
): Enhancer<Input, Ctx, unknown, typeof KeyReused> {
  const { ttlMs = 86_400_000, lockMs = 30_000, maxEntries = 10_000, required = false, by } = options;
  expectInteger('withIdempotency ttlMs', ttlMs, { min: 1 });
  expectInteger('withIdempotency lockMs', lockMs, { min: 100 });
  expectInteger('withIdempotency maxEntries', maxEntries, { min: 1, max: 10_000_000 });
  return createEnhancer<Input, Ctx, Ctx, typeof KeyReused>(
    (next: Next<never, never>, operation) => {
      const call = next as Next;
      const { key: capability, intent, guarded } = operation;
      if (intent === 'query') return call;
      if (guarded && by === undefined)
        throw new TypeError(
          `withIdempotency on \`${capability}\`: the capability is guarded, so one user could get the answer of ` +
            'another. Say whose keys these are: withIdempotency({by: (_input, ctx) => ctx.user.id}).',
        );
      const space = claimSpace(operation, `once:${capability}`);
      const { open, logger } = enhancerStateOf(operation);
      const load = async (): Promise<Next> => {
        const codec = await loadAnswerCodec();
        const store = await open({ name: space, maxEntries });
        const callerOf = createCallerOf(by);
        return createOnceStep(call, { capability, store, codec, logger, space, ttlMs, lockMs, callerOf });
      };
      const callOnce = whenLoaded(load());
      return (input, ctx) => {
        if (findCallRequest(ctx)?.headers['idempotency-key'] !== undefined) return callOnce(input, ctx);
        if (required) throw defaultErrors.BadRequest('The header Idempotency-Key is missing');
        return call(input, ctx);
      };
    },
    { name: 'withIdempotency', settings: { ttlMs, required }, errors: errors as never },
    { usesServer: true, kind: 'idempotency' },
  );
}

/** The header in which callers send a key. */
export const KEY_HEADER = 'Idempotency-Key';

/** Whether calls may carry an `Idempotency-Key`, or must. */
export type KeyRule = 'optional' | 'required';

/** The rule of an operation for keys; undefined for one that takes none. */
export function findKeyRule(operation: {
  readonly intent: Intent;
  readonly definition: { readonly enhancers: readonly AnyEnhancer[] };
}): KeyRule | undefined {
  const found = operation.definition.enhancers.filter((each) => innerPartsOf(each).kind === 'idempotency');
  if (operation.intent === 'query' || found.length === 0) return undefined;
  return found.some(({ settings }) => settings['required'] === true) ? 'required' : 'optional';
}
