import type { ErrorFactory } from '../errors/define-error.ts';
import type { Unwrapped } from '../errors/mistake.ts';
import type { MaybePromise } from '../errors/outcome.ts';
import { isSchema, type OutputOf, type Schema } from '../schema/schema.ts';
import type { AnswerMap, GivableOf, MadeOf } from './answers/answer-map.ts';
import type { AnswerLike, AnswerOptions, GivenFor, MadeAt, StatusOf } from './answers/content.ts';
import {
  type AnyCapability,
  type Capability,
  type DeclaredBy,
  type RawFields,
  toCapability,
  type WithMade,
} from './capability.ts';
import type { BaseContext, ContextOfGuard } from './context.ts';
import { type DeclaredParts, noParts, toPartMethods } from './declared/declared-parts.ts';
import type { InputFactory } from './declared/input-factory.ts';
import { declaredAt } from './declared-at.ts';
import { describeValue } from './declared-steps.ts';
import type { Enhancer, Handler } from './enhancer.ts';
import type { Guard, InputGuard } from './guard.ts';
import { type Intent, intents, isIntent } from './intent.ts';
import type { Replied, Reply } from './reply.ts';
import { type TakesOptions, toRequestOf } from './route/declared-request.ts';
import type { SoundAnswer } from './sound-answer.ts';

/** A handler's function: what it gets, and what it gives. */
export type HandlerOf<Input, Ctx, Result> = (input: Input, ctx: Ctx) => Result;

/**
 * Declares capabilities for a context. `Ctx` is the context after the guards, `Needs` what a server must have for them, `Added` what
 * enhancers add for the handler, `Declared` the errors that are declared for each capability.
 */
export interface CapabilityFactory<Ctx, Needs = Ctx, Added = unknown, Declared = never> {
  /** A capability without an input schema: the handler gets the fields as they arrived. */
  <Result>(
    this: SoundAnswer<Awaited<Result>>,
    handler: HandlerOf<RawFields, Ctx & Added, Result>,
    intent?: Intent,
  ): Capability<undefined, Replied<Awaited<Result>>, Ctx, Needs, Declared>;
  /** A capability: the handler gets the validated input. Without an intent, the name says what it does. */
  <S extends Schema, Result>(
    this: SoundAnswer<Awaited<Result>>,
    schema: S,
    handler: HandlerOf<OutputOf<S>, Ctx & Added, Result>,
    intent?: Intent,
  ): Capability<S, Replied<Awaited<Result>>, Ctx, Needs, Declared>;
  /** The same factory for handlers whose context is `C`. What guards have narrowed stays narrowed. */
  withContext<C>(): CapabilityFactory<WithContext<Ctx, C>, WithContext<Needs, C>, Added, Declared>;
  /** The same factory with a guard: an asserting guard narrows the handler's `ctx`. */
  guard<C, Narrowed, E>(
    guard: Guard<ContextOfGuard<Ctx, C>, Narrowed, E> | Unwrapped<'Wrap the function: .guard(defineGuard((ctx) => …))'>,
  ): CapabilityFactory<Ctx & C & Narrowed, Needs & C, Added, Declared | DeclaredBy<E>>;
  /** The same factory with a guard that sees the validated input. */
  inputGuard<E>(
    guard:
      | InputGuard<unknown, Ctx, E>
      | Unwrapped<'Wrap the function: .inputGuard(defineInputGuard((input, ctx) => …))'>,
  ): CapabilityFactory<Ctx, Needs, Added, Declared | DeclaredBy<E>>;
  /** The same factory with an enhancer inside those added before: what it adds to the context is there for the handler. */
  enhance<More, E>(
    enhancer:
      | Enhancer<unknown, Ctx & Added, More, E>
      | Unwrapped<'Give what the function makes: .enhance(withTimeout(5000)), .enhance(defineEnhancer((next) => …))'>,
  ): CapabilityFactory<Ctx, Needs, Added & More, Declared | DeclaredBy<E>>;
  /**
   * The same factory with a middleware, or any other enhancer, inside those added before: what it adds to the context is there for the handler.
   * `capability` itself takes one of any context, which a server must have then.
   */
  use<C, More, E>(
    middleware:
      | Enhancer<unknown, ContextOfGuard<Ctx & Added, C>, More, E>
      | Unwrapped<'Wrap the function: .use(defineMiddleware(({ next }) => next()))'>,
  ): CapabilityFactory<Ctx & C, Needs & C, Added & More, Declared | DeclaredBy<E>>;
  /** The same factory with errors that each of its handlers may throw. */
  errors<E extends readonly ErrorFactory[]>(...errors: E): CapabilityFactory<Ctx, Needs, Added, Declared | E[number]>;
  /**
   * The same factory for capabilities that take these fields from headers and cookies, each where its input has the field:
   * `cap.takes({headers: {tenant: 'x-tenant'}})`. A capability that says otherwise of a field wins.
   */
  takes(options: TakesOptions): CapabilityFactory<Ctx, Needs, Added, Declared>;
  /**
   * Declares the input, so that whatever else is declared stands before the handler, too: `cap.input(ById).output(User)(handler)`. In that order the
   * compiler knows the capability without the handler's body.
   */
  input<S extends Schema>(schema: S): InputFactory<S, Ctx, Needs, Added, Declared>;
  /** Declares the shape of the answer before the handler, which is then held to it: `cap.output(User)(schema, handler)`. */
  output<A extends AnswerLike, const Status extends number = StatusOf<A>>(
    what: A,
    options?: AnswerOptions<Status>,
  ): AnsweringFactory<
    GivenFor<A> | Reply<GivenFor<A>, Status | undefined>,
    Ctx,
    Needs,
    Added,
    WithMade<Declared, MadeAt<Status, A>>
  >;
  /** Declares several answers by status before the handler: `cap.answers({200: Done, 202: Accepted})(schema, handler)`. */
  answers<const Map extends AnswerMap>(
    map: Map,
  ): AnsweringFactory<GivableOf<Map>, Ctx, Needs, Added, WithMade<Declared, MadeOf<Map>>>;
}

