import type { ErrorFactory } from '../errors/define-error.ts';
import { type Outcome, toError } from '../errors/failure.ts';
import type { Mistake, Unwrapped } from '../errors/mistake.ts';
import type { InputOf, OutputOf, Schema, StandardSchema } from '../schema/schema.ts';
import type {
  AnswerLike,
  AnswerMap,
  AnswerOptions,
  DataIn,
  Fitting,
  GivableOf,
  MadeOf,
  Makes,
  PagedInput,
  PlainOf,
  StatusOf,
  WithAnswer,
  WithMade,
} from './content.ts';
import type { BaseContext, CallContext, ContextOfGuard } from './context.ts';
import {
  type CacheControlOptions,
  type CapabilityDefinition,
  type DeclaredParts,
  type Deprecation,
  type Intent,
  noParts,
  type OfferOptions,
  type ResourceOptions,
  type ToolOptions,
  toDefinition,
  toMethods,
} from './definition.ts';
import type { Enhancer } from './enhancer.ts';
import type { Guard, InputGuard } from './guard.ts';
import type { FieldsIn, HttpMethod, MissingCheck, PathFor, TakesOptions } from './http.ts';
import { type SoundAnswer, toReplyData, type Unreply } from './reply.ts';
import { type CapabilitySteps, runCapability, toCapabilitySteps } from './run-capability.ts';

// In the global symbol registry, as all marks, so that two copies of the package know each.
export const CAPABILITY: unique symbol = Symbol.for('capix.capability');
export declare const ANSWER: unique symbol;
export declare const DECLARED: unique symbol;
declare const READ: unique symbol;

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

/** The data that callers get: the result of the declared answers, else the value of the handler. */
export type MadeBy<Output, Declared> = [DataIn<Declared>] extends [never]
  ? Unreply<Output>
  : DataIn<Declared>[keyof DataIn<Declared>];

/** The errors that a guard or enhancer declares; none where the compiler does not know which. */
export type DeclaredBy<Errors> = unknown extends Errors ? never : Errors;

/** The parameters that a guard reads, which are fields of the input. */
export interface Reads<out Param extends string> {
  readonly [READ]: Param;
}

/** `unknown` for an input that has the parameters that its guards read; else a `Mistake`. */
export type ReadCheck<S, Declared> = [ReadBy<Declared>] extends [never]
  ? unknown
  : S extends Schema
    ? MissingCheck<Exclude<ReadBy<Declared>, FieldsIn<InputOf<S>>>>
    : unknown;
export type ReadBy<Declared> = Declared extends Reads<infer Param> ? Param : never;

/** The declaration of a guard that reads parameters; nothing for any other one. */
export type ReadsOf<Param extends string> = string extends Param ? never : ReadsNamed<Param>;
type ReadsNamed<Param extends string> = [Param] extends [never] ? never : Reads<Param>;

export type GuardLike<Ctx, C, Narrowed, E, Param extends string> =
  | Guard<ContextOfGuard<Ctx, C>, Narrowed, E, Param>
  | Unwrapped<'Wrap the function: .guard(defineGuard((ctx) => …))'>;
export type InputGuardLike<S, Ctx, E> =
  | InputGuard<ParsedInput<S>, Ctx, E>
  | Unwrapped<'Wrap the function: .inputGuard(defineInputGuard((input, ctx) => …))'>;
export type EnhancerLike<S, Ctx, Added, E> =
  | Enhancer<ParsedInput<S>, Ctx, Added, E>
  | Unwrapped<'Wrap the function: .use(defineMiddleware(({ next }) => next())), or call it: withTimeout(5000)'>;

