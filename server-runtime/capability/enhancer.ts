import { brand } from '../errors/brand.ts';
import type { ErrorFactory } from '../errors/define-error.ts';
import { expectFunction } from '../errors/expect-options.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import { type BaseContext, findCallRequest } from './context.ts';
import type { Intent } from './definition.ts';
import { type Step, type StepOptions, toErrors } from './guard.ts';
import type { Reply } from './reply.ts';

export const ENHANCER: unique symbol = Symbol.for('capix.enhancer');
declare const ANSWER: unique symbol;
export declare const ADDED: unique symbol;
declare const PASSED: unique symbol;

export type Handler = (input: never, ctx: never) => unknown;

/**
 * A handler's value on its way through enhancers, perhaps in `reply(…)`. An enhancer returns a value of its own `as
 * Answer`.
 */
export interface Answer {
  readonly [ANSWER]?: true;
}

/** The next step inwards. */
export type Next<Input = unknown, Ctx = unknown> = (input: Input, ctx: Ctx) => MaybePromise<Answer>;

export interface EnhancedOperation {
  /** `<group>.<name>`; the name alone for a capability that is run outside a registry. */
  readonly key: string;
  readonly intent: Intent;
  /** Whether the answer may depend on the caller. */
  readonly guarded: boolean;
}

/** Something that must hold before guards run, or after; throws where it does not. */
export type Check = (ctx: unknown, input: unknown) => MaybePromise<unknown>;

export interface EnhancerParts {
  /** Settings worth showing: `{ttlMs: 60000}`. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Replaces the default timeout of the capability, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The last one of `idempotency` is outside of all others, and the only one that counts. */
  readonly kind?: 'cache' | 'caller' | 'idempotency' | 'limit' | undefined;
  /** Makes a check that runs before guards, once for each capability; it gets no input. */
  readonly admit?: ((operation: EnhancedOperation) => Check) | undefined;
  /** The headers that it adds to responses, with their descriptions for documents. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether it may change the answer of the handler in place: a function of the application may. */
  readonly mayChangeAnswer?: boolean | undefined;
}

/**
 * A layer around a handler: caching, limits, a transaction. `Added` is the type of the fields that it adds to the
 * context behind it.
 */
export interface Enhancer<
  in Input = unknown,
  in Ctx = unknown,
  out Added = unknown,
  out Errors = unknown,
> extends Step<Errors>,
    EnhancerParts {
  readonly [ENHANCER]: true;
  readonly [ADDED]: Added;
  /** Wraps a handler once, when the registry is compiled. */
  readonly wrap: Wrap<Input, Ctx>;
}

export type Wrap<Input, Ctx> = (
  next: Next,
  operation: EnhancedOperation,
) => (input: Input, ctx: Ctx) => unknown;

export type AnyEnhancer = Enhancer<never, never>;

export function createEnhancer<Input, Ctx, Added = unknown, Errors extends ErrorFactory = never>(
  wrap: Wrap<Input, Ctx>,
  options: StepOptions<Errors> & Partial<EnhancerParts>,
): Enhancer<Input, Ctx, Added, Errors> {
  return brand<Enhancer<Input, Ctx, Added, Errors>>({
    [ENHANCER]: true,
    settings: {},
    ...options,
    name: options.name ?? 'enhancer',
    errors: toErrors(options),
    wrap,
  });
}

/**
 * The answer of everything behind a middleware, bare or in `reply(…)`. `Added` is what the middleware added to the
 * context.
 */
export interface Passed<out Added = unknown> {
  readonly [PASSED]: Added;
}

/** One call, as a middleware sees it. `Ctx` is the context that the middleware needs, `Input` the input. */
export interface MiddlewareCall<out Ctx = BaseContext, out Input = unknown> {
  /** The validated input. */
  readonly input: Input;
  /** The context, after the guards and the additions of the middleware before. */
  readonly ctx: Ctx;
  /** The capability that is called: `{key: 'users.getUser', intent: 'query', guarded: false}`. */
  readonly operation: EnhancedOperation;
  /**
   * Runs the rest of the call, with more in its context where `next` gets an object: `next({tx})`. Rejects with the
   * error of the rest.
   */
  readonly next: {
    (): Promise<Passed>;
    <Added extends object>(added: Added): Promise<Passed<Added>>;
  };
}

/** The answer of a middleware: the one of `next`, perhaps in `reply(…)`, or its own, by `as Answer`. */
export type MiddlewareAnswer = Answer | Passed | Reply<Answer | Passed>;

/** The fields that a middleware adds to the context, by the type of its answer. */
export type AddedIn<Result> = [PassedIn<Result>] extends [never] ? unknown : PassedIn<Result>;
export type PassedIn<Result> =
  Result extends Passed<infer Added>
    ? Added
    : Result extends Reply<infer Data>
      ? PassedIn<Data>
      : never;

/**
 * Defines a middleware: an enhancer that is written as one function of the call. It continues by `next()`, or by
 * `next({tx})` with more in the context, typed for everything behind it. Declare the context that it needs,
 * `MiddlewareCall<Context>`, unless it is written where it is used.
 */
export function defineMiddleware<
  Ctx = BaseContext,
  Input = unknown,
  Result extends MiddlewareAnswer = MiddlewareAnswer,
  Errors extends ErrorFactory = never,
>(
  run: (call: MiddlewareCall<Ctx, Input>) => Result | Promise<Result>,
  { name = run?.name || 'middleware', errors = [] }: StepOptions<Errors> = {},
): Enhancer<Input, Ctx, AddedIn<Result>, Errors> {
  expectFunction('defineMiddleware', run, 'defineMiddleware(({ next }) => next())');
  const wrap = (next: Next, operation: EnhancedOperation) => async (input: Input, ctx: Ctx) => {
    const proceed = async (added?: object): Promise<Answer> => {
      const request = findCallRequest(ctx);
      const mark = request?.successQueue?.mark() ?? 0;
      try {
        return await next(input, added === undefined ? ctx : withAdded(ctx, added));
      } catch (thrown) {
        // Drops the work that the failed attempt left for after the success: the middleware may try again, or answer
        // itself.
        request?.successQueue?.rollBack(mark);
        throw thrown;
      }
    };
    return run({ input, ctx, operation, next: proceed as never });
  };
  return createEnhancer(wrap, { name, errors, mayChangeAnswer: true });
}

/** A context that is an instance of a class keeps its methods: the fields stand on an object derived from it. */
export function withAdded<Added extends object>(ctx: unknown, added: Added): Added {
  if (typeof ctx !== 'object' || ctx === null) return added;
  const prototype: unknown = Object.getPrototypeOf(ctx);
  if (prototype === Object.prototype || prototype === null) return { ...ctx, ...added };
  return Object.create(ctx, Object.getOwnPropertyDescriptors(added)) as Added;
}
