import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { userCodeBuildOptions } from './user-code-build-options.ts';

export interface BundledUserCode {
  /** Absolute path of the module to import. */
  readonly outFile: string;
  /** Absolute paths of the project's files that it was made of. */
  readonly files: readonly string[];
  /** Whether the file to load is CommonJS: what it exports is then the module's `default`. */
  readonly isCommonJs: boolean;
}

/**
 * Bundles user code into a temporary file for `use`, which imports it; the file is gone when this returns.
 *
 * @throws esbuild's `BuildFailure` with `errors` and their positions
 */
export async function bundleUserCode<T>(
  { entry, root }: { readonly entry: string; readonly root: string },
  use: (bundle: BundledUserCode) => Promise<T>,
): Promise<T> {
  const { build } = await import('esbuild');
  const outFile = toBundleFile(root, 'load-');
  try {
    const { metafile } = await build(userCodeBuildOptions({ entry, root, outFile }));
    return await use(toBundle(outFile, metafile, root));
  } finally {
    await removeBundle(outFile);
  }
}

/** What is known of a bundle in `outFile` from the build that made it. */
export function toBundle(outFile: string, metafile: Metafile, root: string): BundledUserCode {
  const [output] = Object.values(metafile.outputs);
  const entry = metafile.inputs[output?.entryPoint ?? ''];
  return { outFile, files: toSourceFiles(metafile, root), isCommonJs: entry?.format === 'cjs' };
}

/** The files of the project that a bundle was made of, as absolute paths: what to watch. */
export function toSourceFiles(metafile: Metafile, root: string): readonly string[] {
  return Object.keys(metafile.inputs).map((input) => resolve(root, input));
}

/**
 * A new file in `node_modules/.capix/` of the project, where no watcher looks; in the system's temporary folder where there is none to write
 * in. Its name begins with `prefix`.
 */
export function toBundleFile(root: string, prefix = ''): string {
  return join(findCacheFolder(root), `${prefix}${randomUUID()}.mjs`);
}

/** Removes a bundle, and what a killed process left beside it. The folder stays: another process may be about to write there. */
export async function removeBundle(outFile: string): Promise<void> {
  const folder = dirname(outFile);
  await rm(outFile, { force: true });
  const names = await readdir(folder).catch(() => []);
  const leftovers = names.filter((name) => name.startsWith('load-')).map((name) => join(folder, name));
  await Promise.all(leftovers.map(removeIfOld));
}

/** Loading takes less. */
const OLD_MS = 60_000;

async function removeIfOld(file: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (stats !== undefined && Date.now() - stats.mtimeMs > OLD_MS) await rm(file, { force: true });
}

function findCacheFolder(root: string): string {
  for (let at = root; ; at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) return isWritable(modules) ? join(modules, '.capix') : join(tmpdir(), 'capix');
    if (dirname(at) === at) return join(tmpdir(), 'capix');
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
