import { existsSync } from 'node:fs';
import module from 'node:module';

/** Has Node ask hooks on this thread, where it can do that: from 22.15 on. Gives whether it does. */
export function hookModules(hooks: object): boolean {
  const { registerHooks } = module as { registerHooks?: (hooks: object) => void };
  registerHooks?.(hooks);
  return registerHooks !== undefined;
}

/**
 * As `hookModules`, for hooks (URL) on a thread of their own, with some `data`.
 * @throws Error without a working directory: Node 20 would wait for ever for the thread
 */
export function hookModulesApart(url: URL, data: { readonly port: object }): void {
  if (!existsSync(process.cwd())) throw new Error('The working directory is gone.');
  module.register(url, { data, transferList: [data.port] });
}
