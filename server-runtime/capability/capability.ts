import type { ErrorFactory } from '../errors/define-error.ts';
import { toError } from '../errors/failure.ts';
import type { Unwrapped } from '../errors/mistake.ts';
import { type InputOf, isSchema, type OutputOf, type Schema, type StandardSchema } from '../schema/schema.ts';
import type {
  AnswerLike,
  AnswerMap,
  AnswerOptions,
  Fitting,
  GivableOf,
  MadeOf,
  Makes,
  StatusOf,
  WithAnswer,
  WithMade,
} from './content.ts';
import type { BaseContext, CallContext, ContextOfGuard } from './context.ts';
import {
  type CapabilityDefinition,
  type DeclaredParts,
  type Deprecation,
  declaredAt,
  expectKind,
  type Intent,
  intents,
  noParts,
  type OfferOptions,
  type ResourceOptions,
  type ToolOptions,
  toMethods,
} from './definition.ts';
import type { Enhancer, Handler } from './enhancer.ts';
import type { Guard, InputGuard } from './guard.ts';
import { type FieldsIn, type HttpMethod, type PathFor, type TakesOptions, toRequestOf } from './http.ts';
import { joinInputs } from './join-inputs.ts';
import type { PagedInput } from './page-of.ts';
import { type Replied, type SoundAnswer, toReplyData, type Unreply } from './reply.ts';
import { runCapability, toCapabilitySteps } from './run-capability.ts';

/** Marks every capability. In the global symbol registry, as all marks, so that two copies of the package know each. */
export const CAPABILITY: unique symbol = Symbol.for('capix.capability') as never;
declare const ANSWER: unique symbol;
declare const DECLARED: unique symbol;

/** The input of a capability without a schema: the fields as they arrived. */
export type RawFields = Record<string, unknown>;
export type RawInput<S> = S extends Schema ? InputOf<S> : RawFields | undefined;
export type ParsedInput<S> = S extends Schema ? OutputOf<S> : RawFields;
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

export type HandlerOf<Input, Ctx, Result> = (input: Input, ctx: Ctx) => Result;

/**
 * Declares capabilities: `cap(schema, handler)`, or everything first and the handler last, each typed from what stands
 * before it: `cap.input(ById).use(member).output(User)(handler)`. Every method gives another factory.
 *
 * `Ctx` is the context after the guards, `Needs` what a server must have for them, `Added` what enhancers add for the
 * handler, `Declared` the errors that are declared for each capability, `S` the schema of the input so far.
 */
export interface CapabilityFactory<
  Ctx,
  Needs = Ctx,
  Added = unknown,
  Declared = never,
  S extends Schema | undefined = undefined,
> extends Described<S> {
  /** A capability of the input that is declared so far; without one, the handler gets the fields as they arrived. */
  <Result>(
    this: SoundAnswer<Awaited<Result>>,
    handler: HandlerOf<ParsedInput<S>, Ctx & Added, Result>,
    intent?: Intent,
  ): Capability<S, Replied<Awaited<Result>>, Ctx, Needs, Declared>;
  /** A capability: the handler gets the validated input. Without an intent, the name says what it does. */
  <More extends Schema, Result>(
    this: SoundAnswer<Awaited<Result>>,
    schema: More,
    handler: HandlerOf<OutputOf<Joined<S, More>>, Ctx & Added, Result>,
    intent?: Intent,
  ): Capability<Joined<S, More>, Replied<Awaited<Result>>, Ctx, Needs, Declared>;
  /** The same factory for handlers whose context is `C`. What guards have narrowed stays narrowed. */
  withContext<C>(): CapabilityFactory<WithContext<Ctx, C>, WithContext<Needs, C>, Added, Declared, S>;
  /** With a guard, which narrows the handler's `ctx` where it asserts. */
  guard<C, Narrowed, E>(
    guard: GuardLike<Ctx, C, Narrowed, E>,
  ): CapabilityFactory<Ctx & C & Narrowed, Needs & C, Added, Declared | DeclaredBy<E>, S>;
  /** With a guard that sees the validated input. */
  inputGuard<E>(guard: InputGuardLike<S, Ctx, E>): CapabilityFactory<Ctx, Needs, Added, Declared | DeclaredBy<E>, S>;
  /** With an enhancer inside those added before: what it adds to the context is there for the handler. */
  enhance<More, E>(
    enhancer: EnhancerLike<S, Ctx & Added, More, E>,
  ): CapabilityFactory<Ctx, Needs, Added & More, Declared | DeclaredBy<E>, S>;
  /** With a middleware, as by `.enhance`. `capability` takes one of any context, which a server must have then. */
  use<C, More, E>(
    middleware: MiddlewareLike<S, ContextOfGuard<Ctx & Added, C>, More, E>,
  ): CapabilityFactory<Ctx & C, Needs & C, Added & More, Declared | DeclaredBy<E>, S>;
  /** With errors that each of its handlers may throw, beside those declared before. */
  errors<E extends readonly ErrorFactory[]>(
    ...errors: E
  ): CapabilityFactory<Ctx, Needs, Added, Declared | E[number], S>;
  /** Declares the input, for all that stands behind it; the fields of a second one are added. */
  input<More extends Schema>(schema: More): CapabilityFactory<Ctx, Needs, Added, Declared, Joined<S, More>>;
  /** Marks it as going away. A server checks the key in `use`. */
  deprecated<const Key extends string = never>(
    deprecation?: Deprecation<Key>,
  ): CapabilityFactory<Ctx, Needs, Added, Declared | Replaced<Key>, S>;
  /** Declares the answer, to which the handler is held: `cap.input(ById).output(User)(handler)`. More may follow. */
  output<A extends AnswerLike, const Status extends number = StatusOf<A>>(
    what: A,
    options?: AnswerOptions<Status>,
  ): HandlerTaker<PagedInput<S, A>, { readonly [At in Status]: A }, Ctx, Needs, Added, Declared>;
}

