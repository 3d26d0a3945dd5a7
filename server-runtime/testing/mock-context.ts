import type { BaseContext } from '../capability/context.ts';

/** The context of an application that defines none: `{requestId: 'test', signal}`. */
export function mockContext(): BaseContext;
/**
 * A context for `capability.resolve(input, mockContext({user}))`: `{requestId: 'test', signal}` with what is given. The
 * signal never fires, unless another is given.
 *
 * @example
 * ```ts
 * import { mockContext } from 'capix/testing';
 *
 * interface Context { readonly user?: { readonly id: string } | undefined }
 * const whoAmI = capability.withContext<Context>()((_input, ctx) => ctx.user?.id ?? 'nobody');
 *
 * const name = await whoAmI.resolve({}, mockContext({ user: { id: '7' } }));
 * ```
 */
export function mockContext<Given extends object>(given: Given): BaseContext & Given;
export function mockContext(given?: object): BaseContext {
  const base: BaseContext = { requestId: 'test', signal: new AbortController().signal };
  return { ...base, ...given };
}
