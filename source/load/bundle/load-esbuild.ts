import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as esbuild from 'esbuild';
import { type CliError, createCliError } from '../../cli/errors/cli-error.ts';
import { terminal } from '../../terminal/terminal.ts';

/**
 * Loads esbuild, which projects have among their development dependencies, since servers in production do not need its 12 MB.
 *
 * @throws CliError `MissingPackage`
 */
export function loadEsbuild(): Promise<Bundler> {
  loaded ??= Promise.resolve(terminal.workingDirectory()).then(requireEsbuild).then(toCounted);
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

export type Bundler = Pick<typeof esbuild, 'build' | 'context' | 'transform' | 'stop'>;

let loaded: Promise<Bundler> | undefined;
/** The builds and contexts that there are. */
let uses = 0;

/**
 * Gives back the memory of what esbuild has built, half a gigabyte for a thousand files: its process keeps it, so that another takes its place.
 * Not while somebody builds or is to build again.
 */
export async function refreshEsbuild(): Promise<void> {
  if (loaded === undefined || uses > 0) return;
  const { stop, transform } = await loaded;
  if (uses > 0) return;
  await stop();
  // Started while nobody waits for it.
  await transform('');
}

/** Ends the process of esbuild, where it was started. */
export async function stopEsbuild(): Promise<void> {
  const library = await loaded;
  await library?.stop();
}

function toCounted(library: typeof esbuild): Bundler {
  const during = async <T>(use: Promise<T>): Promise<T> => {
    uses += 1;
    return use.finally(() => {
      uses -= 1;
    });
  };
  return {
    build: ((options) => during(library.build(options))) as typeof esbuild.build,
    context: (async (options) => {
      const context = await during(library.context(options));
      uses += 1;
      const dispose = async (): Promise<void> => {
        await context.dispose();
        uses -= 1;
      };
      return { ...context, dispose };
    }) as typeof esbuild.context,
    transform: library.transform,
    stop: library.stop,
  };
}

/**
 * The same at once, for what cannot wait. It is required, as the CommonJS module that it is: to import it, Node 20 sets up a reader of the names that
 * such a module exports.
 *
 * @throws CliError `MissingPackage`
 */
export function requireEsbuild(root: string): typeof esbuild {
  let cause: unknown;
  // A package manager that keeps packages apart lets capix see only what it names.
  for (const from of [import.meta.url, join(root, 'package.json')]) {
    try {
      return createRequire(from)('esbuild') as typeof esbuild;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
      cause = error;
    }
  }
  throw missing(cause);
}

function missing(cause: unknown): CliError {
  return createCliError(
    'MissingPackage',
    { name: 'esbuild', purpose: 'which capix reads the project with' },
    { cause },
  );
}
