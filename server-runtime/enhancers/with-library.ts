import { isPromise, type MaybePromise } from '../errors/outcome.ts';

type Step<Result> = (input: unknown, ctx: unknown, sent?: unknown) => MaybePromise<Result>;

/**
 * Makes a step by means of something that only servers load which need it. `load` may be an `import('…')`, because
 * bundlers see that. Calls that come before it is there wait for it; those after it do not.
 */
export function withLibrary<Library, Result>(
  load: () => MaybePromise<Library>,
  make: (library: Library) => Step<Result>,
): Step<Result> {
  const loaded = load();
  if (!isPromise(loaded)) return make(loaded);
  let made: Step<Result> | undefined;
  const making = Promise.resolve(loaded).then((library) => {
    made = make(library);
    return made;
  });
  // Each call hears of a library that cannot be loaded.
  making.catch(() => {});
  return (input, ctx, sent) =>
    made === undefined ? making.then((step) => step(input, ctx, sent)) : made(input, ctx, sent);
}
