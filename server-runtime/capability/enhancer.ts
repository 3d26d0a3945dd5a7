import type { ErrorFactory } from '../errors/define-error.ts';
import type { MaybePromise } from '../errors/failure.ts';
import type { Intent } from './definition.ts';
import type { Narrowing, Step, StepOptions } from './guard.ts';
import type { Reply } from './reply.ts';

const ENHANCER: unique symbol = Symbol.for('capix.enhancer') as never;
const INNER: unique symbol = Symbol.for('capix.enhancer.inner') as never;
declare const ANSWER: unique symbol;
declare const ADDED: unique symbol;

/** A handler as it is kept: the validated input and the context; gives the value of the answer. */
export type Handler = (input: never, ctx: never) => unknown;

/** A handler's value, as an enhancer hands it on, perhaps in `reply(…)`; a value of its own is given `as Answer`. */
export interface Answer {
  readonly [ANSWER]?: true;
}

/** The next step inwards, as an enhancer calls it. `Ctx` is what the context must be by then. */
export type Next<Input = unknown, Ctx = unknown> = (input: Input, ctx: Ctx) => MaybePromise<Answer>;

type Enhanced<Input, Ctx> = (input: Input, ctx: Ctx) => MaybePromise<Answer | Reply<Answer>>;

export interface EnhancedOperation {
  /** `<group>.<name>`; the name alone for a capability that is run outside a registry. */
  readonly key: string;
  readonly intent: Intent;
  /** Whether the answer may depend on who asks. */
  readonly guarded: boolean;
}

/** Wraps a handler once, at start; the wrapped handler runs for every call. `Inner` is the context that it hands on. */
export type Wrap<Input = unknown, Ctx = unknown, Inner = Ctx> = (
  next: Next<Input, Inner>,
  operation: EnhancedOperation,
) => Enhanced<Input, Ctx>;

export interface EnhancerOptions<Errors = ErrorFactory> extends StepOptions<Errors> {
  /** Replaces the default timeout of the capability, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Settings worth showing: `{ttlMs: 60000}`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/**
 * Something around a handler: caching, limits, a transaction. The first one declared is the outermost. `Input` and
 * `Ctx` are what it must be given, `Added` what it adds to the context behind it, `Errors` those that it declares.
 */
export interface Enhancer<in Input = unknown, in Ctx = unknown, out Added = unknown, out Errors = unknown>
  extends Step<Errors> {
  readonly [ENHANCER]: true;
  readonly [ADDED]: Added;
  /** The timeout of the capability, milliseconds; undefined leaves it as it is. */
  readonly timeoutMs: number | undefined;
  /** Settings worth showing. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Wraps a handler once, when the registry is compiled. */
  readonly wrap: (next: Next<never, never>, operation: EnhancedOperation) => Enhanced<Input, Ctx>;
}

export type AnyEnhancer = Enhancer<never, never>;

/**
 * Defines an enhancer. Say which context it needs where it reads one, and which it hands on where it adds to it;
 * written where it is used, `.enhance(defineEnhancer((next) => …))`, it has the types of the capability.
 *
 * @example
 * ```ts
 * const withLog = defineEnhancer((next, { key }) => async (input, ctx) => {
 *   console.log('begins', key);
 *   return next(input, ctx);
 * });
 *
 * export const greet = capability(() => 'hello', 'query').enhance(withLog);
 * ```
 */
export function defineEnhancer<Input, Ctx, Inner = Ctx, Errors extends ErrorFactory = never>(
  wrap: Wrap<Input, Ctx, Inner>,
  options: EnhancerOptions<Errors> = {},
): Enhancer<Input, Ctx, Narrowing<Ctx, Inner>, Errors> {
  return createEnhancer(wrap, options, {});
}

/** Something that must hold before guards run, or after; throws where it does not. */
export type Check = (ctx: unknown, input: unknown) => MaybePromise<void>;

/** The parts of an enhancer that only those of this package have, which others know by them: a name is anybody's. */
export interface InnerParts {
  /** The last one of `idempotency` is outside of all others, and the only one that counts. */
  readonly kind?: 'cache' | 'caller' | 'idempotency' | 'limit' | undefined;
  /** Whether it needs what a server has: its store, the requests of its calls. */
  readonly usesServer?: boolean | undefined;
  /** Makes a check that runs before guards, once for each capability; it gets no input. */
  readonly admit?: ((operation: EnhancedOperation) => Check) | undefined;
  /** The headers that it adds to responses, with what documents say of them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function createEnhancer<Input, Ctx, Inner = Ctx, Errors extends ErrorFactory = never>(
  wrap: Wrap<Input, Ctx, Inner>,
  { name = wrap.name || 'enhancer', errors = [], timeoutMs, settings = {} }: EnhancerOptions<Errors>,
  inner: InnerParts,
): Enhancer<Input, Ctx, Narrowing<Ctx, Inner>, Errors> {
  return Object.freeze({ [ENHANCER]: true, [INNER]: inner, name, errors, timeoutMs, settings, wrap }) as never;
}

export function innerPartsOf(enhancer: AnyEnhancer): InnerParts {
  return (enhancer as { readonly [INNER]?: InnerParts })[INNER] ?? {};
}

export function isEnhancer(value: unknown): value is AnyEnhancer {
  return typeof value === 'object' && value !== null && ENHANCER in value;
}