/** The methods that say something about a capability, or about each one of a factory, and change no type. */
export interface Described<in S extends Schema | undefined> {
  /** States the route in place of the inferred one, or one more: `.route('PUT', '/articles/:slug')`. */
  route<const Path extends `/${string}`>(
    method: HttpMethod | Lowercase<HttpMethod>,
    path: Path & PathFor<S, Path>,
  ): this;
  /**
   * States which fields of the input headers and cookies carry, and which one is the whole body:
   * `.takes({headers: {ifMatch: 'if-match'}})`, `.takes({body: 'events'})`; and how long a body may be.
   */
  takes(options: TakesOptions<S extends Schema ? FieldsIn<InputOf<S>> : string>): this;
  /**
   * The `Cache-Control` of successful answers over HTTP: `'private, max-age=60'`. That of a `reply` replaces it. A
   * server with a `public` one behind guards does not start, unless the answer is the same for everybody: `{isShared:
   * true}`.
   */
  cacheControl(directives: string, options?: CacheControlOptions): this;
  /** Describes what the capability does, for documents, `show` and agents. */
  describe(text: string): this;
  /** The tool that agents see; `false` hides it from them. */
  tool(options: false | ToolOptions): this;
  /** A resource that agents read, of a query: `.resource('shop://orders/{id}')`, with fields of the input in braces. */
  resource(uri: `${string}:${string}`, options?: ResourceOptions): this;
  /**
   * Offers a query as a prompt, which people choose in their agent: the input is its arguments, the answer its text.
   */
  prompt(options?: OfferOptions): this;
}

/**
 * A named operation, declared once. Immutable: each method returns a new one. `S` is the input schema, `Output` what
 * the handler gives, `Ctx` the context that it gets, after guards, `Needs` that which a server must have, `Declared`
 * the errors, answers and replacement that it declares.
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
  /**
   * Adds a guard behind those that were added before. Where the handler takes no context of its own, the guard may take
   * any.
   */
  guard<C, E, Param extends string>(
    guard: GuardLike<Ctx, C, unknown, E, Param> & ReadCheck<S, ReadsOf<NoInfer<Param>>>,
  ): Capability<S, Output, Ctx, Needs & C, Declared | DeclaredBy<E>>;
  /** Adds a guard that sees the validated input. */
  inputGuard<E>(
    guard: InputGuardLike<S, Ctx, E>,
  ): Capability<S, Output, Ctx, Needs, Declared | DeclaredBy<E>>;
  /** Adds an enhancer, such as a middleware, inside those that were added before. */
  use<E>(
    enhancer: EnhancerLike<S, Ctx, unknown, E>,
  ): Capability<S, Output, Ctx, Needs, Declared | DeclaredBy<E>>;
  /** The same as `.use`. */
  readonly enhance: Capability<S, Output, Ctx, Needs, Declared>['use'];
  /** Declares an answer, in place of one of its status: a schema, which runs on the value, or a content. */
  output<A extends AnswerLike, const Status extends number = StatusOf<A>>(
    this: Answers<Fitting<Output, Declared, A, NoInfer<Status>>>,
    what: A | Mistake<NoAnswer>,
    options?: AnswerOptions<Status>,
  ): Capability<S, Output, Ctx, Needs, WithMade<Declared, Status, A>>;
  /** Declares errors that the handler may throw, for documents, clients and agents. */
  errors<E extends readonly (ErrorFactory | Mistake<NoError>)[]>(
    ...errors: E
  ): Capability<S, Output, Ctx, Needs, Declared | E[number]>;
  /** Marks it as going away. A server checks the key in `use`. */
  deprecated<const Key extends string = never>(
    deprecation?: Deprecation<Key>,
  ): Capability<S, Output, Ctx, Needs, Declared | Replaced<Key>>;
  /** Runs it in this process, without timeout or transport, and returns the same value as `server.invoke`. */
  resolve(input: RawInput<S>, ctx: CallContext<Needs>): Promise<MadeBy<Output, Declared>>;
}

// The compiler shows a name in place of a named `Mistake`, and the text of a named text.
type NoAnswer = 'Give a schema: .output(z.object({ id: z.string() }))';
type NoError = 'List what defineError made, each by itself: .errors(NotFound, EmailTaken)';
type IntentNames = "'query', 'mutation', 'update', 'replace' or 'delete'";
type NoIntent = `An intent is ${IntentNames}`;
type NoSchemaFirst =
  `Before the handler stands a schema: z.object({ id: z.string() }). Behind it stands an intent: ${IntentNames}`;

