import type { Unwrapped } from '../errors/mistake.ts';
import { expectKind } from './definition.ts';
import { type AnyEnhancer, type Enhancer, isEnhancer } from './enhancer.ts';

// oxlint-disable typescript/no-explicit-any -- enhancers take contexts and add to them: only `any` admits each

/** Middleware around capabilities of whatever input; the first is the outermost. `CheckedUse` says what it must be. */
// A type from which nothing is inferred: middleware written in the list has the context of every application then.
export type Used = readonly object[];

/** The fields that these add to the context, together; anything, where the compiler does not know them one by one. */
export type AddedByUse<These extends Used> = number extends These['length']
  ? any
  : These extends readonly [Enhancer<any, any, infer Added>, ...infer Rest extends Used]
    ? Added & AddedByUse<Rest>
    : unknown;

/** `unknown` for each that fits where the context is `Ctx`, else the type that it must have. */
export type CheckedUse<These extends Used, Ctx> = These extends readonly [infer First, ...infer Rest extends Used]
  ? readonly [UseMistake<First, Ctx>, ...CheckedUse<Rest, Ctx & AddedByUse<readonly [First & object]>>]
  : readonly unknown[];

export type UseMistake<One, Ctx> =
  One extends Enhancer<unknown, infer Taken>
    ? [Ctx] extends [Taken]
      ? unknown
      : Enhancer<unknown, Ctx>
    : One extends (...args: never) => unknown
      ? Unwrapped<'Wrap the function: use: [defineMiddleware(({ next }) => next())]'>
      : Enhancer<unknown, Ctx>;

/** The middleware of a server, a plugin or a group, where one of it does not fit. */
export type UseCheck<These extends Used, Ctx> = These extends readonly [unknown, ...(readonly unknown[])]
  ? { readonly use?: CheckedUse<These, Ctx> | undefined }
  : unknown;

/** @throws TypeError for what is not a list of enhancers; `owner` is whose option it is */
export function expectUsed(owner: string, use: unknown = []): readonly AnyEnhancer[] {
  const wanted = `${owner} use: expected a list of what defineMiddleware(…) makes, or enhancers`;
  return expectKind(use, Array.isArray, wanted).map((one) => expectKind(one, isEnhancer, wanted));
}