/** Takes the handler of a capability whose answers, `Map`, are declared, or one more answer. */
export interface HandlerTaker<S extends Schema | undefined, Map extends AnswerMap, Ctx, Needs, Added, Declared> {
  /** The handler gives what is declared: the plain value of the lowest status, or a reply. */
  // `Promise` stands beside `PromiseLike` because the promise of an asynchronous function is compared with it by name,
  // and with the other by what it can do.
  (
    handler: HandlerOf<
      ParsedInput<S>,
      Ctx & Added,
      GivableOf<Map> | Promise<GivableOf<Map>> | PromiseLike<GivableOf<Map>>
    >,
    intent?: Intent,
  ): Capability<S, Replied<GivableOf<Map>>, Ctx, Needs, Declared | Makes<MadeOf<Map>>>;
  /** Declares one more answer; one of the same status takes the place of the former. */
  output<A extends AnswerLike, const Status extends number = StatusOf<A>>(
    what: A,
    options?: AnswerOptions<Status>,
  ): HandlerTaker<S, WithAnswer<Map, Status, A>, Ctx, Needs, Added, Declared>;
}

export type WithContext<Known, C> = [keyof Known] extends [keyof BaseContext] ? C : Known & C;

/**
 * Declares a capability: `capability(schema, handler, intent)`, with schema and intent as you need them.
 * `capability.withContext<Context>()` is the factory of your application.
 *
 * @throws TypeError for what is not a schema, a handler or an intent
 */
export const capability: CapabilityFactory<BaseContext> = toFactory(noParts);

function toFactory<Ctx>(parts: DeclaredParts): CapabilityFactory<Ctx> {
  const withParts = (change: Partial<DeclaredParts>): CapabilityFactory<Ctx> => toFactory({ ...parts, ...change });
  const declare = (...args: readonly unknown[]): AnyCapability => {
    const [first, ...rest] = args;
    const [schema, [handler, intent]] = isSchema(first)
      ? [joinInputs(parts.schema, first), rest]
      : [parts.schema, args];
    const place = schema === undefined ? 'or a schema followed by one' : 'after the schema';
    return toCapability({
      ...parts,
      schema,
      request: toRequestOf(schema, parts.request),
      handler: expectKind(handler, isHandler, `capability: expected a handler function ${place}`),
      intent: intent === undefined ? undefined : expectKind(intent, isIntent, INTENTS),
      order: nextDeclaration(),
      declaredAt: declaredAt(declare),
    });
  };
  return Object.assign(declare, {
    ...toMethods(parts, withParts),
    withContext: () => toFactory(parts),
    input: (schema: unknown) =>
      withParts({ schema: joinInputs(parts.schema, expectKind(schema, isSchema, '.input: expected a schema')) }),
  }) as unknown as CapabilityFactory<Ctx>;
}

const INTENTS = `capability: the intent must be one of ${intents.join(', ')}`;

function isIntent(value: unknown): value is Intent {
  return (intents as readonly unknown[]).includes(value);
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

const COUNT: unique symbol = Symbol.for('capix.declarationCount') as never;

/** Counts what all copies of the package declare here: a module namespace loses the order of its exports. */
function nextDeclaration(): number {
  const counter = globalThis as { [COUNT]?: number };
  counter[COUNT] = (counter[COUNT] ?? 0) + 1;
  return counter[COUNT];
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
  const { handler, intent = 'mutation', guards, inputGuards } = definition;
  const key = handler.name;
  const steps = toCapabilitySteps(definition, { key, intent, guarded: guards.length + inputGuards.length > 0 });
  return async (input, ctx) => {
    const outcome = await runCapability(steps, ctx, { readInput: () => ({ ok: true, value: input }) });
    if (outcome.ok) return toReplyData(outcome.value);
    throw toError(outcome.failure);
  };
}
