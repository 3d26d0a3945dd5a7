import { brand } from '../errors/brand.ts';
import type { ErrorFactory } from '../errors/define-error.ts';
import { expectFunction } from '../errors/expect-options.ts';
import { andThen } from '../errors/maybe-promise.ts';
import type { Mistake } from '../errors/mistake.ts';

export const GUARD: unique symbol = Symbol.for('capix.guard');
export const INPUT_GUARD: unique symbol = Symbol.for('capix.inputGuard');
declare const NARROWED: unique symbol;
declare const THROWS: unique symbol;

/** A part of a call before the handler or around it. `Errors` are those that it declares. */
export interface Step<out Errors = unknown> {
  readonly [THROWS]: Errors;
  /** Shown by `show`, `check` and documents. */
  readonly name: string;
  /** The errors that it may throw, as declared. */
  readonly errors: readonly ErrorFactory[];
}

export interface StepOptions<Errors = ErrorFactory> {
  readonly name?: string | undefined;
  readonly errors?: readonly (Errors | Mistake<NoFactory>)[] | undefined;
}
type NoFactory = 'List what defineError made: errors: [NotFound, EmailTaken]';

/** The errors that a step declares. */
export function toErrors<Errors>({ errors = [] }: StepOptions<Errors>): readonly Errors[] {
  return errors as readonly Errors[];
}

export type SecurityScheme = { readonly description?: string | undefined } & (
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string | undefined }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string }
  | { readonly type: 'oauth2'; readonly flows: Readonly<Record<string, unknown>> }
);

export interface GuardOptions<
  in Context = never,
  Narrowed extends Context = Context,
  Errors = ErrorFactory,
  Param extends string = string,
> extends StepOptions<Errors> {
  /**
   * The parameters of the path that it reads, `['orgId']`. The server does not start where a route lacks one; calls
   * without a path have them as fields of their input.
   */
  readonly params?: readonly Param[] | undefined;
  /** The credential that the caller must send, for documents; any one of several. */
  readonly security?: SecurityScheme | readonly SecurityScheme[] | undefined;
  /** The scopes that a credential of `oauth2` or `openIdConnect` must have: `['orders:read']`. */
  readonly scopes?: readonly string[] | undefined;
  /** Whether callers without a credential may pass too; the guard then only tells callers apart. @default false */
  readonly isOptional?: boolean | undefined;
  /** Narrows the context once an asynchronous function, which cannot assert, has passed; throws where it is not so. */
  readonly narrows?: ((ctx: Context) => asserts ctx is Narrowed) | undefined;
}

/** The fields that a guard adds to the type of the context; `unknown` where it narrows nothing. */
export type Narrowing<Context, Narrowed> = Context extends Narrowed ? unknown : Narrowed;

/** The fields that a guard loads for the context, by the type of what it returns. */
export type LoadedBy<Result> = [Extract<Result, object>] extends [never]
  ? unknown
  : unknown extends Result
    ? unknown
    : [Result] extends [object]
      ? Result
      : Partial<Extract<Result, object>>;

/** What a guard gets beside the context. */
export interface GuardCall<in Param extends string = string> {
  /** The parameters of the path that the guard declares, as texts. */
  readonly params: Readonly<Record<Param, string>>;
}

/**
 * A precondition on the context; throws to reject. `Narrowed` is the type of the context after it, `Param` the
 * parameters that it reads.
 */
export interface Guard<
  in Context = never,
  out Narrowed = unknown,
  out Errors = unknown,
  out Param extends string = never,
> extends Step<Errors> {
  readonly [GUARD]: true;
  readonly [NARROWED]: Narrowed;
  /** The parameters of the path that it reads; mostly none. */
  readonly params: readonly Param[];
  /** The credentials of which the caller must send one, for documents; empty where it does not say. */
  readonly security: readonly SecurityScheme[];
  /** The scopes that a credential must have. */
  readonly scopes: readonly string[];
  /** Whether callers without a credential pass too. */
  readonly isOptional: boolean;
  /** Throws, or rejects, to refuse the caller. The object that it gives is added to the context. */
  readonly check: (ctx: Context, call?: GuardCall) => unknown;
}

