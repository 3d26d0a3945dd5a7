import { dirname } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { defineImportMeta, missesImportMeta } from '../define-import-meta.ts';
import { loadEsbuild } from '../load-esbuild.ts';
import { hasPatterns } from '../patterns/with-found-imports.ts';
import type { BuiltUserCode } from '../user-code-builder.ts';
import type { UserCodeFacts } from '../user-code-plugin.ts';
import { readSettingTimes } from './read-setting-times.ts';

/** Builds what a whole build made, without what that had to ask for: asking is a round trip for each file and each import. */
export interface QuickBuild {
  /** The same bundle as a whole build's; undefined where it cannot be known to be, or has a fault. */
  readonly build: () => Promise<QuickResult | undefined>;
  /** Whether a whole build is likely to follow, so that esbuild is to remember the files. */
  readonly needsContext: boolean;
  readonly dispose: () => Promise<void>;
}

export interface QuickResult {
  readonly result: BuiltUserCode;
  readonly facts: UserCodeFacts;
  /** The times of files before they were read, by their absolute paths; none where nobody asked, see `toTime`. */
  readonly times?: ReadonlyMap<string, string> | undefined;
}

export interface WholeBuild {
  /** Absolute path of the project. */
  readonly root: string;
  readonly options: BuildOptions;
  readonly result: BuiltUserCode;
  readonly facts: UserCodeFacts;
  /** When it began to read the files, milliseconds since 1970. */
  readonly builtAt: number;
}

/** Prepares quick builds after a whole one. */
export type PrepareQuickBuild = (whole: WholeBuild) => Promise<QuickBuild | undefined>;

/** Reads every file once. Undefined where builds must ask. */
export async function prepareQuickBuild({ root, options, result, facts }: WholeBuild): Promise<QuickBuild | undefined> {
  const quickOptions = toQuickOptions(options, facts);
  if (quickOptions === undefined || hasPatterns(result.metafile)) return undefined;
  const scope = toScope(result);
  const settings = readSettingTimes(root);
  const { context } = await loadEsbuild();
  const prepared = await context(quickOptions);
  const build = async (): Promise<QuickResult | undefined> => {
    if (readSettingTimes(root) !== settings) return undefined;
    // What is wrong is said by the whole build.
    const quick = (await prepared.rebuild().catch(() => undefined)) as BuiltUserCode | undefined;
    return quick !== undefined && isWithin(quick, scope) ? { result: quick, facts } : undefined;
  };
  await build();
  return { build, needsContext: true, dispose: () => prepared.dispose() };
}

/**
 * Builds a whole program of which the imports are known, once: esbuild remembers nothing of it. Undefined where it cannot be known to be the same, or
 * has a fault.
 */
export async function buildOnce({ root, options, result, facts }: WholeBuild): Promise<BuiltUserCode | undefined> {
  const quickOptions = toQuickOptions(options, facts);
  if (quickOptions === undefined || hasPatterns(result.metafile)) return undefined;
  const { build } = await loadEsbuild();
  const settings = readSettingTimes(root);
  const built = (await build(quickOptions).catch(() => undefined)) as BuiltUserCode | undefined;
  const isSame = built !== undefined && isWithin(built, toScope(result)) && readSettingTimes(root) === settings;
  return isSame ? built : undefined;
}

/** Undefined where an import means one thing here and another there. */
function toQuickOptions(options: BuildOptions, { imports, metaFiles }: UserCodeFacts): BuildOptions | undefined {
  const alias: Record<string, string> = {};
  for (const [text, [path, ...others]] of imports) {
    if (path === undefined || others.length > 0) return undefined;
    alias[text] = path;
  }
  // A package that is not known stays outside under its own name, and is seen there.
  const plugins = metaFiles.size === 0 ? [] : [importMetaPlugin([...metaFiles])];
  return { ...options, packages: 'external', alias, external: ['file:*'], plugins };
}

function importMetaPlugin(files: readonly string[]): Plugin {
  const paths = files.map((file) => file.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return {
    name: 'import-meta',
    setup: (build) => defineImportMeta(build, { filter: new RegExp(`^(?:${paths.join('|')})$`) }),
  };
}

/** The parts of a build whose meaning another place or another import could change. */
interface Scope {
  readonly folders: ReadonlySet<string>;
  /** Kind and path of what stays outside. */
  readonly imports: ReadonlySet<string>;
}

function toScope({ metafile }: BuiltUserCode): Scope {
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return {
    folders: new Set(Object.keys(metafile.inputs).map((file) => dirname(file))),
    imports: new Set(imports.map(({ kind, path }) => `${kind} ${path}`)),
  };
}

function isWithin(result: BuiltUserCode, known: Scope): boolean {
  const { folders, imports } = toScope(result);
  return (
    !hasPatterns(result.metafile) &&
    [...folders].every((folder) => known.folders.has(folder)) &&
    [...imports].every((text) => known.imports.has(text)) &&
    !missesImportMeta(result.outputFiles[0]?.text ?? '')
  );
}
