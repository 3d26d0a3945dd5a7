import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as esbuild from 'esbuild';
import { type CliError, createCliError } from '../../cli/errors/cli-error.ts';
import { terminal } from '../../terminal/terminal.ts';

/**
 * Loads esbuild, which projects have among their development dependencies, since servers in production do not need its 12 MB.
 *
 * @throws CliError `MissingPackage`
 */
export function loadEsbuild(): Promise<Bundler> {
  loaded ??= importEsbuild().then(toCounted);
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

type Bundler = Pick<typeof esbuild, 'build' | 'context' | 'transform' | 'stop'>;

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

async function importEsbuild(): Promise<typeof esbuild> {
  try {
    return await import('esbuild');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return loadFromProject(error);
  }
}

/**
 * The same at once, for what cannot wait.
 *
 * @throws CliError `MissingPackage`
 */
export function requireEsbuild(root: string): typeof esbuild {
  for (const from of [import.meta.url, join(root, 'package.json')]) {
    try {
      return createRequire(from)('esbuild') as typeof esbuild;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw missing();
}

/** A package manager that keeps packages apart lets capix see only what it names. */
async function loadFromProject(cause: unknown): Promise<typeof esbuild> {
  try {
    const path = createRequire(join(terminal.workingDirectory(), 'package.json')).resolve('esbuild');
    return await import(pathToFileURL(path).href);
  } catch {
    throw missing(cause);
  }
}

function missing(cause?: unknown): CliError {
  return createCliError(
    'MissingPackage',
    { name: 'esbuild', purpose: 'which capix reads the project with' },
    { cause },
  );
}
