import { isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildResult } from 'esbuild';
import type { BundleFolder } from '../bundle/bundle-folder.ts';
import type { UserCodeFacts } from '../bundle/user-code-plugin.ts';
import { toEvaluation } from './evaluation.ts';
import { linkModules } from './link-modules.ts';
import { createModuleCompiler } from './module-compiler.ts';
import { createModuleFolder, type ModuleFolder } from './module-folder.ts';
import { type ModuleGraph, toModuleGraph } from './module-graph.ts';
import { createWaitingFiles } from './waiting-files.ts';

/** Code on the disk, ready to be imported. */
export interface WrittenProgram {
  /** Absolute path of the module to import. */
  readonly outFile: string;
  /** The same for the same code. */
  readonly hash: string;
  /** Once it is loaded. What may be imported later stays until the writer is closed. */
  readonly remove: () => Promise<void>;
}

/** Writes programs that run their modules in the order of ECMAScript, as Node runs them where they lie. */
export interface ProgramWriter {
  readonly write: (
    built: BuildResult<{ write: false; metafile: true }>,
    facts: UserCodeFacts,
  ) => Promise<WrittenProgram>;
  readonly close: () => Promise<void>;
}

/** A debugger steps through files: each is a module of its own, and stays. */
export interface Debugging {
  /** Whether the first module to run pauses, of the first program. */
  readonly pausesFirst: boolean;
}

/** `root`: absolute path of the project. */
export function createProgramWriter(root: string, folder: BundleFolder, debugging?: Debugging): ProgramWriter {
  let pauses = debugging?.pausesFirst ?? false;
  const waiting = createWaitingFiles(root);
  const compiler = createModuleCompiler(root);
  let modules: ModuleFolder | undefined;

  /** The packages that come first, in their order; undefined where the files cannot be one module. */
  async function findMergedImports(graph: ModuleGraph): Promise<readonly string[] | undefined> {
    if (debugging !== undefined || !toEvaluation(graph, () => false).mayBeMerged) return undefined;
    const own = [...graph.modules.values()].filter(({ format }) => format === 'esm');
    const waits = await waiting.find(own.map(({ path }) => path));
    const { mayBeMerged, externals } = toEvaluation(graph, ({ path }) => waits.has(path));
    return mayBeMerged ? externals : undefined;
  }

  async function writeModules(graph: ModuleGraph, facts: UserCodeFacts): Promise<WrittenProgram> {
    modules ??= createModuleFolder(folder.path);
    const compiled = await compiler.compile([...graph.modules.values()]);
    const pausedId = pauses ? toEvaluation(graph, () => false).first : undefined;
    pauses = false;
    const program = await linkModules({
      graph,
      compiled,
      folder: modules.path,
      findOutside: toFinder(facts),
      pausedId,
    });
    await modules.write(program.files);
    return { outFile: join(modules.path, program.entry), hash: program.entry, remove: async () => {} };
  }

  return {
    write: async ({ metafile, outputFiles: [output] }, facts) => {
      const graph = toModuleGraph(metafile, root);
      const externals = await findMergedImports(graph);
      if (externals === undefined) return writeModules(graph, facts);
      // On the first line, so that positions keep theirs.
      const imports = externals.map((target) => `import ${JSON.stringify(target)}; `).join('');
      const outFile = await folder.write([Buffer.from(imports), output?.contents ?? new Uint8Array()]);
      return { outFile, hash: `${output?.hash} ${imports}`, remove: () => folder.remove(outFile) };
    },
    close: async () => modules?.close(),
  };
}

/** As a build has found packages; a file that it has not seen means by a name what all others do. */
function toFinder({
  imports,
  found,
}: UserCodeFacts): (text: string, importer: string, isRequired: boolean) => string | undefined {
  return (text, importer, isRequired) => {
    const [only, ...others] = imports.get(text) ?? [];
    const target = found.get(importer)?.get(text) ?? (others.length === 0 ? only : undefined);
    if (target === undefined) return undefined;
    if (isRequired) return target.startsWith('file:') ? fileURLToPath(target) : target;
    return isAbsolute(target) ? pathToFileURL(target).href : target;
  };
}
