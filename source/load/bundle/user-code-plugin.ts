import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ImportKind, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';
import { defineImportMeta } from './define-import-meta.ts';
import { askForTypeScript } from './patterns/ask-for-typescript.ts';
import type { Stops } from './quick/read-changed.ts';

/** The findings of a build. */
export interface UserCodeFacts {
  /** The paths that a bare import stands for, by its text: more than one where that depends on the importer. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  /** The paths of bare imports, by the absolute path of the importing file and by their text. */
  readonly found: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Absolute paths of the files that say `import.meta`. */
  readonly metaFiles: ReadonlySet<string>;
  /** Absolute paths of the files of code that were read. */
  readonly readFiles: ReadonlySet<string>;
  /** The texts of the imports that were stopped at, by the absolute paths of the importing and of the imported file. */
  readonly stopped: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
}

export const noFacts: UserCodeFacts = {
  imports: new Map(),
  found: new Map(),
  metaFiles: new Set(),
  readFiles: new Set(),
  stopped: new Map(),
};

/**
 * Makes a bundle of user code behave like the files that it was made of:
 *
 * - A bare import whose real path is inside `node_modules` stays outside, as does `capix` wherever it lies (a link to a checkout), so that
 *   there is one copy of each package. What else a bare import finds is project code and is bundled: a `paths` entry of tsconfig.json, a
 *   package of the same workspace, TypeScript in a package. An import that is not found gets esbuild's own error, with its position.
 * - `import.meta.url`, `.dirname` and `.filename` are those of the source file.
 *
 * `onEnd` is told what each build found out. The files of `stops` are not read.
 */
export function userCodePlugin(onEnd?: (facts: UserCodeFacts) => void, stops?: Stops): Plugin {
  return {
    name: 'user-code',
    setup: (build) => {
      let imports = new Map<string, Set<string>>();
      let found = new Map<string, Map<string, string>>();
      let metaFiles = new Set<string>();
      let readFiles = new Set<string>();
      let stopped = new Map<string, Map<string, Set<string>>>();
      build.onStart(() => {
        imports = new Map();
        found = new Map();
        metaFiles = new Set();
        readFiles = new Set();
        stopped = new Map();
      });
      if (stops !== undefined) {
        stopAtFiles(build, stops, ({ importer, path: text }, path) => {
          const texts = stopped.get(importer) ?? new Map<string, Set<string>>();
          stopped.set(importer, texts.set(path, (texts.get(path) ?? new Set()).add(text)));
        });
      }
      keepPackagesOutside(build, ({ path: text, importer }, path) => {
        imports.set(text, (imports.get(text) ?? new Set()).add(path));
        found.set(importer, (found.get(importer) ?? new Map<string, string>()).set(text, path));
      });
      defineImportMeta(build, {
        filter: /\.[cm]?[jt]sx?$/,
        onRead: (path) => readFiles.add(path),
        onFound: (path) => metaFiles.add(path),
        toEnd: askForTypeScript,
      });
      if (onEnd !== undefined) build.onEnd(() => onEnd({ imports, found, metaFiles, readFiles, stopped }));
    },
  };
}

/** A file that is known already is outside, whatever leads to it. */
function stopAtFiles(build: PluginBuild, stops: Stops, onStopped: (args: OnResolveArgs, path: string) => void): void {
  build.onResolve({ filter: /.*/ }, async (args) => {
    if (args.pluginData === RESOLVING || args.kind === 'entry-point' || isBuiltin(args.path)) return undefined;
    const { path: text, kind, importer, resolveDir, with: attributes } = args;
    const known = stops.found.get(importer)?.get(text);
    const path =
      known ??
      (await build.resolve(text, { kind, importer, resolveDir, with: attributes, pluginData: RESOLVING })).path;
    if (!stops.files.has(path)) return undefined;
    onStopped(args, path);
    return { path, external: true };
  });
}

/** Has packages stay outside, of the bare imports that `filter` matches; `onFound` is told what each stands for. `resolver`: the build that is asked what they mean. */
export function keepPackagesOutside(
  build: PluginBuild,
  onFound: (args: OnResolveArgs, path: string) => void,
  { filter = /^[^./]/, resolver = build }: { readonly filter?: RegExp; readonly resolver?: Resolver } = {},
): void {
  // Resolving is a round trip to esbuild: one for each package and each place that it is imported from.
  const answers = new Map<string, Promise<OnResolveResult | undefined>>();
  const roots = new Map<string, string>();
  build.onStart(() => {
    answers.clear();
    roots.clear();
  });
  build.onResolve({ filter }, (args) => {
    if (args.pluginData === RESOLVING || args.kind === 'entry-point' || isAbsolute(args.path)) return undefined;
    if (isBuiltin(args.path)) return { path: args.path, external: true };
    const place = `${args.path}\0${args.kind}\0${findResolutionRoot(args.resolveDir, roots)}`;
    const answer = answers.get(place) ?? resolvePackage(resolver, args);
    answers.set(place, answer);
    return answer.then((found) => {
      if (found?.path !== undefined) onFound(args, found.path);
      return found;
    });
  });
}

type Resolver = Pick<PluginBuild, 'resolve'>;

const RESOLVING = Symbol('resolving');

/** Undefined where esbuild itself is to say what the import is, or that there is none. */
export async function resolvePackage(
  build: Resolver,
  { path, kind, importer, resolveDir, with: attributes }: Omit<OnResolveArgs, 'namespace' | 'pluginData'>,
): Promise<OnResolveResult | undefined> {
  const {
    errors,
    path: file,
    external,
  } = await build.resolve(path, { kind, importer, resolveDir, with: attributes, pluginData: RESOLVING });
  if (errors.length > 0 || external) return undefined;
  const isPackage = /^capix($|\/)/.test(path) || /[\\/]node_modules[\\/]/.test(file);
  const isTypeScript = /^\.[cm]?tsx?$/.test(extname(file));
  return isPackage && !isTypeScript ? { path: toExternalPath(file, kind), external: true } : { path: file };
}

/** As a URL, since the bundle does not lie where the import was written; `require` takes paths only. */
function toExternalPath(file: string, kind: ImportKind): string {
  return kind === 'require-call' || kind === 'require-resolve' ? file : pathToFileURL(file).href;
}

/** The nearest folder upwards that has a say in what a bare import means. */
export function findResolutionRoot(folder: string, roots: Map<string, string>): string {
  const known = roots.get(folder);
  if (known !== undefined) return known;
  const isRoot = ['package.json', 'tsconfig.json', 'node_modules'].some((name) => existsSync(join(folder, name)));
  const root = isRoot || dirname(folder) === folder ? folder : findResolutionRoot(dirname(folder), roots);
  roots.set(folder, root);
  return root;
}
