import module from 'node:module';

/** Has Node ask hooks on this thread, where it can do that: from 22.15 on. Gives whether it does. */
export function hookModules(hooks: object): boolean {
  const { registerHooks } = module as { registerHooks?: (hooks: object) => void };
  registerHooks?.(hooks);
  return registerHooks !== undefined;
}

/** As `hookModules`, for a module (URL) of hooks that runs on a thread of its own, and is given some `data`. */
export function hookModulesApart(url: URL, data: { readonly port: object }): void {
  module.register(url, { data, transferList: [data.port] });
}