/** Declares capabilities whose handlers give `Given`: a plain value or a reply. */
export interface AnsweringFactory<Given, Ctx, Needs = Ctx, Added = unknown, Declared = never> {
  /** A capability without an input schema: the handler gets the fields as they arrived. */
  (
    handler: HandlerOf<RawFields, Ctx & Added, MaybePromise<Given>>,
    intent?: Intent,
  ): Capability<undefined, Replied<Given>, Ctx, Needs, Declared>;
  /** A capability: the handler gets the validated input. */
  <S extends Schema>(
    schema: S,
    handler: HandlerOf<OutputOf<S>, Ctx & Added, MaybePromise<Given>>,
    intent?: Intent,
  ): Capability<S, Replied<Given>, Ctx, Needs, Declared>;
}

/** `C` in place of the context of an application that defines none, and beside what is known of any other. */
export type WithContext<Known, C> = [keyof Known] extends [keyof BaseContext] ? C : Known & C;

/**
 * Declares a capability: `capability(schema, handler, intent)`, with schema and intent as you need them. `capability.withContext<Context>()`
 * is the factory of your application.
 *
 * @throws TypeError for what is not a schema, a handler or an intent
 *
 * @example
 * ```ts
 * export const ping = capability(() => 'pong', 'query');
 *
 * export const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Ada' }));
 *
 * interface Context { readonly db: { readonly load: (id: string) => Promise<{ id: string; name: string }> } }
 * const cap = capability.withContext<Context>();
 * export const getAuthor = cap(z.object({ id: z.string() }), ({ id }, ctx) => ctx.db.load(id));
 * ```
 */
export const capability: CapabilityFactory<BaseContext> = toFactory(noParts);

function toFactory<Ctx>(parts: DeclaredParts): CapabilityFactory<Ctx> {
  const { guards, inputGuards, enhancers, errors, answers, output, description, routes } = parts;
  const { cacheControl, deprecation, tool, offers } = parts;
  const declare = (...args: readonly unknown[]): AnyCapability => {
    const { schema, handler, intent } = toArguments(parts.schema, args);
    // By name, as the methods are (`toPartMethods`).
    return toCapability({
      guards,
      inputGuards,
      enhancers,
      errors,
      answers,
      output,
      schema,
      description,
      routes,
      request: toRequestOf(schema, parts.request),
      cacheControl,
      deprecation,
      tool,
      offers,
      handler: expectHandler(handler, schema),
      intent: expectIntent(intent),
      order: nextDeclaration(),
      declaredAt: declaredAt(declare),
    });
  };
  return Object.assign(declare, {
    withContext: () => toFactory(parts),
    input: (schema: unknown) => toFactory({ ...parts, schema: expectSchema(schema) }),
    ...toPartMethods(parts, (change) => toFactory({ ...parts, ...change })),
  }) as unknown as CapabilityFactory<Ctx>;
}

/** A schema among the arguments comes first, unless it was declared before. */
function toArguments(schema: Schema | undefined, args: readonly unknown[]) {
  const [first, second, third] = args;
  return schema === undefined && isSchema(first)
    ? { schema: first, handler: second, intent: third }
    : { schema, handler: first, intent: second };
}

function expectSchema(value: unknown): Schema {
  if (isSchema(value)) return value;
  throw new TypeError(`.input: expected a schema, got ${describeValue(value)}.`);
}

function expectHandler(handler: unknown, schema: Schema | undefined): Handler {
  if (typeof handler === 'function') return handler as Handler;
  throw new TypeError(
    `capability: expected a handler function${schema === undefined ? ' or a schema followed by one' : ' after the schema'}, got ${describeValue(handler)}.`,
  );
}

function expectIntent(intent: unknown): Intent | undefined {
  if (intent === undefined || isIntent(intent)) return intent;
  throw new TypeError(`capability: the intent must be one of ${intents.join(', ')}, got ${describeValue(intent)}.`);
}

/** Counts the capabilities declared in this process, by every copy of the package. */
const COUNT: unique symbol = Symbol.for('capix.declarationCount') as never;

/** The place of the next capability among all that were declared, from 1. A module namespace loses the order of its exports; this keeps it. */
function nextDeclaration(): number {
  const counter = globalThis as { [COUNT]?: number };
  counter[COUNT] = (counter[COUNT] ?? 0) + 1;
  return counter[COUNT];
}
