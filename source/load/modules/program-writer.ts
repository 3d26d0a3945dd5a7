import { isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { init } from 'es-module-lexer';
import type { BuildResult } from 'esbuild';
import type { BundleFolder } from '../bundle/bundle-folder.ts';
import type { UserCodeFacts } from '../bundle/user-code-plugin.ts';
import { createDeclarationPositions } from './declaration-positions.ts';
import { toEvaluation } from './evaluation.ts';
import { linkModules } from './link-modules.ts';
import { type CompiledModule, createModuleCompiler, type ModuleCompiler } from './module-compiler.ts';
import { createModuleFolder, type ModuleFolder } from './module-folder.ts';
import { type ModuleGraph, toModuleGraph } from './module-graph.ts';
import { createQuietModules } from './quiet/quiet-modules.ts';
import { createWaitingFiles, type WaitingFiles } from './waiting-files.ts';
import { missesImports } from './without-types.ts';

/** Code on the disk, ready to be imported. */
export interface WrittenProgram {
  /** Absolute path of the module to import. */
  readonly outFile: string;
  /** The same for the same code. */
  readonly hash: string;
  /** Once it is loaded. What may be imported later stays until the writer is closed. */
  readonly remove: () => Promise<void>;
}

type Built = BuildResult<{ write: false; metafile: true }>;

/** Writes programs that run their modules in the order of ECMAScript, as Node runs them where they lie. */
export interface ProgramWriter {
  /** A build without code is of files that were known before, which become a module each. */
  readonly write: (built: Built, facts: UserCodeFacts) => Promise<WrittenProgram>;
  /** Whether a build without code may lack an export that it uses: only a whole build can say so. */
  readonly mayMissNames: (built: Built) => Promise<boolean>;
  /** Writes the program as modules, so that one that differs in a few files needs only these. */
  readonly writeAhead: (built: Built, facts: UserCodeFacts) => Promise<WrittenProgram>;
  /** URLs of those modules of the last program that only declare: they may run before somebody asks for them. */
  readonly findQuietModules: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** A debugger steps through files: each is a module of its own, and stays. */
export interface Debugging {
  /** Whether the first module to run pauses, of the first program. */
  readonly pausesFirst: boolean;
}

interface LastProgram {
  readonly graph: ModuleGraph;
  readonly compiled: ReadonlyMap<string, CompiledModule>;
  readonly names: ReadonlyMap<string, string>;
}

/** `root`: absolute path of the project. */
export function createProgramWriter(root: string, folder: BundleFolder, debugging?: Debugging): ProgramWriter {
  let pauses = debugging?.pausesFirst ?? false;
  const waiting = createWaitingFiles(root);
  const compiler = createModuleCompiler(root);
  const positions = createDeclarationPositions();
  const quiet = createQuietModules();
  let modules: ModuleFolder | undefined;
  let last: LastProgram | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  /** Modules run ahead of others. */
  let isAhead = false;

  /** One after the other: what one program shares with another is not written again while it is read. */
  function writeModules(graph: ModuleGraph, facts: UserCodeFacts): Promise<WrittenProgram> {
    const written = writing.then(() => writeFiles(graph, facts));
    writing = written.catch(() => undefined);
    return written;
  }

  async function writeFiles(graph: ModuleGraph, facts: UserCodeFacts): Promise<WrittenProgram> {
    modules ??= createModuleFolder(folder.path);
    const compiled = await compiler.compile([...graph.modules.values()]);
    const { order, first } = toEvaluation(graph, () => false);
    const program = await linkModules({
      graph,
      compiled,
      folder: modules.path,
      findOutside: toFinder(facts),
      pausedId: pauses ? first : undefined,
      counts: isAhead ? positions.assign(order) : undefined,
    });
    pauses = false;
    await modules.write(program.files);
    last = { graph, compiled, names: program.names };
    return { outFile: join(modules.path, program.entry), hash: program.entry, remove: async () => {} };
  }

  return {
    write: async ({ metafile, outputFiles: [output] }, facts) => {
      const graph = toModuleGraph(metafile, root);
      const mayMerge = output !== undefined && debugging === undefined;
      const externals = mayMerge ? await findMergedImports(graph, waiting) : undefined;
      if (output === undefined || externals === undefined) return writeModules(graph, facts);
      // On the first line, so that positions keep theirs.
      const imports = externals.map((target) => `import ${JSON.stringify(target)}; `).join('');
      const outFile = await folder.write([Buffer.from(imports), output.contents]);
      return { outFile, hash: `${output.hash} ${imports}`, remove: () => folder.remove(outFile) };
    },
    mayMissNames: async ({ metafile, outputFiles }) =>
      outputFiles.length === 0 && findsMissingNames(toModuleGraph(metafile, root), compiler),
    writeAhead: ({ metafile }, facts) => {
      isAhead = true;
      return writeModules(toModuleGraph(metafile, root), facts);
    },
    findQuietModules: async () => {
      if (last === undefined || modules === undefined) return [];
      const { graph, compiled, names } = last;
      const { path } = modules;
      const ids = await quiet.find(graph, compiled);
      return ids.map((id) => pathToFileURL(join(path, names.get(id) ?? '')).href);
    },
    close: async () => modules?.close(),
  };
}

async function findsMissingNames(graph: ModuleGraph, compiler: ModuleCompiler): Promise<boolean> {
  await init;
  return missesImports(graph, await compiler.compile([...graph.modules.values()]));
}

/** The packages that come first, in their order; undefined where the files cannot be one module. */
async function findMergedImports(graph: ModuleGraph, waiting: WaitingFiles): Promise<readonly string[] | undefined> {
  if (!toEvaluation(graph, () => false).mayBeMerged) return undefined;
  const own = [...graph.modules.values()].filter(({ format }) => format === 'esm');
  const waits = await waiting.find(own.map(({ path }) => path));
  const { mayBeMerged, externals } = toEvaluation(graph, ({ path }) => waits.has(path));
  return mayBeMerged ? externals : undefined;
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
