import { existsSync } from 'node:fs';
import module from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** Has Node ask hooks on this thread, where it can do that: from 22.15 on. Gives whether it does. */
export function hookModules(hooks: object): boolean {
  const { registerHooks } = module as { registerHooks?: (hooks: object) => void };
  registerHooks?.(hooks);
  return registerHooks !== undefined;
}

/**
 * As `hookModules`, for hooks (URL) on a thread of their own, with some `data`. Node 20 waits for ever for a thread
 * that cannot start, as where the working directory is removed meanwhile: it starts in one that is always there.
 *
 * @throws Error where the working directory does not exist any more
 */
export function hookModulesApart(url: URL, data: { readonly port: object }): void {
  const folder = process.cwd();
  if (!existsSync(folder)) throw new Error('The working directory is gone.');
  // Threads cannot leave it, and what the user has preloaded is looked for from it.
  const preloads = /(?:^| )(?:-r|--require)\b/.test(
    [...process.execArgv, process.env['NODE_OPTIONS']].join(' '),
  );
  const move = isMainThread && !preloads ? process.chdir : () => {};
  move('/');
  try {
    module.register(url, { data, transferList: [data.port] });
  } finally {
    move(folder);
  }
}
