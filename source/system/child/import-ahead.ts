/** The number of modules that are imported at once: whoever waits for the process gets it soon. */
const AT_ONCE = 32;

export interface ImportAheadOptions {
  /** Whether somebody waits for the process: nothing more is imported ahead. */
  readonly isAwaited: () => boolean;
  /** Takes the exports of each module. */
  readonly onModule?: (exports: object) => void;
}

/**
 * Imports modules by their URLs, in their order, while nobody waits for the process. Gives whether a file was missing: Node misses for ever what was
 * gone once, so a process that is to import it later is of no more use.
 */
export async function importAhead(
  urls: readonly string[],
  { isAwaited, onModule = () => {} }: ImportAheadOptions,
): Promise<boolean> {
  let isGone = false;
  for (let at = 0; at < urls.length && !isAwaited() && !isGone; at += AT_ONCE) {
    const loading = await Promise.allSettled(urls.slice(at, at + AT_ONCE).map((url) => import(url) as Promise<object>));
    for (const loaded of loading) if (loaded.status === 'fulfilled') onModule(loaded.value);
    isGone = loading.some((loaded) => loaded.status === 'rejected' && isMissingFile(loaded.reason));
  }
  return isGone;
}

function isMissingFile(reason: unknown): boolean {
  const { code } = Object(reason) as { readonly code?: unknown };
  return code === 'ENOENT' || code === 'ERR_MODULE_NOT_FOUND';
}
