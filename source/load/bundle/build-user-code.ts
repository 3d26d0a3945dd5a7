import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createProgramWriter, type ProgramSource } from '../modules/program-writer.ts';
import type { BundleFolder } from './bundle-folder.ts';
import { type BundledUserCode, toBundle, toSourceFiles } from './bundle-user-code.ts';
import { findEvidence } from './kept/find-evidence.ts';
import { type KeptFile, type KeptProgram, keepProgram, ONLY } from './kept/kept-program.ts';
import { loadEsbuild } from './load-esbuild.ts';
import { withFoundImports } from './patterns/with-found-imports.ts';
import { buildPlain } from './quick/build-plain.ts';
import { readFolderTime } from './read-folder-time.ts';
import { type UserCodeBuild, userCodeBuildOptions } from './user-code-build-options.ts';
import { noFacts, userCodePlugin } from './user-code-plugin.ts';

export interface UserCodeToBuild extends Omit<UserCodeBuild, 'outFile'> {
  readonly folder: BundleFolder;
  /** The file that keeps the bundle for the next time, if it can be kept. */
  readonly kept: KeptFile | undefined;
}

/** Code on the disk, and how to remove it once it is loaded. */
export interface BuiltProgram {
  readonly bundle: BundledUserCode;
  readonly remove: () => Promise<void>;
}

/** @throws esbuild's `BuildFailure` with `errors` and their positions */
export async function buildUserCode({ entry, root, folder, kept }: UserCodeToBuild): Promise<BuiltProgram> {
  const begunAt = kept && readFolderTime(folder.path);
  const options = userCodeBuildOptions({ entry, root, outFile: folder.toFile() });
  // This process writes the bundle and not that of esbuild, which may go on for a moment after this one was ended.
  const plain = await buildPlain({ entry, root, options: { ...options, write: false } });
  const source = plain ?? (await buildWhole(options));
  const { outFile, remove } = await createProgramWriter(root, folder).write(source);
  const bundle = toBundle(outFile, source.result.metafile, root);
  if (kept !== undefined && begunAt !== undefined && plain !== undefined) {
    const evidence = findEvidence(plain, { entry, root });
    const modules = readModules(outFile, folder);
    const { files, isCommonJs } = bundle;
    if (evidence && modules) await keepProgram(kept, { modules, files, isCommonJs, evidence, begunAt });
  }
  return { bundle, remove };
}

/** The modules of a program; undefined where one says where it lies now. */
function readModules(outFile: string, { path }: BundleFolder): KeptProgram['modules'] | undefined {
  const folder = dirname(outFile);
  const entry = basename(outFile);
  if (folder === path) return new Map([[ONLY, readFileSync(outFile)]]);
  const names = [entry, ...readdirSync(folder).filter((name) => name !== entry)];
  const modules = new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  return [...modules.values()].some((code) => code.includes(basename(folder))) ? undefined : modules;
}

async function buildWhole(options: ReturnType<typeof userCodeBuildOptions>): Promise<ProgramSource> {
  const { build } = await loadEsbuild();
  let facts = noFacts;
  const plugin = userCodePlugin((found) => {
    facts = found;
  });
  const result = await build({ ...options, plugins: [plugin], write: false });
  return { result: withFoundImports(result), facts };
}

/** The files of the project that an entry is made of, as absolute paths; the entry alone where it cannot be built. */
export async function findUserCodeFiles(entry: string, root: string): Promise<readonly string[]> {
  const { build } = await loadEsbuild();
  const options = userCodeBuildOptions({ entry, root, outFile: `${entry}.mjs` });
  const built = await build({ ...options, write: false }).catch(() => undefined);
  return built === undefined ? [entry] : toSourceFiles(built.metafile, root);
}
