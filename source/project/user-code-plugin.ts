import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ImportKind, Loader, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';

/**
 * Makes a bundle of user code behave like the files that it was made of:
 *
 * - A bare import whose real path is inside `node_modules` stays outside, as does `capix` wherever it lies (a link to a checkout), so that
 *   there is one copy of each package. What else a bare import finds is project code and is bundled: a `paths` entry of tsconfig.json, a
 *   package of the same workspace, TypeScript in a package. An import that is not found gets esbuild's own error, with its position.
 * - `import.meta.url`, `.dirname` and `.filename` are those of the source file.
 */
export function userCodePlugin(): Plugin {
  return {
    name: 'user-code',
    setup(build) {
      const options = build.initialOptions;
      options.define = { ...options.define, ...importMetaDefines };
      keepPackagesOutside(build);
      defineImportMeta(build);
    },
  };
}

function keepPackagesOutside(build: PluginBuild): void {
  // Resolving is a round trip to esbuild: one for each package and each place that it is imported from.
  const answers = new Map<string, Promise<OnResolveResult | undefined>>();
  const roots = new Map<string, string>();
  build.onStart(() => {
    answers.clear();
    roots.clear();
  });
  build.onResolve({ filter: /^[^./]/ }, (args) => {
    if (args.pluginData === RESOLVING || args.kind === 'entry-point' || isAbsolute(args.path)) return undefined;
    if (isBuiltin(args.path)) return { path: args.path, external: true };
    const place = `${args.path}\0${args.kind}\0${findResolutionRoot(args.resolveDir, roots)}`;
    const answer = answers.get(place) ?? resolvePackage(build, args);
    answers.set(place, answer);
    return answer;
  });
}

const RESOLVING = Symbol('resolving');

async function resolvePackage(
  build: PluginBuild,
  { path, kind, importer, resolveDir, with: attributes }: OnResolveArgs,
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
function findResolutionRoot(folder: string, roots: Map<string, string>): string {
  const known = roots.get(folder);
  if (known !== undefined) return known;
  const isRoot = ['package.json', 'tsconfig.json', 'node_modules'].some((name) => existsSync(join(folder, name)));
  const root = isRoot || dirname(folder) === folder ? folder : findResolutionRoot(dirname(folder), roots);
  roots.set(folder, root);
  return root;
}

const importMetaDefines = {
  'import.meta.url': '__capixUrl',
  'import.meta.filename': '__capixFilename',
  'import.meta.dirname': '__capixDirname',
} as const;

/** Writes the constants before the first statement, on its line, so that positions keep their line. */
function defineImportMeta(build: PluginBuild): void {
  build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, ({ path }) => {
    // For thousands of small files this takes a fifth of the time of reading them aside.
    const text = readFileSync(path, 'utf8');
    if (!text.includes('import.meta')) return undefined;
    const constants = Object.entries({
      __capixUrl: pathToFileURL(path).href,
      __capixFilename: path,
      __capixDirname: dirname(path),
    })
      .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
      .join(' ');
    return { contents: `${constants} ${text.replace(/^#!/, '//')}`, loader: toLoader(path) };
  });
}

function toLoader(path: string): Loader {
  const extension = extname(path).replace(/^\.[cm]?/, '');
  return extension === 'tsx' || extension === 'jsx' || extension === 'ts' ? extension : 'js';
}
