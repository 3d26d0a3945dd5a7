import type { ErrorFactory } from '../errors/define-error.ts';
import type { Intent } from './intent.ts';

const ENHANCER: unique symbol = Symbol.for('capix.enhancer') as never;

/** A handler as enhancers see it: the validated input and the context; gives the value of the answer. */
export type Handler = (input: never, ctx: never) => unknown;
/** The next step inwards, as an enhancer calls it. */
export type Next = (input: unknown, ctx: unknown) => unknown;

/** What an enhancer knows of the capability that it wraps, once, when the registry is compiled. */
export interface EnhancedOperation {
  /** `<group>.<name>`; the name alone for a capability that is run outside a registry. */
  readonly key: string;
  readonly intent: Intent;
  /** Whether the answer may depend on who asks. */
  readonly guarded: boolean;
}

/** Wraps a handler once, at start; the wrapped handler runs for every call. */
export type Wrap = (next: Next, operation: EnhancedOperation) => Next;

export interface EnhancerOptions {
  /** Shown by `show` and documents. @default the function's name, else `enhancer` */
  readonly name?: string;
  /** What the enhancer may throw; listed in OpenAPI, the client and MCP. */
  readonly errors?: readonly ErrorFactory[];
  /** Replaces the default timeout of the capability, milliseconds. */
  readonly timeoutMs?: number;
  /** Settings worth showing: `{ttlMs: 60000}`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

/** Something around a handler: caching, retries, limits. The first one declared is the outermost. */
export interface Enhancer {
  readonly [ENHANCER]: true;
  readonly name: string;
  readonly errors: readonly ErrorFactory[];
  readonly timeoutMs: number | undefined;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly wrap: Wrap;
}

/**
 * Defines an enhancer: `defineEnhancer((next) => async (input, ctx) => { const value = await next(input, ctx); …; return value; })`.
 */
export function defineEnhancer(wrap: Wrap, options: EnhancerOptions = {}): Enhancer {
  return Object.freeze({
    [ENHANCER]: true as const,
    name: options.name ?? (wrap.name === '' ? 'enhancer' : wrap.name),
    errors: options.errors ?? [],
    timeoutMs: options.timeoutMs,
    settings: options.settings ?? {},
    wrap,
  });
}

/** Whether `value` was made by `defineEnhancer`, of this copy of the package or another. */
export function isEnhancer(value: unknown): value is Enhancer {
  return typeof value === 'object' && value !== null && ENHANCER in value;
}
