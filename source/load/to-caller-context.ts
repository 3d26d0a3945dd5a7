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
  // The request inherits all else: a spread would read its getters, and lose its methods.
  return defineContext((request) =>
    context.build(
      Object.create(request, {
        headers: { value: { ...headers, ...request.headers } },
      }) as typeof request,
    ),
  );
}
