import { defaultErrors } from '../errors/define-error.ts';
import { type Outcome, toError } from '../errors/failure.ts';
import { andThen, type MaybePromise } from '../errors/maybe-promise.ts';
import { findCallRequest } from './context.ts';
import { withAdded } from './enhancer.ts';
import type { AnyGuard, GuardCall } from './guard.ts';

/** Where the parameters of a call are that its guards read. */
export interface ParamSource {
  /**
   * The fields in which they are, before validation: those of the path, or of the input where a call has no path.
   * Called once the guards before have let the caller pass.
   */
  readParams(): MaybePromise<Outcome>;
}

/** Asks a guard about a call, and gives what it has loaded. Throws, or rejects, where it refuses. */
export function askGuard(
  guard: AnyGuard,
  ctx: unknown,
  source: ParamSource,
): MaybePromise<unknown> {
  // A guard that declares no parameters gets the context alone, as it always did.
  if (guard.params.length === 0) return guard.check(ctx as never);
  return andThen(source.readParams(), (fields) => guard.check(ctx as never, toCall(guard, fields)));
}

/** Asks a guard about a call, and gives the context of what comes behind it. */
export function passGuard(
  guard: AnyGuard,
  ctx: unknown,
  source: ParamSource,
): MaybePromise<unknown> {
  return andThen(askGuard(guard, ctx, source), (loaded) => {
    if (loaded instanceof Error) throw loaded;
    return withLoaded(ctx, loaded);
  });
}

/** @throws BadRequest for a parameter that is neither a text nor a number: a guard could take it for something else */
function toCall({ params }: AnyGuard, fields: Outcome): GuardCall {
  if (!fields.ok) throw toError(fields.failure);
  const texts = params.map((name) => {
    const text = toParamText(fields.value, name);
    if (text !== undefined) return [name, text] as const;
    throw defaultErrors.BadRequest(`\`${name}\` must be a text or a number`);
  });
  return { params: Object.fromEntries(texts) };
}

/** A field of an input as the text that a guard reads; undefined for a value that is neither text nor a number. */
export function toParamText(fields: unknown, name: string): string | undefined {
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name))
    return undefined;
  const value = (fields as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string') return value;
  return Number.isFinite(value) || typeof value === 'bigint' ? String(value) : undefined;
}

/**
 * The context with what a guard has loaded. That of a server belongs to one call, and gets the fields itself, so that
 * the methods of a class that is one still find its private fields; that of `resolve` belongs to its caller.
 */
export function withLoaded(ctx: unknown, loaded: unknown): unknown {
  if (!isLoaded(loaded)) return ctx;
  if (findCallRequest(ctx) === undefined) return withAdded(ctx, loaded);
  const own = { writable: true, configurable: true, enumerable: true };
  for (const [key, value] of Object.entries(loaded))
    Object.defineProperty(ctx, key, { ...own, value: value as unknown });
  return ctx;
}

/** Whether a guard has returned fields for the context. */
export function isLoaded(loaded: unknown): loaded is object {
  return typeof loaded === 'object' && loaded !== null && !Array.isArray(loaded);
}

/** @throws TypeError for a guard that reads parameters, where what it guards has none */
export function expectNoParams(owner: string, guards: readonly AnyGuard[]): void {
  const reading = guards.find(({ params }) => params.length > 0);
  if (reading === undefined) return;
  const { name, params } = reading;
  throw new TypeError(
    `${owner}: the guard ${name} reads \`${params.join('`, `')}\` of the path, which nobody sends here. Give the ` +
      'guards of the callers alone.',
  );
}
