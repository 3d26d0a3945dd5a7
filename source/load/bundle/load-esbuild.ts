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
export async function loadEsbuild(): Promise<typeof esbuild> {
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
