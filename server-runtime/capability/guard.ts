import type { ErrorFactory } from '../errors/define-error.ts';

const GUARD: unique symbol = Symbol.for('capix.guard') as never;
const INPUT_GUARD: unique symbol = Symbol.for('capix.inputGuard') as never;

/** How a caller proves who they are, as OpenAPI writes it: `{type: 'http', scheme: 'bearer'}`. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string; readonly description?: string }
  | {
      readonly type: 'apiKey';
      readonly in: 'header' | 'query' | 'cookie';
      readonly name: string;
      readonly description?: string;
    }
  | { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string; readonly description?: string }
  | { readonly type: 'oauth2'; readonly flows: Readonly<Record<string, unknown>>; readonly description?: string };

export interface GuardOptions {
  /** Shown by `show`, `check` and documents. @default the function's name, else `guard` */
  readonly name?: string;
  /** What the guard may throw; listed in OpenAPI, the client and MCP. */
  readonly errors?: readonly ErrorFactory[];
  /** What the caller must send, for documents. */
  readonly security?: SecurityScheme;
}

/**
 * A precondition on the context; throws to reject. `Narrowed` is what the context is known to be after it, where its
 * function asserts (`asserts ctx is Context & {user: User}`).
 */
export interface Guard<in Context = never, out Narrowed = unknown> {
  readonly [GUARD]: true;
  readonly name: string;
  readonly errors: readonly ErrorFactory[];
  readonly security: SecurityScheme | undefined;
  readonly check: (ctx: Context) => void | Promise<void>;
  /** For the compiler only; never set. */
  readonly narrowed?: Narrowed;
}

/** A precondition on the validated input and the context; throws to reject. */
export interface InputGuard<in Input = never, in Context = never> {
  readonly [INPUT_GUARD]: true;
  readonly name: string;
  readonly errors: readonly ErrorFactory[];
  readonly check: (input: Input, ctx: Context) => void | Promise<void>;
}

export function defineGuard<Context, Narrowed extends Context>(
  fn: (ctx: Context) => asserts ctx is Narrowed,
  options?: GuardOptions,
): Guard<Context, Narrowed>;
export function defineGuard<Context>(
  fn: (ctx: Context) => void | Promise<void>,
  options?: GuardOptions,
): Guard<Context>;
/** Defines a guard: `fn` gets the context and throws to reject, or rejects its promise. */
export function defineGuard<Context>(
  fn: (ctx: Context) => void | Promise<void>,
  options: GuardOptions = {},
): Guard<Context> {
  return Object.freeze({
    [GUARD]: true as const,
    name: options.name ?? (fn.name === '' ? 'guard' : fn.name),
    errors: options.errors ?? [],
    security: options.security,
    check: fn,
  });
}

/** Defines a guard that also sees the input, after validation: `defineInputGuard(({id}, ctx) => { if (id !== ctx.user.id) throw Forbidden(); })`. */
export function defineInputGuard<Input, Context>(
  fn: (input: Input, ctx: Context) => void | Promise<void>,
  options: Pick<GuardOptions, 'name' | 'errors'> = {},
): InputGuard<Input, Context> {
  return Object.freeze({
    [INPUT_GUARD]: true as const,
    name: options.name ?? (fn.name === '' ? 'inputGuard' : fn.name),
    errors: options.errors ?? [],
    check: fn,
  });
}

/** Whether `value` was made by `defineGuard`, of this copy of the package or another. */
export function isGuard(value: unknown): value is Guard {
  return typeof value === 'object' && value !== null && GUARD in value;
}

/** Whether `value` was made by `defineInputGuard`, of this copy of the package or another. */
export function isInputGuard(value: unknown): value is InputGuard {
  return typeof value === 'object' && value !== null && INPUT_GUARD in value;
}
