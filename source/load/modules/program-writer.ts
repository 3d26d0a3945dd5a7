import { isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildResult } from 'esbuild';
import { type ModulesAhead, nothingAhead } from '../../system/child/import-ahead.ts';
import type { BundleFolder } from '../bundle/bundle-folder.ts';
import type { UserCodeFacts } from '../bundle/user-code-plugin.ts';
import { countImporters } from './count-importers.ts';
import { createDeclarationPositions } from './declaration-positions.ts';
import { toEvaluation } from './evaluation.ts';
import { createLinker } from './linker.ts';
import { type CompileAgain, type CompiledModule, createModuleCompiler } from './module-compiler.ts';
import { createModuleFolder } from './module-folder.ts';
import { type ModuleGraph, toModuleGraph } from './module-graph.ts';
import { createPackageNames } from './package-names.ts';
import { findLoudModules } from './quiet/find-loud-modules.ts';
import { createQuietModules, type QuietModules } from './quiet/quiet-modules.ts';
import { createWaitingFiles, type WaitingFiles } from './waiting-files.ts';
import { withPackageNames } from './with-package-names.ts';

/** Code on the disk, ready to be imported. */
export interface WrittenProgram {
  /** Absolute path of the module to import. */
  readonly outFile: string;
  /** The same for the same code. */
  readonly hash: string;
  /** Once it is loaded. What may be imported later stays until the writer is closed. */
  readonly remove: () => Promise<void>;
}

/** A build, as far as a program is made of it. */
export interface ProgramSource {
  readonly result: BuildResult<{ write: false; metafile: true }>;
  readonly facts: UserCodeFacts;
  /** Times of files that need not be asked for, by their absolute paths. */
  readonly times?: ReadonlyMap<string, string> | undefined;
}

/** Writes programs that run their modules in the order of ECMAScript, as Node runs them where they lie. */
export interface ProgramWriter {
  /** A build without code is of files that were known before, which become a module each. */
  readonly write: (source: ProgramSource) => Promise<WrittenProgram>;
  /** Whether a build without code may lack an export that it uses: only a whole build can say so. */
  readonly mayMissNames: (source: ProgramSource) => Promise<boolean>;
  /** Whether so many modules of a build without code have changed, or import what has, that they load sooner as one; and may be one. */
  readonly isSlowAsModules: (source: ProgramSource) => Promise<boolean>;
  /** Writes the program as modules, so that one that differs in a few files needs only these. */
  readonly writeAhead: (source: ProgramSource) => Promise<WrittenProgram>;
  readonly compileAgain: CompileAgain;
  /** The modules of the last program that somebody may have before he asks for it. */
  readonly findModulesAhead: () => Promise<ModulesAhead>;
  readonly close: () => Promise<void>;
}

/** A debugger steps through files: each is a module of its own, and stays. */
export interface Debugging {
  /** Whether the first module to run pauses, of the first program. */
  readonly pausesFirst: boolean;
}

/** Node takes as long to load so many modules as esbuild takes to make one of them, and Node to load that. */
const MANY_IMPORTERS = 300;

interface LastProgram {
  readonly graph: ModuleGraph;
  readonly compiled: ReadonlyMap<string, CompiledModule>;
  readonly names: ReadonlyMap<string, string>;
}

