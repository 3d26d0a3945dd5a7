import type { ErrorFactory } from '../errors/define-error.ts';
import { isSchema, type OutputOf, type Schema } from '../schema/schema.ts';
import {
  type AnyCapability,
  type Capability,
  type DeclaredBy,
  type Described,
  type EnhancerLike,
  type GuardLike,
  type InputGuardLike,
  type Joined,
  type MiddlewareLike,
  type ParsedInput,
  type Replaced,
  toCapability,
} from './capability.ts';
import type {
  AnswerLike,
  AnswerMap,
  AnswerOptions,
  GivableOf,
  MadeOf,
  Makes,
  StatusOf,
  WithAnswer,
} from './content.ts';
import type { BaseContext, ContextOfGuard } from './context.ts';
import {
  type DeclaredParts,
  type Deprecation,
  declaredAt,
  expectKind,
  type Intent,
  intents,
  noParts,
  toMethods,
} from './definition.ts';
import type { Handler } from './enhancer.ts';
import { toRequestOf } from './http.ts';
import { joinInputs } from './join-inputs.ts';
import type { PagedInput } from './page-of.ts';
import type { Replied, SoundAnswer } from './reply.ts';

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

/** `C` in place of the context of an application that defines none, and beside what is known of any other. */
export type WithContext<Known, C> = [keyof Known] extends [keyof BaseContext] ? C : Known & C;

/**
 * Declares a capability: `capability(schema, handler, intent)`, with schema and intent as you need them.
 * `capability.withContext<Context>()` is the factory of your application.
 *
 * @throws TypeError for what is not a schema, a handler or an intent
 *
 * @example
 * ```ts
 * export const ping = capability(() => 'pong', 'query');
 * export const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Ada' }));
 *
 * const cap = capability.withContext<{ readonly names: Map<string, string> }>();
 * export const getName = cap(z.object({ id: z.string() }), ({ id }, ctx) => ctx.names.get(id));
 * ```
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
