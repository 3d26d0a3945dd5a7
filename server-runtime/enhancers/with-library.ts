import type { Next } from '../capability/enhancer.ts';

/**
 * Wraps a handler by means of a library that only servers load which need it. `load` is an `import('…')`, because bundlers see that. Calls
 * that come before the library is there wait for it; those after it do not.
 */
export function withLibrary<Library>(load: () => Promise<Library>, wrap: (library: Library) => Next): Next {
  let wrapped: Next | undefined;
  const loading = load().then((library) => {
    wrapped = wrap(library);
    return wrapped;
  });
  // Each call hears of a library that cannot be loaded.
  loading.catch(() => {});
  return (input, ctx) => (wrapped === undefined ? loading.then((next) => next(input, ctx)) : wrapped(input, ctx));
}
