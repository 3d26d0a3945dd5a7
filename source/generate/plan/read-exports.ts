import { dirname } from 'node:path';
import type { BuildFailure, BuildOptions } from 'esbuild';
import { type CliError, createCliError } from '../../cli/errors/cli-error.ts';
import { loadEsbuild } from '../../load/bundle/load-esbuild.ts';

export interface ReadExportsOptions {
  /** Absolute path of the module. */
  readonly file: string;
  readonly text: string;
  /** The file as its user names it, for the message. */
  readonly shownAs: string;
}

/**
 * The names that a module exports, in whatever way it is written; with those of its `export *` where what they point to can be read.
 *
 * @throws CliError `UnreadableModule` where the module itself is not TypeScript
 */
export async function readExports({ file, text, shownAs }: ReadExportsOptions): Promise<ReadonlySet<string>> {
  const stdin = { contents: text, resolveDir: dirname(file), sourcefile: file, loader: 'ts' } as const;
  // Only then are other modules read: the index of a large project leads to all of it.
  if (/\bexport\s*\*\s*from\b/.test(text)) {
    const exports = await listExports({ stdin, bundle: true, packages: 'external' }).catch(() => undefined);
    if (exports !== undefined) return exports;
  }
  // The file's own names can be read even where what it imports is missing or broken.
  return listExports({ stdin }).catch((error: unknown) => {
    throw toUnreadable(error as BuildFailure, shownAs);
  });
}

async function listExports(options: BuildOptions): Promise<ReadonlySet<string>> {
  const { build } = await loadEsbuild();
  const result = await build({
    ...options,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    outfile: 'exports.js',
  });
  return new Set(Object.values(result.metafile?.outputs ?? {}).flatMap((output) => output.exports));
}

function toUnreadable(error: BuildFailure, shownAs: string): CliError {
  const [first] = error.errors ?? [];
  const where = first?.location ? `:${first.location.line}:${first.location.column + 1}` : '';
  const reason = first?.text ?? error.message;
  return createCliError('UnreadableModule', { place: `${shownAs}${where}`, reason }, { cause: error });
}
