import type { ErrorFactory } from '../../errors/define-error.ts';
import type { Unwrapped } from '../../errors/mistake.ts';
import type { InputOf, OutputOf, Schema } from '../../schema/schema.ts';
import type { AnswerMap, GivableOf, MadeOf } from '../answers/answer-map.ts';
import type { AnswerLike, AnswerOptions, GivenFor, MadeAt, StatusOf } from '../answers/content.ts';
import type { Capability, DeclaredBy, Replaced, WithMade } from '../capability.ts';
import type { Deprecation, ToolOptions } from '../capability-definition.ts';
import type { HandlerOf } from '../capability-factory.ts';
import type { ContextOfGuard } from '../context.ts';
import type { Enhancer } from '../enhancer.ts';
import type { Guard, InputGuard } from '../guard.ts';
import type { Intent } from '../intent.ts';
import type { OfferOptions, ResourceOptions } from '../offers/offers.ts';
import type { Replied, Reply } from '../reply.ts';
import type { TakesOptions } from '../route/declared-request.ts';
import type { FieldsIn, PathFor } from '../route/declared-route.ts';
import type { HttpMethod } from '../route/http-method.ts';
import type { SoundAnswer } from '../sound-answer.ts';

/**
 * Declares capabilities whose input is known, and takes whatever else is declared of them before the handler, which comes last:
 * `cap.input(ById).errors(NotFound).output(User)(({id}, ctx) => …)`. With `.output` or `.answers` just before the handler, the compiler knows the
 * capability without the body of the handler, which is worked out in its own file alone.
 */
export interface InputFactory<S extends Schema, Ctx, Needs = Ctx, Added = unknown, Declared = never> {
  /** A capability, which answers with what the handler gives. */
  <Result>(
    this: SoundAnswer<Awaited<Result>>,
    handler: HandlerOf<OutputOf<S>, Ctx & Added, Result>,
    intent?: Intent,
  ): Capability<S, Replied<Awaited<Result>>, Ctx, Needs, Declared>;
  /** Adds a guard: an asserting one narrows the handler's `ctx`. */
  guard<C, Narrowed, E>(
    guard: Guard<ContextOfGuard<Ctx, C>, Narrowed, E> | Unwrapped<'Wrap the function: .guard(defineGuard((ctx) => …))'>,
  ): InputFactory<S, Ctx & C & Narrowed, Needs & C, Added, Declared | DeclaredBy<E>>;
  /** Adds a guard that sees the validated input. */
  inputGuard<E>(
    guard:
      | InputGuard<OutputOf<S>, Ctx, E>
      | Unwrapped<'Wrap the function: .inputGuard(defineInputGuard((input, ctx) => …))'>,
  ): InputFactory<S, Ctx, Needs, Added, Declared | DeclaredBy<E>>;
  /** Adds an enhancer inside those added before: what it adds to the context is there for the handler. */
  enhance<More, E>(
    enhancer:
      | Enhancer<OutputOf<S>, Ctx & Added, More, E>
      | Unwrapped<'Give what the function makes: .enhance(withTimeout(5000)), .enhance(defineEnhancer((next) => …))'>,
  ): InputFactory<S, Ctx, Needs, Added & More, Declared | DeclaredBy<E>>;
  /** Adds a middleware, or any other enhancer, inside those added before: what it adds to the context is there for the handler. */
  use<More, E>(
    middleware:
      | Enhancer<OutputOf<S>, Ctx & Added, More, E>
      | Unwrapped<'Wrap the function: .use(defineMiddleware(({ next }) => next()))'>,
  ): InputFactory<S, Ctx, Needs, Added & More, Declared | DeclaredBy<E>>;
  /** Declares errors that the handler may throw. Adds to those declared before. */
  errors<E extends readonly ErrorFactory[]>(...errors: E): InputFactory<S, Ctx, Needs, Added, Declared | E[number]>;
  /** States its route in place of the inferred one, as `.route` of a capability. */
  route<const Path extends `/${string}`>(
    method: HttpMethod | Lowercase<HttpMethod>,
    path: Path & PathFor<S, Path>,
  ): InputFactory<S, Ctx, Needs, Added, Declared>;
  /** States which fields of the input headers and cookies carry, as `.takes` of a capability. */
  takes(options: TakesOptions<FieldsIn<InputOf<S>>>): InputFactory<S, Ctx, Needs, Added, Declared>;
  /** Says how long caches may keep its answers over HTTP: `.cacheControl('private, max-age=60')`. */
  cacheControl(directives: string): InputFactory<S, Ctx, Needs, Added, Declared>;
  /** Says what it does, for documents, `show` and agents. */
  describe(text: string): InputFactory<S, Ctx, Needs, Added, Declared>;
  /** Marks it as going away. A server checks the key in `use`. */
  deprecated<const Key extends string = never>(
    deprecation?: Deprecation<Key>,
  ): InputFactory<S, Ctx, Needs, Added, Declared | Replaced<Key>>;
  /** The tool that agents see; `false` hides it from them. */
  tool(options: false | ToolOptions): InputFactory<S, Ctx, Needs, Added, Declared>;
  /** A resource that agents read, of a query: `.resource('shop://orders/{id}')`. */
  resource(uri: `${string}:${string}`, options?: ResourceOptions): InputFactory<S, Ctx, Needs, Added, Declared>;
  /** A prompt that people choose in their agent, of a query. */
  prompt(options?: OfferOptions): InputFactory<S, Ctx, Needs, Added, Declared>;
  /** Declares the answer, last before the handler, which is then held to it. */
  output<A extends AnswerLike, const Status extends number = StatusOf<A>>(
    what: A,
    options?: AnswerOptions<Status>,
  ): HandlerTaker<
    S,
    GivenFor<A> | Reply<GivenFor<A>, Status | undefined>,
    Ctx,
    Needs,
    Added,
    WithMade<Declared, MadeAt<Status, A>>
  >;
  /** Declares several answers by status, last before the handler: `.answers({200: Done, 202: Accepted})(handler)`. */
  answers<const Map extends AnswerMap>(
    map: Map,
  ): HandlerTaker<S, GivableOf<Map>, Ctx, Needs, Added, WithMade<Declared, MadeOf<Map>>>;
}

/** Takes the handler of a capability whose input and answers, `Given`, are declared. */
// A function without members, and not generic: of a call of such a one alone, the compiler takes the type without its arguments. `Promise` stands beside
// `PromiseLike` because the promise of an asynchronous function is compared with it by name, and with the other by what it can do.
export type HandlerTaker<S extends Schema, Given, Ctx, Needs = Ctx, Added = unknown, Declared = never> = (
  handler: HandlerOf<OutputOf<S>, Ctx & Added, Given | Promise<Given> | PromiseLike<Given>>,
  intent?: Intent,
) => Capability<S, Replied<Given>, Ctx, Needs, Declared>;
