import type { ErrorFactory } from '../errors/define-error.ts';
import { findCallRequest } from './call-request.ts';
import type { BaseContext } from './context.ts';
import {
  type Answer,
  defineEnhancer,
  type EnhancedOperation,
  type Enhancer,
  type EnhancerOptions,
  type Next,
} from './enhancer.ts';
import type { Reply } from './reply.ts';

declare const PASSED: unique symbol;

/** The answer of what is behind a middleware, as it is or in `reply(…)`. `Added` is what the context was given. */
export interface Passed<out Added = unknown> {
  readonly [PASSED]: Added;
}

/** One call, as a middleware sees it. `Ctx` is the context that it must be given, `Input` the input. */
export interface MiddlewareCall<out Ctx = BaseContext, out Input = unknown> {
  /** The validated input. */
  readonly input: Input;
  /** The context, after the guards and with what the middleware before has added. */
  readonly ctx: Ctx;
  /** The capability that is called: `{key: 'users.getUser', intent: 'query', guarded: false}`. */
  readonly operation: EnhancedOperation;
  /** Goes on, with more in the context behind it where it is given something: `next({tx})`. Rejects with what fails. */
  readonly next: Proceed;
}

export interface Proceed {
  (): Promise<Passed>;
  <Added extends object>(added: Added): Promise<Passed<Added>>;
}

/** The answer of a middleware: what `next` gave, perhaps in `reply(…)`, or its own, by `as Answer`. */
export type MiddlewareAnswer = Answer | Passed | Reply<Answer | Passed>;

/** The fields that a middleware adds to the context, by what it answers. */
export type AddedIn<Result> = [PassedIn<Result>] extends [never] ? unknown : PassedIn<Result>;
export type PassedIn<Result> =
  Result extends Passed<infer Added> ? Added : Result extends Reply<infer Data> ? PassedIn<Data> : never;

/**
 * Defines a middleware: an enhancer that is written as one function of the call. It goes on by `next()`, or
 * `next({tx})` with more in the context, typed for everything behind it. Say which context it must be given,
 * `MiddlewareCall<Context>`, unless it is written where it is used.
 *
 * @example
 * ```ts
 * const withTenant = defineMiddleware(({ ctx, next }: MiddlewareCall<{ host: string }>) => next({ tenant: ctx.host }));
 *
 * export const listItems = capability.use(withTenant)((_input, ctx) => [ctx.tenant]);
 * ```
 */
export function defineMiddleware<
  Ctx = BaseContext,
  Input = unknown,
  Result extends MiddlewareAnswer = MiddlewareAnswer,
  Errors extends ErrorFactory = never,
>(
  run: (call: MiddlewareCall<Ctx, Input>) => Result | Promise<Result>,
  options: EnhancerOptions<Errors> = {},
): Enhancer<Input, Ctx, AddedIn<Result>, Errors> {
  const wrap = (next: Next, operation: EnhancedOperation) => async (input: Input, ctx: Ctx) => {
    const proceed = async (added?: object): Promise<Answer> => {
      const request = findCallRequest(ctx);
      const before = request?.endOfCall?.length ?? 0;
      try {
        return await next(input, added === undefined ? ctx : withAdded(ctx, added));
      } catch (thrown) {
        // What a failed attempt has left for after the call's success: the middleware may try again, or answer.
        request?.endOfCall?.dropFrom(before);
        throw thrown;
      }
    };
    return (await run({ input, ctx, operation, next: proceed as never })) as Answer;
  };
  const name = options.name ?? (run.name || 'middleware');
  return defineEnhancer<Input, Ctx, Ctx, Errors>(wrap as never, { ...options, name }) as never;
}

/** A context that is an instance of a class keeps its methods: the fields stand on an object derived from it. */
export function withAdded<Added extends object>(ctx: unknown, added: Added): Added {
  if (typeof ctx !== 'object' || ctx === null) return added;
  const prototype: unknown = Object.getPrototypeOf(ctx);
  if (prototype === Object.prototype || prototype === null) return { ...ctx, ...added };
  return Object.create(ctx, Object.getOwnPropertyDescriptors(added)) as Added;
}