export type HandlerOf<Input, Ctx, Result> = (input: Input, ctx: Ctx) => Result;

/**
 * Declares capabilities: `cap(schema, handler)`, or everything first and the handler last, each typed from what stands
 * before it: `cap.input(ById).use(member).output(User)(handler)`. `Ctx` is the context after guards, `Needs` what a
 * server must have for them, `Added` what enhancers add for the handler.
 */
export interface CapabilityFactory<
  Ctx,
  Needs = Ctx,
  Added = unknown,
  Declared = never,
  S extends Schema | undefined = undefined,
> extends Described<S> {
  /** A capability of the input so far; without one, the handler gets the fields as they arrived. */
  <Result>(
    this: SoundAnswer<Awaited<Result>> & ReadCheck<S, Declared>,
    handler: HandlerOf<ParsedInput<S>, Ctx & Added, Result>,
    intent?: Intent | Mistake<NoIntent>,
  ): Capability<S, Awaited<Result>, Ctx, Needs, Declared>;
  /** A capability: the handler gets the validated input. Without an intent, the name says what it does. */
  <More extends Schema, Result>(
    this: SoundAnswer<Awaited<Result>> & ReadCheck<Joined<S, More>, Declared>,
    schema: More | Mistake<NoSchemaFirst>,
    handler: HandlerOf<OutputOf<Joined<S, More>>, Ctx & Added, Result>,
    intent?: Intent | Mistake<NoIntent>,
  ): Capability<Joined<S, More>, Awaited<Result>, Ctx, Needs, Declared>;
  /** The same factory for handlers whose context is `C`. */
  withContext<C>(): CapabilityFactory<
    ContextOfGuard<Ctx, C> & C,
    ContextOfGuard<Needs, C> & C,
    Added,
    Declared,
    S
  >;
  /** With a guard, which narrows the handler's `ctx` where it asserts. */
  guard<C, Narrowed, E, Param extends string>(
    guard: GuardLike<Ctx, C, Narrowed, E, Param>,
  ): CapabilityFactory<
    Ctx & C & Narrowed,
    Needs & C,
    Added,
    Declared | DeclaredBy<E> | ReadsOf<Param>,
    S
  >;
  /** With a guard that sees the validated input. */
  inputGuard<E>(
    guard: InputGuardLike<S, Ctx, E>,
  ): CapabilityFactory<Ctx, Needs, Added, Declared | DeclaredBy<E>, S>;
  /** Adds an enhancer, such as a middleware. Everything behind it sees the fields that it adds to the context. */
  use<C, More, E>(
    enhancer: EnhancerLike<S, ContextOfGuard<Ctx & Added, C>, More, E>,
  ): CapabilityFactory<Ctx & C, Needs & C, Added & More, Declared | DeclaredBy<E>, S>;
  /** The same as `.use`. */
  readonly enhance: CapabilityFactory<Ctx, Needs, Added, Declared, S>['use'];
  /** With errors that each of its handlers may throw. */
  errors<E extends readonly (ErrorFactory | Mistake<NoError>)[]>(
    ...errors: E
  ): CapabilityFactory<Ctx, Needs, Added, Declared | E[number], S>;
  /** Declares the input; the fields of a second one are added. */
  input<More extends Schema>(
    schema: More | Mistake<'Give a schema: .input(z.object({ id: z.string() }))'>,
  ): CapabilityFactory<Ctx, Needs, Added, Declared, Joined<S, More>>;
  /** Marks it as going away. A server checks the key in `use`. */
  deprecated<const Key extends string = never>(
    deprecation?: Deprecation<Key>,
  ): CapabilityFactory<Ctx, Needs, Added, Declared | Replaced<Key>, S>;
  /** Declares the answer, to which the handler is held. More may follow. */
  output<A extends AnswerLike, const Status extends number = StatusOf<A>>(
    what: A | Mistake<NoAnswer>,
    options?: AnswerOptions<Status>,
  ): HandlerTaker<PagedInput<S, A>, { readonly [At in Status]: A }, Ctx, Needs, Added, Declared>;
}