/** `root`: absolute path of the project. */
export function createProgramWriter(root: string, folder: BundleFolder, debugging?: Debugging): ProgramWriter {
  let pauses = debugging?.pausesFirst ?? false;
  const waiting = createWaitingFiles(root);
  const compiler = createModuleCompiler({ root, keepsMapsInside: debugging !== undefined });
  const linker = createLinker();
  const positions = createDeclarationPositions();
  const quiet = createQuietModules();
  const modules = createModuleFolder(folder.path);
  const packageNames = createPackageNames(folder.path);
  let last: LastProgram | undefined;
  /** Modules run ahead of others. */
  let isAhead = false;
  const writeModules = createTurns((source: ProgramSource) => writeFiles(source));

  async function compile({ result, times }: ProgramSource): Promise<CompiledProgram> {
    const graph = toModuleGraph(result.metafile, root);
    return { graph, compiled: await compiler.compile(graph, times) };
  }

  async function writeFiles(source: ProgramSource): Promise<WrittenProgram> {
    const compiled = await compile(source);
    const { order, first } = toEvaluation(compiled.graph, () => false);
    const program = await linker.link({
      ...compiled,
      folder: modules.path,
      findOutside: toFinder(source.facts, await packageNames.find(source.facts.imports)),
      pausedId: pauses ? first : undefined,
      counts: isAhead ? positions.assign(order) : undefined,
    });
    pauses = false;
    await modules.write(program.files);
    last = { ...compiled, names: program.names };
    return { outFile: join(modules.path, program.entry), hash: program.entry, remove: async () => {} };
  }

  return {
    write: async (source) => {
      const { metafile, outputFiles } = source.result;
      const [output] = debugging === undefined ? outputFiles : [];
      const isWhole = output !== undefined && !hasComputedImport(output.contents);
      const externals = isWhole ? await findMergedImports(toModuleGraph(metafile, root), waiting) : undefined;
      if (output === undefined || externals === undefined) return writeModules(source);
      const { imports, parts } = toMerged(output.contents, externals, await packageNames.find(source.facts.imports));
      const outFile = await folder.write(parts);
      return { outFile, hash: `${output.hash} ${imports}`, remove: () => folder.remove(outFile) };
    },
    mayMissNames: async (source) =>
      source.result.outputFiles.length === 0 && linker.missesImports(await compile(source)),
    isSlowAsModules: async (source) => {
      if (source.result.outputFiles.length > 0 || debugging !== undefined || last === undefined) return false;
      return hasManyChanged(await compile(source), last, waiting);
    },
    writeAhead: (source) => {
      isAhead = true;
      return writeModules(source);
    },
    compileAgain: compiler.compileAgain,
    findModulesAhead: async () => (last === undefined ? nothingAhead : toAhead(last, quiet, modules.path)),
    close: () => modules.close(),
  };
}

async function toAhead(
  { graph, compiled, names }: LastProgram,
  quiet: QuietModules,
  folder: string,
): Promise<ModulesAhead> {
  // Names have only signs that a URL has, too.
  const base = pathToFileURL(folder).href;
  const toUrl = (id: string): string => `${base}/${names.get(id) ?? ''}`;
  const ids = await quiet.find(graph, compiled);
  return { quiet: ids.map(toUrl), loud: findLoudModules(graph, ids).map(toUrl) };
}

/** The code of a module that is all of a program, in parts; `imports` come first, on the first line, so that positions keep theirs. */
function toMerged(
  contents: Uint8Array,
  externals: readonly string[],
  names: ReadonlyMap<string, string>,
): { readonly imports: string; readonly parts: readonly Uint8Array[] } {
  const imports = externals.map((target) => `import ${JSON.stringify(names.get(target) ?? target)}; `).join('');
  return { imports, parts: [Buffer.from(imports), withPackageNames(contents, names)] };
}

/** One after the other: what one program shares with another is not written again while it is read. */
function createTurns<In, Out>(run: (input: In) => Promise<Out>): (input: In) => Promise<Out> {
  let running: Promise<unknown> = Promise.resolve();
  return (input) => {
    const done = running.then(() => run(input));
    running = done.catch(() => undefined);
    return done;
  };
}

type CompiledProgram = Pick<LastProgram, 'compiled' | 'graph'>;

/** Whether many modules are others than before, or lead to such, and may be one. */
async function hasManyChanged(now: CompiledProgram, before: CompiledProgram, waiting: WaitingFiles): Promise<boolean> {
  const changed = [...now.compiled].flatMap(([id, each]) => (isSame(each, before.compiled.get(id)) ? [] : id));
  if (countImporters(now.graph, changed) < MANY_IMPORTERS) return false;
  return (await findMergedImports(now.graph, waiting)) !== undefined;
}

function isSame(now: CompiledModule, before: CompiledModule | undefined): boolean {
  return now === before || (now.code === before?.code && now.mapLine === before.mapLine && now.map === before.map);
}

/** Whether code, as esbuild prints it, imports a path that it computes: one that begins where the source lies, which only a module of its own knows. */
function hasComputedImport({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const code = Buffer.from(buffer, byteOffset, byteLength);
  return code.includes('import(') && /\bimport\((?!["'])/.test(code.toString('latin1'));
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
function toFinder(
  { imports, found }: UserCodeFacts,
  names: ReadonlyMap<string, string>,
): (text: string, importer: string, isRequired: boolean) => string | undefined {
  const urls = new Map<string, string>();
  const toUrl = (path: string): string => {
    const url = urls.get(path) ?? pathToFileURL(path).href;
    urls.set(path, url);
    return url;
  };
  return (text, importer, isRequired) => {
    const [only, ...others] = imports.get(text) ?? [];
    const target = found.get(importer)?.get(text) ?? (others.length === 0 ? only : undefined);
    if (target === undefined) return undefined;
    if (isRequired) return target.startsWith('file:') ? fileURLToPath(target) : target;
    const url = isAbsolute(target) ? toUrl(target) : target;
    return names.get(url) ?? url;
  };
}
