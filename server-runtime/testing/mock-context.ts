import type { BaseContext } from '../capability/context.ts';

/**
 * A context for `capability.resolve(input, mockContext({user}))`: `{requestId: 'test', signal}` with what is given. The signal never
 * fires, unless another is given.
 */
export function mockContext<Given extends object = object>(given?: Given): BaseContext & Given {
  const base: BaseContext = { requestId: 'test', signal: new AbortController().signal };
  return { ...base, ...given } as BaseContext & Given;
}