/** Takes the handler of a capability whose answers, `Map`, are declared, or one more answer. */
export interface HandlerTaker<
  S extends Schema | undefined,
  Map extends AnswerMap,
  Ctx,
  Needs,
  Added,
  Declared,
> {
  /** The handler returns the declared content: the plain value of the lowest status, or a reply. */
  // The compiler compares the promise of an asynchronous function by name with `Promise`, and by its members with
  // `PromiseLike`.
  (
    this: ReadCheck<S, Declared>,
    handler: HandlerOf<
      ParsedInput<S>,
      Ctx & Added,
      GivableOf<Map> | Promise<GivableOf<Map>> | PromiseLike<GivableOf<Map>>
    >,
    intent?: Intent | Mistake<NoIntent>,
  ): Capability<S, PlainOf<Map>, Ctx, Needs, Declared | Makes<MadeOf<Map>>>;
  /** Declares one more answer, in place of one of its status. */
  output<A extends AnswerLike, const Status extends number = StatusOf<A>>(
    what: A | Mistake<NoAnswer>,
    options?: AnswerOptions<Status>,
  ): HandlerTaker<S, WithAnswer<Map, Status, A>, Ctx, Needs, Added, Declared>;
}

/** Declares a capability: `capability(schema, handler, intent)`, with schema and intent as you need them. */
export const capability: CapabilityFactory<BaseContext> = toFactory(noParts);

function toFactory<Ctx>(parts: DeclaredParts): CapabilityFactory<Ctx> {
  const declare = (...args: readonly unknown[]): AnyCapability =>
    createCapability(toDefinition(parts, args, declare));
  const withContext = (): unknown => toFactory(parts);
  const methods = toMethods(() => parts, toFactory);
  return Object.assign(declare, methods, { withContext }) as unknown as CapabilityFactory<Ctx>;
}

/** A capability of any shape. */
// oxlint-disable-next-line typescript/no-explicit-any -- contexts are contravariant: only `any` admits them all
export type AnyCapability = Capability<any, any, any, any, any>;

/**
 * Whether `value` is a capability, of this copy of the package or another.
 *
 * @example
 * ```ts
 * const isPart = (value: unknown) => isCapability(value) || typeof value === 'function';
 * ```
 */
export function isCapability(value: unknown): value is AnyCapability {
  return typeof value === 'object' && value !== null && CAPABILITY in value;
}

/** Its methods are of the class: closures would be most of what a capability takes, and each method makes a new one. */
class DeclaredCapability {
  readonly [CAPABILITY]: CapabilityDefinition;
  #steps: CapabilitySteps | undefined;

  constructor(definition: CapabilityDefinition) {
    this[CAPABILITY] = Object.freeze(definition);
    Object.freeze(this);
  }

  async resolve(input: unknown, ctx: unknown): Promise<unknown> {
    const definition = definitionOf(this);
    const { handler, intent = 'mutation', guards, inputGuards } = definition;
    const guarded = guards.length + inputGuards.length > 0;
    this.#steps ??= toCapabilitySteps(definition, { key: handler.name, intent, guarded });
    const readInput = (): Outcome => ({ ok: true, value: input });
    const outcome = await runCapability(this.#steps, ctx, { readInput, readParams: readInput });
    if (outcome.ok) return toReplyData(outcome.value);
    throw toError(outcome.failure);
  }
}

Object.assign(DeclaredCapability.prototype, toMethods(definitionOf, createCapability));

/** @throws TypeError for a method that was taken from its capability, as by `const { resolve } = one` */
function definitionOf(one: unknown): CapabilityDefinition {
  if (one instanceof DeclaredCapability) return one[CAPABILITY];
  throw new TypeError('Call a method of a capability on it: one.resolve(input, ctx).');
}

function createCapability(definition: CapabilityDefinition): AnyCapability {
  return new DeclaredCapability(definition) as unknown as AnyCapability;
}
