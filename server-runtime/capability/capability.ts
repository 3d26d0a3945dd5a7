import type { ErrorFactory } from '../errors/define-error.ts';
import { toError } from '../errors/failure.ts';
import type { Unwrapped } from '../errors/mistake.ts';
import type { InputOf, OutputOf, Schema, StandardSchema } from '../schema/schema.ts';
import { createAnswerStep } from './answer-step.ts';
import type { AnswerLike, AnswerOptions, Fitting, Makes, StatusOf, WithMade } from './content.ts';
import type { CallContext, ContextOfGuard } from './context.ts';
import {
  type CapabilityDefinition,
  type Deprecation,
  type OfferOptions,
  type ResourceOptions,
  type ToolOptions,
  toMethods,
} from './definition.ts';
import type { Enhancer } from './enhancer.ts';
import type { Guard, InputGuard } from './guard.ts';
import type { FieldsIn, HttpMethod, PathFor, TakesOptions } from './http.ts';
import { toReplyData, type Unreply } from './reply.ts';
import { runCapability, toCapabilitySteps } from './run-capability.ts';

/** Marks every capability. In the global symbol registry, as all marks, so that two copies of the package know each. */
export const CAPABILITY: unique symbol = Symbol.for('capix.capability') as never;
declare const ANSWER: unique symbol;
declare const DECLARED: unique symbol;

/** The input of a capability without a schema: the fields as they arrived. */
export type RawFields = Record<string, unknown>;
export type RawInput<S> = S extends Schema ? InputOf<S> : RawFields | undefined;
export type ParsedInput<S> = S extends Schema ? OutputOf<S> : RawFields;
/** The schema of the fields of both, where one was declared before. */
export type Joined<S, More extends Schema> = S extends Schema
  ? StandardSchema<InputOf<S> & InputOf<More>, OutputOf<S> & OutputOf<More>>
  : More;

export interface Answers<out T> {
  readonly [ANSWER]: T;
}

/** Declares that a capability is to be replaced by the one of this key. */
export interface Replaced<out Key extends string> {
  /** The key of the other. */
  readonly use: Key;
}

/** The data that callers get: what declared answers make of what the handler gives, else that. */
export type MadeBy<Output, Declared> = [Extract<Declared, Makes<unknown>>] extends [never]
  ? Unreply<Output>
  : Extract<Declared, Makes<unknown>> extends Makes<infer Data>
    ? unknown extends Data
      ? unknown
      : Data[keyof Data]
    : never;

/** The errors that a guard or enhancer declares; none where the compiler does not know which. */
export type DeclaredBy<Errors> = unknown extends Errors ? never : Errors;

/** The values that `.guard` takes, and so on: of a factory and of a capability. */
export type GuardLike<Ctx, C, Narrowed, E> =
  | Guard<ContextOfGuard<Ctx, C>, Narrowed, E>
  | Unwrapped<'Wrap the function: .guard(defineGuard((ctx) => …))'>;
export type InputGuardLike<S, Ctx, E> =
  | InputGuard<ParsedInput<S>, Ctx, E>
  | Unwrapped<'Wrap the function: .inputGuard(defineInputGuard((input, ctx) => …))'>;
export type EnhancerLike<S, Ctx, Added, E> =
  | Enhancer<ParsedInput<S>, Ctx, Added, E>
  | Unwrapped<'Give what the function makes: .enhance(withTimeout(5000)), .enhance(defineEnhancer((next) => …))'>;
export type MiddlewareLike<S, Ctx, Added, E> =
  | Enhancer<ParsedInput<S>, Ctx, Added, E>
  | Unwrapped<'Wrap the function: .use(defineMiddleware(({ next }) => next()))'>;

/** The methods that say something about a capability, or about each one of a factory, and change no type. */
export interface Described<in S extends Schema | undefined> {
  /** States the route in place of the inferred one, or one more: `.route('PUT', '/articles/:slug')`. */
  route<const Path extends `/${string}`>(
    method: HttpMethod | Lowercase<HttpMethod>,
    path: Path & PathFor<S, Path>,
  ): this;
  /** States which fields of the input headers and cookies carry: `.takes({headers: {ifMatch: 'if-match'}})`. */
  takes(options: TakesOptions<S extends Schema ? FieldsIn<InputOf<S>> : string>): this;
  /** The `Cache-Control` of answers over HTTP that are no errors: `'private, max-age=60'`. One of a `reply` wins. */
  cacheControl(directives: string): this;
  /** Says what it does, for documents, `show` and agents. */
  describe(text: string): this;
  /** The tool that agents see; `false` hides it from them. */
  tool(options: false | ToolOptions): this;
  /** A resource that agents read, of a query: `.resource('shop://orders/{id}')`, with fields of the input in braces. */
  resource(uri: `${string}:${string}`, options?: ResourceOptions): this;
  /** A prompt that people choose in their agent, of a query: the input is its arguments, the answer what is said. */
  prompt(options?: OfferOptions): this;
}