/** A guard, whatever parameters it reads. */
export type AnyGuard = Guard<never, unknown, unknown, string>;

/** A precondition on the validated input and the context; throws to reject. */
export interface InputGuard<in Input = never, in Context = never, out Errors = unknown>
  extends Step<Errors> {
  readonly [INPUT_GUARD]: true;
  /** Throws, or rejects, to refuse the call. */
  readonly check: (input: Input, ctx: Context) => void | Promise<void>;
}

/**
 * Defines a guard: `check` throws or rejects to refuse. One that asserts narrows the context of handlers behind it; the
 * fields of an object that it returns are added to it. With `params` it reads parameters of the path, before the body
 * is read: `defineGuard(async (ctx: Context, { params }) => ({ member: await find(ctx, params.orgId) }), { params:
 * ['orgId'] })`.
 */
export function defineGuard<
  Context,
  Narrowed extends Context = Context,
  Errors extends ErrorFactory = never,
  const Param extends string = never,
  Result extends object | void = void,
>(
  check:
    | ((ctx: Context) => asserts ctx is Narrowed)
    | ((ctx: Context, call: GuardCall<Param>) => Result | Promise<Result>),
  options: GuardOptions<Context, Narrowed, Errors, Param> = {},
): Guard<Context, Narrowing<Context, Narrowed> & LoadedBy<Result>, Errors, Param> {
  expectFunction('defineGuard', check, 'defineGuard((ctx) => { … })');
  const {
    name = check.name || 'guard',
    scopes = [],
    isOptional = false,
    narrows,
    params = [],
  } = options;
  expectParamNames(`The guard ${name}`, params);
  const security = [options.security ?? []].flat();
  const first = (ctx: Context, call?: GuardCall): unknown =>
    andThen((check as GuardCheck<Context>)(ctx, call), (loaded) => expectNotFalse(name, loaded));
  const both =
    narrows === undefined
      ? first
      : (ctx: Context, call?: GuardCall) =>
          andThen(first(ctx, call), (loaded) => {
            const expectNarrow: (ctx: Context) => void = narrows;
            expectNarrow(ctx);
            return loaded;
          });
  return brand<Guard<Context, Narrowing<Context, Narrowed> & LoadedBy<Result>, Errors, Param>>({
    [GUARD]: true,
    name,
    errors: toErrors(options),
    security,
    scopes,
    isOptional,
    params,
    check: both,
  });
}

/** Defines a guard that also sees the input, after validation. */
export function defineInputGuard<Input, Context, Errors extends ErrorFactory = never>(
  check: (input: Input, ctx: Context) => void | Promise<void>,
  options: StepOptions<Errors> = {},
): InputGuard<Input, Context, Errors> {
  expectFunction('defineInputGuard', check, 'defineInputGuard((input, ctx) => { … })');
  const { name = check.name || 'inputGuard' } = options;
  return brand<InputGuard<Input, Context, Errors>>({
    [INPUT_GUARD]: true,
    name,
    errors: toErrors(options),
    // The pipeline refuses the caller where an error is returned.
    check: (input: Input, ctx: Context) =>
      andThen(check(input, ctx) as unknown, (passed) => expectNotFalse(name, passed)) as void,
  });
}

type GuardCheck<Context> = (ctx: Context, call?: GuardCall) => unknown;

/** In other frameworks `false` refuses; here it would let everybody pass. @throws TypeError for it */
function expectNotFalse(name: string, passed: unknown): unknown {
  if (passed !== false) return passed;
  throw new TypeError(
    `The guard ${name} returned false, and lets nobody pass so. ` +
      'A guard refuses by throwing: if (…) throw Forbidden().',
  );
}

/** @throws TypeError for what cannot be a parameter of a path */
function expectParamNames(owner: string, params: readonly string[]): void {
  const isName = (name: unknown): boolean =>
    typeof name === 'string' && /^(?!(?:__proto__|constructor|prototype)$)[a-zA-Z_]\w*$/.test(name);
  if (Array.isArray(params) && params.every(isName)) return;
  const got = JSON.stringify(params);
  throw new TypeError(`${owner}: \`params\` are names such as ['orgId'], got ${got}.`);
}
