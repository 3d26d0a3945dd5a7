/** Modules that a process may have before a program that it is to run, as URLs. */
export interface ModulesAhead {
  /** Modules that only declare, in the order in which they can run. */
  readonly quiet: readonly string[];
  /** Modules that do more: they are read and compiled, and do not run. */
  readonly loud: readonly string[];
}

export const nothingAhead: ModulesAhead = { quiet: [], loud: [] };

/** The number of modules that are imported at once: whoever waits for the process gets it soon. */
const AT_ONCE = 32;

export interface ImportAheadOptions {
  /** Whether somebody waits for the process: nothing more is imported ahead. */
  readonly isAwaited: () => boolean;
  /** Takes the exports of modules that have run; the next ones are imported once that resolves. */
  readonly onModules?: (exports: readonly object[]) => Promise<void>;
}

/**
 * Imports modules while nobody waits for the process. Gives whether a file was missing: Node misses for ever what was gone once, so a process that is
 * to import it later is of no more use.
 */
export async function importAhead(
  { quiet, loud }: ModulesAhead,
  { isAwaited, onModules = async () => {} }: ImportAheadOptions,
): Promise<boolean> {
  const run = async (urls: readonly string[]): Promise<boolean> => {
    const loading = await Promise.allSettled(urls.map((url) => import(url) as Promise<object>));
    await onModules(loading.flatMap((loaded) => (loaded.status === 'fulfilled' ? [loaded.value] : [])));
    return loading.some((loaded) => loaded.status === 'rejected' && isMissingFile(loaded.reason));
  };
  const steps = [...toParts(quiet).map((urls) => () => run(urls)), ...toParts(loud).map((urls) => () => compile(urls))];
  let isGone = false;
  for (let at = 0; at < steps.length && !isAwaited() && !isGone; at++) isGone = (await steps[at]?.()) ?? false;
  return isGone;
}

function toParts(urls: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(urls.length / AT_ONCE);
  return Array.from({ length: count }, (_, index) => urls.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
}

/** A module that ends every program in which it comes first. */
const STOP = toUrl('throw undefined;');

/** ECMAScript reads, compiles and links all of a program before any of it runs, and here the first module throws. Gives whether a file was missing. */
function compile(urls: readonly string[]): Promise<boolean> {
  const program = [STOP, ...urls].map((url) => `import ${JSON.stringify(url)};`).join('');
  return import(toUrl(program)).then(() => false, isMissingFile);
}

function toUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

function isMissingFile(reason: unknown): boolean {
  const { code } = Object(reason) as { readonly code?: unknown };
  return code === 'ENOENT' || code === 'ERR_MODULE_NOT_FOUND';
}
