import { type ContextBuilder, defineContext } from '../../server-runtime/capability/context.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';

export interface CallerWords {
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `--context`. */
  readonly contextValue?: Readonly<Record<string, unknown>> | undefined;
  /** Where its next step is to be taken: a form has no options. @default 'command' */
  readonly surface?: 'command' | 'screen';
}

/**
 * The context of calls without a server: `--context`, else with headers the project's own; undefined for the stub. A
 * request's own headers win over those of the command line.
 */
export function toCallerContext(
  { context }: Pick<LoadedRegistry, 'context'>,
  { headers, contextValue }: CallerWords,
): ContextBuilder | undefined {
  if (contextValue !== undefined) return defineContext(() => ({ ...contextValue }));
  if (context === undefined || Object.keys(headers).length === 0) return undefined;
  return defineContext((request) => {
    const merged = { ...headers, ...request.headers };
    // A spread would read its getters, and an object that inherits from it lacks the private fields that they read.
    const get = (own: typeof request, name: string | symbol): unknown => {
      if (name === 'headers') return merged;
      const value: unknown = Reflect.get(own, name);
      return typeof value === 'function' ? value.bind(own) : value;
    };
    return context.build(new Proxy(request, { get }));
  });
}
