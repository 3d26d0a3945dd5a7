import type { BuildOptions, Metafile } from 'esbuild';
import { toModuleGraph } from '../../modules/module-graph.ts';
import { loadEsbuild } from '../load-esbuild.ts';
import { noFacts, type UserCodeFacts, userCodePlugin } from '../user-code-plugin.ts';
import type { KnownFiles } from './prepare-changed-build.ts';

/** The files that have changed, and those that they import and nobody knew. */
export interface ChangedFiles {
  /** The files that were read; those of the known ones that they import are outside. */
  readonly metafile: Metafile;
  readonly facts: UserCodeFacts;
}

interface ReadOptions {
  /** Absolute path of the project. */
  readonly root: string;
  /** The options of the whole build. */
  readonly options: BuildOptions;
  readonly known: KnownFiles;
}

/** Undefined where they cannot be built. `paths`: absolute. */
export async function readChanged(
  paths: readonly string[],
  { root, options, known }: ReadOptions,
): Promise<ChangedFiles | undefined> {
  const { build } = await loadEsbuild();
  let facts = noFacts;
  const { outfile: _, banner: __, ...shared } = options;
  const plugin = userCodePlugin(
    (found) => {
      facts = found;
    },
    toStops(known, { root, except: new Set(paths) }),
  );
  const result = await build({
    ...shared,
    entryPoints: paths.map((path, index) => ({ in: path, out: String(index) })),
    outdir: root,
    sourcemap: false,
    plugins: [plugin],
    write: false,
    metafile: true,
  }).catch(() => undefined);
  return result === undefined ? undefined : { metafile: result.metafile, facts };
}

/** The files that need not be read, by the imports that lead to them. */
export interface Stops {
  /** Absolute paths. */
  readonly files: ReadonlySet<string>;
  /** Absolute paths, by the absolute path of the importing file and by the text of the import. */
  readonly found: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

function toStops(
  { metafile }: KnownFiles,
  { root, except }: { readonly root: string; readonly except: ReadonlySet<string> },
): Stops {
  const { modules } = toModuleGraph(metafile, root);
  const isKnownCode = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path) && !except.has(path);
  const found = new Map<string, ReadonlyMap<string, string>>();
  for (const { path, imports } of modules.values()) {
    if (!except.has(path)) continue;
    const own = imports.flatMap(({ text, isOwn, target }): [string, string][] => {
      const file = isOwn ? modules.get(target)?.path : undefined;
      return text === undefined || file === undefined || !isKnownCode(file) ? [] : [[text, file]];
    });
    found.set(path, new Map(own));
  }
  return { files: new Set([...modules.values()].map(({ path }) => path).filter(isKnownCode)), found };
}
