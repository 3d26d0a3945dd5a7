import { type BuilderRequest, defineContext } from '../capability/context.ts';
import type { ServerOptions } from '../server/create-server.ts';
import type { Plugin } from '../server/plugin.ts';

/**
 * The builder and the plugins, with other values for fields of the context. Getters of the builder stay getters: what
 * is replaced is not made.
 */
export function withReplaced<Options extends Pick<ServerOptions, 'context' | 'plugins'>>(
  options: Options,
  replaced: object | undefined,
): Options {
  if (replaced === undefined) return options;
  const { context, plugins = [] } = options;
  const build = async (request: BuilderRequest): Promise<object> => {
    const built = (await context?.build(request)) ?? {};
    const own = Object.getOwnPropertyDescriptors(replaced);
    const prototype: unknown = Object.getPrototypeOf(built);
    // An instance of a class has its methods, and perhaps private fields.
    if (prototype !== Object.prototype) return Object.defineProperties(Object.create(built), own);
    return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(built), ...own });
  };
  const leaveOut = (plugin: Plugin): Plugin => ({
    ...plugin,
    context:
      plugin.context &&
      (async (request, ctx) => {
        const added = Object.entries((await plugin.context?.(request, ctx)) ?? {});
        return Object.fromEntries(added.filter(([name]) => !(name in replaced)));
      }),
  });
  return { ...options, context: defineContext(build), plugins: plugins.map(leaveOut) };
}
