import type { ErrorFactory } from '../errors/define-error.ts';
import type { MaybePromise } from '../errors/failure.ts';
import type { Intent } from './definition.ts';
import type { Narrowing } from './guard.ts';
import type { Reply } from './reply.ts';

const ENHANCER: unique symbol = Symbol.for('capix.enhancer') as never;
const INNER: unique symbol = Symbol.for('capix.enhancer.inner') as never;
declare const ANSWER: unique symbol;
declare const ADDED: unique symbol;
declare const THROWS: unique symbol;

/** A handler as it is kept: the validated input and the context; gives the value of the answer. */
export type Handler = (input: never, ctx: never) => unknown;

/** A handler's value, as an enhancer hands it on, perhaps in `reply(…)`; a value of its own is given `as Answer`. */
export interface Answer {
  readonly [ANSWER]?: true;
}

/** The next step inwards, as an enhancer calls it. `Ctx` is what the context must be by then. */
export type Next<Input = unknown, Ctx = unknown> = (input: Input, ctx: Ctx) => MaybePromise<Answer>;

type Enhanced<Input, Ctx> = (input: Input, ctx: Ctx) => MaybePromise<Answer | Reply<Answer>>;

/** The capability as the enhancer that wraps it sees it, once, when the registry is compiled. */
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

/** The texts on an enhancer in documents and `show`. */
export interface EnhancerOptions<Errors = ErrorFactory> {
  /** Shown by `show` and documents. @default the function's name, else `enhancer` */
  readonly name?: string | undefined;
  /** The errors that the enhancer may throw; listed in OpenAPI, the client and MCP. */
  readonly errors?: readonly Errors[] | undefined;
  /** Replaces the default timeout of the capability, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Settings worth showing: `{ttlMs: 60000}`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/**
 * Something around a handler: caching, limits, a transaction. The first one declared is the outermost. `Input` and
 * `Ctx` are what it must be given, `Added` what it adds to the context behind it, `Errors` those that it declares.
 */
export interface Enhancer<in Input = unknown, in Ctx = unknown, out Added = unknown, out Errors = unknown> {
  readonly [ENHANCER]: true;
  readonly [ADDED]: Added;
  readonly [THROWS]: Errors;
  /** Shown by `show` and documents. */
  readonly name: string;
  /** The errors that the enhancer may throw, as declared. */
  readonly errors: readonly ErrorFactory[];
  /** The timeout of the capability, milliseconds; undefined leaves it as it is. */
  readonly timeoutMs: number | undefined;
  /** Settings worth showing. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Wraps a handler once, when the registry is compiled. */
  readonly wrap: (
    next: Next<never, never>,
    operation: EnhancedOperation,
  ) => (input: Input, ctx: Ctx) => MaybePromise<Answer | Reply<Answer>>;
}

export type AnyEnhancer = Enhancer<never, never>;

/**
 * Defines an enhancer. Say which context it needs where it reads one, and which it hands on where it adds to it;
 * written where it is used, `.enhance(defineEnhancer((next) => …))`, it has the types of the capability.
 *
 * @example
 * ```ts
 * const withLog = defineEnhancer((next, { key }) => async (input, ctx) => {
 *   const startedAt = performance.now();
 *   try {
 *     return await next(input, ctx);
 *   } finally {
 *     console.log(key, performance.now() - startedAt);
 *   }
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

/** The enhancers of this package that others have to know: by this mark, because everybody may choose a name. */
export type EnhancerKind = 'cache' | 'caller' | 'idempotency' | 'limit';

/** The parts of an enhancer that only those of this package have. */
export interface InnerParts {
  /** The last one of `idempotency` is outside of all others, and the only one that counts. */
  readonly kind?: EnhancerKind | undefined;
  /** Whether it needs what a server has: its store, the requests of its calls. */
  readonly usesServer?: boolean | undefined;
  /** Makes a check that runs before guards, once for each capability; it gets no input. */
  readonly admit?: ((operation: EnhancedOperation) => Check) | undefined;
  /** The headers that it adds to responses, with what documents say of them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function createEnhancer<Input, Ctx, Inner = Ctx, Errors extends ErrorFactory = never>(
  wrap: Wrap<Input, Ctx, Inner>,
  options: EnhancerOptions<Errors>,
  inner: InnerParts,
): Enhancer<Input, Ctx, Narrowing<Ctx, Inner>, Errors> {
  const { name = wrap.name || 'enhancer', errors = [], timeoutMs, settings = {} } = options;
  const enhancer = { [ENHANCER]: true, [INNER]: inner, name, errors, timeoutMs, settings, wrap };
  return Object.freeze(enhancer) as never;
}

const noParts: InnerParts = {};

export function innerPartsOf(enhancer: AnyEnhancer): InnerParts {
  return (enhancer as { readonly [INNER]?: InnerParts })[INNER] ?? noParts;
}

export function isEnhancer(value: unknown): value is AnyEnhancer {
  return typeof value === 'object' && value !== null && ENHANCER in value;
}
