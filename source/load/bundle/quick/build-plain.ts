import { dirname } from 'node:path';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { toInputPath } from '../../modules/module-graph.ts';
import { importMetaDefines } from '../define-import-meta.ts';
import { loadEsbuild } from '../load-esbuild.ts';
import { hasPatterns } from '../patterns/with-found-imports.ts';
import type { BuiltUserCode } from '../user-code-builder.ts';
import { findResolutionRoot, keepPackagesOutside, noFacts, resolvePackage } from '../user-code-plugin.ts';
import type { QuickResult } from './quick-build.ts';

export interface PlainBuildOptions {
  /** Absolute path of the file to load. */
  readonly entry: string;
  /** Absolute path of the project. */
  readonly root: string;
  /** As `userCodeBuildOptions`. */
  readonly options: BuildOptions;
}

/** The packages that nearly every file of capabilities imports; no two begin with the same letter. */
const COMMON_PACKAGES = ['capix', 'zod'];

/**
 * Builds a program of which no file asks where it lies, and all mean the same by `capix` and by `zod`, as most programs are: esbuild has to ask for each
 * file of others, and for each import of a package. Undefined where it is another program, or has a fault.
 */
export async function buildPlain({ entry, root, options }: PlainBuildOptions): Promise<QuickResult | undefined> {
  const { build } = await loadEsbuild();
  const imports = new Map<string, Set<string>>();
  const found = new Map<string, Map<string, string>>();
  const note = (text: string, importer: string, path: string): void => {
    imports.set(text, (imports.get(text) ?? new Set()).add(path));
    found.set(importer, (found.get(importer) ?? new Map<string, string>()).set(text, path));
  };
  let urls: ReadonlyMap<string, string> = new Map();
  const result = await withResolver(options, async (resolver) => {
    urls = await findCommonPackages(dirname(entry), resolver);
    const filter = toFilter([...urls.keys()]);
    const plugin: Plugin = {
      name: 'other-packages',
      setup: (started) =>
        keepPackagesOutside(started, ({ path: text, importer }, path) => note(text, importer, path), {
          filter,
          resolver,
        }),
    };
    const own = { alias: Object.fromEntries(urls), external: [...urls.values()], plugins: [plugin] };
    return (await build({ ...options, ...own }).catch(() => undefined)) as BuiltUserCode | undefined;
  });
  if (result === undefined || asksForPlace(result) || hasPatterns(result.metafile)) return undefined;
  const roots = new Map<string, string>();
  const toRoot = (path: string): string => findResolutionRoot(dirname(path), roots);
  for (const { importer, name, url, kind, isWhole } of findCommonImports(result.metafile, urls)) {
    const path = toInputPath(importer, root);
    if (!isWhole || !ES_IMPORTS.has(kind) || toRoot(path) !== toRoot(entry)) return undefined;
    note(name, path, url);
  }
  return { result, facts: { ...noFacts, imports, found } };
}

const ES_IMPORTS: ReadonlySet<string> = new Set(['import-statement', 'dynamic-import']);

type Resolver = Parameters<typeof resolvePackage>[0];

/** Gives `use` a build to ask what imports mean, to which no import stands for another. */
async function withResolver<T>(options: BuildOptions, use: (resolver: Resolver) => Promise<T>): Promise<T | undefined> {
  const { build } = await loadEsbuild();
  let result: T | undefined;
  const plugin: Plugin = {
    name: 'resolver',
    setup: (started) =>
      started.onStart(async () => {
        result = await use(started);
      }),
  };
  await build({
    ...options,
    entryPoints: [],
    stdin: { contents: '' },
    metafile: false,
    sourcemap: false,
    plugins: [plugin],
  });
  return result;
}

/** The URLs of the common packages, by name, as files in a folder mean them; without those that are not found, or are code of the project. */
async function findCommonPackages(resolveDir: string, resolver: Resolver): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>();
  for (const path of COMMON_PACKAGES) {
    const place = { path, kind: 'import-statement', importer: '', resolveDir, with: {} } as const;
    const found = await resolvePackage(resolver, place);
    if (found?.external === true && found.path !== undefined) urls.set(path, found.path);
  }
  return urls;
}

/** Matches each import of a package but these: esbuild's patterns have no lookahead. */
function toFilter(names: readonly string[]): RegExp {
  const firsts = names.map((name) => name[0]).join('');
  const others = names.flatMap((name) =>
    Array.from({ length: name.length }, (_, index) => {
      const next = name[index + 1];
      return `${name.slice(0, index + 1)}${next === undefined ? '.' : `(?:[^${next}]|$)`}`;
    }),
  );
  return new RegExp(`^(?:${[`[^./${firsts}]`, ...others].join('|')})`);
}

const PLACES = [...Object.values(importMetaDefines), '__dirname', '__filename'].map((name) => Buffer.from(name));

/** Whether a file may ask where it lies: what stands for that is in the code then. */
function asksForPlace({ outputFiles: [output] }: BuiltUserCode): boolean {
  const { buffer, byteOffset, byteLength } = output?.contents ?? new Uint8Array();
  const code = Buffer.from(buffer, byteOffset, byteLength);
  return PLACES.some((name) => code.includes(name));
}

interface CommonImport {
  /** Id of the file. */
  readonly importer: string;
  /** The name of the package, and the URL that it stands for. */
  readonly name: string;
  readonly url: string;
  readonly kind: string;
  /** Whether it is the package itself and not a file in it, of which esbuild has said nothing. */
  readonly isWhole: boolean;
}

function findCommonImports({ inputs }: Metafile, urls: ReadonlyMap<string, string>): readonly CommonImport[] {
  const packages = [...urls];
  return Object.entries(inputs).flatMap(([importer, { imports }]) =>
    imports.flatMap(({ path, kind }) => {
      const [name, url] = packages.find(([, each]) => path === each || path.startsWith(`${each}/`)) ?? [];
      return name === undefined || url === undefined ? [] : { importer, name, url, kind, isWhole: path === url };
    }),
  );
}
