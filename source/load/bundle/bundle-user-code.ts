import type { Metafile } from 'esbuild';
import { toModuleGraph } from '../modules/module-graph.ts';
import { createProgramWriter } from '../modules/program-writer.ts';
import { openBundleFolder } from './bundle-folder.ts';
import { type Bundler, loadEsbuild } from './load-esbuild.ts';
import { buildPlain } from './quick/build-plain.ts';
import type { QuickResult } from './quick/quick-build.ts';
import { userCodeBuildOptions } from './user-code-build-options.ts';
import { noFacts, userCodePlugin } from './user-code-plugin.ts';

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
  const { build } = await loadEsbuild();
  // Not closed: what is imported later is there until this process ends.
  const folder = await openBundleFolder(root);
  const options = userCodeBuildOptions({ entry, root, outFile: folder.toFile() });
  // This process writes the bundle and not that of esbuild, which may go on for a moment after this one was ended.
  const source =
    (await buildPlain({ entry, root, options: { ...options, write: false } })) ?? (await buildWhole(build, options));
  const program = await createProgramWriter(root, folder).write(source);
  try {
    return await use(toBundle(program.outFile, source.result.metafile, root));
  } finally {
    await program.remove();
  }
}

async function buildWhole(
  build: Bundler['build'],
  options: ReturnType<typeof userCodeBuildOptions>,
): Promise<QuickResult> {
  let facts = noFacts;
  const plugin = userCodePlugin((found) => {
    facts = found;
  });
  const result = await build({ ...options, plugins: [plugin], write: false });
  return { result, facts };
}

/** The files of the project that an entry is made of, as absolute paths; the entry alone where it cannot be built. */
export async function findUserCodeFiles(entry: string, root: string): Promise<readonly string[]> {
  const { build } = await loadEsbuild();
  const options = userCodeBuildOptions({ entry, root, outFile: `${entry}.mjs` });
  const built = await build({ ...options, write: false }).catch(() => undefined);
  return built === undefined ? [entry] : toSourceFiles(built.metafile, root);
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
