import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { setGlobal } from '../../patches/set-global.ts';
import { StuckError } from './stuck-error.ts';
import { watchStuck } from './watch-stuck.ts';

/** The time that a second run may take at most that only tells where the first one hangs, milliseconds. */
const SEARCH_MS = 1000;

const DEFAULT_SECONDS = 30;

/**
 * Imports a module that has 30 seconds to run, or those of `CAPIX_LOAD_TIMEOUT`, and gives its namespace. Where it takes longer, as in an
 * endless loop, it is interrupted.
 *
 * @param file absolute path
 * @throws StuckError, with the place where the module hangs if it can be found; what the module throws
 */
export async function importWithin(file: string): Promise<unknown> {
  const { href } = pathToFileURL(file);
  const limitMs = findLoadLimitMs();
  // What cannot be linked fails with its own error.
  if (isDebugged() || !(await canLink(href))) return import(href);
  switch (runInOneTurn(file, limitMs)) {
    case 'done':
      return import(href);
    case 'impossible':
      return watchStuck(limitMs, () => import(href));
    case 'stuck':
      throw await searchPlace(href, limitMs);
  }
}

/**
 * Reads and links a module and all that it imports, and runs nothing of it: a module that throws stands before it. The engine must not be
 * interrupted meanwhile: where that falls into linking, it ends the process with a fatal error.
 */
async function canLink(href: string): Promise<boolean> {
  const stop = 'data:text/javascript,throw null';
  const linked = `import '${stop}'; import ${JSON.stringify(href)};`;
  try {
    await import(`data:text/javascript,${encodeURIComponent(linked)}`);
    return false;
  } catch (thrown) {
    return thrown === null;
  }
}

/**
 * Runs a linked module that does not wait for anything while it is loaded. The limit is the engine's own, which costs no thread; only what runs in one
 * turn has such a one.
 */
function runInOneTurn(file: string, limitMs: number): 'done' | 'impossible' | 'stuck' {
  const require = createRequire(file);
  const startedAt = performance.now();
  const forget = setGlobal('capix.run', () => void require(file));
  try {
    new Script('globalThis[Symbol.for("capix.run")]()').runInThisContext({ timeout: limitMs, displayErrors: false });
    return 'done';
  } catch (thrown) {
    const { code } = Object(thrown) as { readonly code?: unknown };
    // The module may limit scripts of its own; the clock of the engine is another one.
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' && performance.now() - startedAt > limitMs * 0.9) return 'stuck';
    // The module waits, or the engine cannot run it so: it has not run.
    if (typeof code === 'string' && code.startsWith('ERR_REQUIRE_')) return 'impossible';
    throw thrown;
  } finally {
    forget();
  }
}

/** Runs it once more, where it can be looked at: the engine does not say where it stopped it. */
async function searchPlace(href: string, limitMs: number): Promise<StuckError> {
  const again = `${href}?again`;
  try {
    if (await canLink(again)) await watchStuck(Math.min(limitMs, SEARCH_MS), () => import(again));
  } catch (thrown) {
    if (thrown instanceof StuckError) return new StuckError(limitMs, thrown.stack);
  }
  return new StuckError(limitMs);
}

/** The time that code has to load, milliseconds; a value of the variable that is not a positive number is ignored. */
export function findLoadLimitMs(): number {
  const seconds = Number(process.env['CAPIX_LOAD_TIMEOUT']);
  return (seconds > 0 && seconds < MAX_SECONDS ? seconds : DEFAULT_SECONDS) * 1000;
}

/** The most that a timer can hold. */
const MAX_SECONDS = 2_000_000;

/** Code that a person steps through takes its time. */
function isDebugged(): boolean {
  return /--inspect/.test(`${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`);
}
