import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { createModuleFolder } from '../modules/module-folder.ts';
import { toModuleGraph } from '../modules/module-graph.ts';
import type { BuiltProgram, UserCodeToBuild } from './build-user-code.ts';
import { type BundleFolder, openBundleFolder } from './bundle-folder.ts';
import type { ProgramPlace } from './kept/find-evidence.ts';
import { findKeptFile, type KeptProgram, ONLY, readKept } from './kept/kept-program.ts';

export interface BundledUserCode {
  /** Absolute path of the module to import. */
  readonly outFile: string;
  /** Absolute paths of the project's files that it was made of. */
  readonly files: readonly string[];
  /** Whether the file to load is CommonJS: what it exports is then the module's `default`. */
  readonly isCommonJs: boolean;
}

/**
 * Bundles user code into a temporary file for `use`, which imports it; the file is gone when this returns. A bundle that was kept is used again where
 * nothing that it was made of has changed, and neither esbuild nor what prepares its work is loaded.
 *
 * @throws esbuild's `BuildFailure` with `errors` and their positions
 */
export async function bundleUserCode<T>(
  { entry, root }: ProgramPlace,
  use: (bundle: BundledUserCode) => Promise<T>,
): Promise<T> {
  // Not closed: what is imported later is there until this process ends.
  const folder = await openBundleFolder(root);
  const file = findKeptFile({ entry, root }, folder.path);
  const kept = file && readKept(file);
  const { bundle, remove } = kept
    ? await writeKept(kept, folder)
    : await buildAnew({ entry, root, folder, kept: file });
  try {
    return await use(bundle);
  } finally {
    await remove();
  }
}

async function writeKept({ modules, ...bundle }: KeptProgram, folder: BundleFolder): Promise<BuiltProgram> {
  const only = modules.get(ONLY);
  if (only !== undefined) {
    const outFile = await folder.write([only]);
    return { bundle: { ...bundle, outFile }, remove: () => folder.remove(outFile) };
  }
  const own = createModuleFolder(folder.path);
  const [entry = ''] = modules.keys();
  await own.write(new Map([...modules].map(([name, code]) => [name, () => code])));
  return { bundle: { ...bundle, outFile: join(own.path, entry) }, remove: async () => {} };
}

async function buildAnew(options: UserCodeToBuild) {
  const { buildUserCode } = await import('./build-user-code.ts');
  return buildUserCode(options);
}

/** The facts about a bundle in `outFile` that the build knows which made it. */
export function toBundle(outFile: string, metafile: Metafile, root: string): BundledUserCode {
  const [output] = Object.values(metafile.outputs);
  const entry = metafile.inputs[output?.entryPoint ?? ''];
  return { outFile, files: toSourceFiles(metafile, root), isCommonJs: entry?.format === 'cjs' };
}

/** The files of the project that a bundle was made of, as absolute paths: what to watch. */
export function toSourceFiles(metafile: Metafile, root: string): readonly string[] {
  return [...new Set([...toModuleGraph(metafile, root).modules.values()].map(({ path }) => path))];
}
