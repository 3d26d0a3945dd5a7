import type { Unwrapped } from '../errors/mistake.ts';
import { describeValue } from './definition.ts';
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

/** The context that these must be given, beside `Known`, which is there already, and what those before them add. */
export type TakenByUse<These extends Used, Known> = These extends readonly [
  Enhancer<any, infer Taken, infer Added>,
  ...infer Rest extends Used,
]
  ? Lacking<Taken, Known> & TakenByUse<Rest, Known & Added>
  : unknown;

/** `Taken` without the fields of `Known`; `unknown` where those are enough. */
export type Lacking<Taken, Known> = [Known] extends [Taken] ? unknown : Omit<Taken, keyof Known>;

/** `unknown` for each that fits where the context is `Ctx`, else the type that it must have. */
export type CheckedUse<These extends Used, Ctx> = These extends readonly [infer First, ...infer Rest extends Used]
  ? readonly [UseMistake<First, Ctx>, ...CheckedUse<Rest, Ctx & AddedByUse<readonly [First & object]>>]
  : readonly unknown[];

/** The type that one must have; `unknown` where it fits. */
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
  if (Array.isArray(use) && use.every(isEnhancer)) return use as readonly AnyEnhancer[];
  const wrong = Array.isArray(use) ? (use as readonly unknown[]).find((each) => !isEnhancer(each)) : use;
  throw new TypeError(
    `${owner} use: expected a list of what defineMiddleware(…) makes, or enhancers such as withTimeout(…), got ` +
      `${describeValue(wrong)}.`,
  );
}