/**
 * A named operation, declared once. Immutable: each method returns a new one.
 *
 * `S` is the input schema (undefined without one), `Output` what the handler gives, `Ctx` the context that the handler
 * gets, after its guards, `Needs` the context that a server must have or `resolve` is given, `Declared` the errors,
 * answers and replacement that it declares.
 */
export interface Capability<
  in out S extends Schema | undefined = Schema | undefined,
  out Output = unknown,
  in Ctx = never,
  in Needs = Ctx,
  out Declared = unknown,
> extends Answers<Output>,
    Described<S> {
  readonly [CAPABILITY]: CapabilityDefinition;
  readonly [DECLARED]: Declared;
  /** Adds a guard, after those added before. Where the handler takes no context of its own, the guard may take any. */
  guard<C, E>(guard: GuardLike<Ctx, C, unknown, E>): Capability<S, Output, Ctx, Needs & C, Declared | DeclaredBy<E>>;
  /** Adds a guard that sees the validated input. */
  inputGuard<E>(guard: InputGuardLike<S, Ctx, E>): Capability<S, Output, Ctx, Needs, Declared | DeclaredBy<E>>;
  /** Adds an enhancer inside those added before. */
  enhance<E>(enhancer: EnhancerLike<S, Ctx, unknown, E>): Capability<S, Output, Ctx, Needs, Declared | DeclaredBy<E>>;
  /** Adds a middleware, or any other enhancer, as `.enhance` does. */
  use<E>(middleware: MiddlewareLike<S, Ctx, unknown, E>): Capability<S, Output, Ctx, Needs, Declared | DeclaredBy<E>>;
  /**
   * Declares the answer: a schema, which runs on what the handler gives, or a content such as `noContent`. One of
   * another status is added, one of the same status replaces the former. A plain value has the lowest status.
   */
  output<A extends AnswerLike, const Status extends number = StatusOf<A>>(
    this: Answers<Fitting<Output, Declared, A, NoInfer<Status>>>,
    what: A,
    options?: AnswerOptions<Status>,
  ): Capability<S, Output, Ctx, Needs, WithMade<Declared, Output, Status, A>>;
  /** Declares errors that the handler may throw, beside those declared before, for documents, clients and agents. */
  errors<E extends readonly ErrorFactory[]>(...errors: E): Capability<S, Output, Ctx, Needs, Declared | E[number]>;
  /** Marks it as going away. A server checks the key in `use`. */
  deprecated<const Key extends string = never>(
    deprecation?: Deprecation<Key>,
  ): Capability<S, Output, Ctx, Needs, Declared | Replaced<Key>>;
  /**
   * Runs it in this process, without timeout or transport, and gives what `server.invoke` gives. Rejects with what its
   * parts throw, with `BadRequest` for an invalid input, and with a `TypeError` for a value that does not fit.
   */
  resolve(input: RawInput<S>, ctx: CallContext<Needs>): Promise<MadeBy<Output, Declared>>;
}

/** A capability of any shape. */
// oxlint-disable-next-line typescript/no-explicit-any -- contexts are contravariant: only `any` admits them all
export type AnyCapability = Capability<any, any, any, any, any>;

/**
 * Whether `value` is a capability, of this copy of the package or another.
 *
 * @example
 * ```ts
 * import * as users from './users/index.js';
 *
 * const names = Object.entries(users).filter(([, value]) => isCapability(value)).map(([name]) => name);
 * ```
 */
export function isCapability(value: unknown): value is AnyCapability {
  return typeof value === 'object' && value !== null && CAPABILITY in value;
}

export function definitionOfCapability(value: AnyCapability): CapabilityDefinition {
  return value[CAPABILITY];
}

export function toCapability(definition: CapabilityDefinition): AnyCapability {
  let run: ReturnType<typeof createRun> | undefined;
  return Object.freeze({
    ...toMethods(definition, (change) => toCapability({ ...definition, ...change })),
    [CAPABILITY]: Object.freeze(definition),
    resolve: async (input: unknown, ctx: unknown) => (run ??= createRun(definition))(input, ctx),
  }) as unknown as AnyCapability;
}

function createRun(definition: CapabilityDefinition): (input: unknown, ctx: unknown) => Promise<unknown> {
  const { handler, intent = 'mutation', guards, inputGuards, answers } = definition;
  const key = handler.name;
  const steps = toCapabilitySteps(definition, { key, intent, guarded: guards.length + inputGuards.length > 0 });
  const settle = createAnswerStep(key || 'The handler', answers);
  return async (input, ctx) => {
    const outcome = await settle(await runCapability(steps, ctx, { readInput: () => ({ ok: true, value: input }) }));
    if (outcome.ok) return toReplyData(outcome.value);
    throw toError(outcome.failure);
  };
}
