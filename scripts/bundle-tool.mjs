import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { root } from './import-source.mjs';
import { laterImports } from './later-imports.mjs';
import { outlineCommands } from './outline-commands.mjs';

const noLibrary = { parts: new Map(), more: new Set() };
const { dependencies, peerDependenciesMeta, name, version, description } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/**
 * Bundles a terminal application made with Pastel: the entry points, each at its place in `outDir`, and the metadata of
 * every file in `commands/`, which every start needs. What a command imports later becomes a chunk of its own. Gives
 * the files that went in, relative to `baseDir`.
 */
export async function bundleTool({
  baseDir,
  outDir,
  entryPoints,
  library = noLibrary,
  sourcemap = false,
}) {
  // Each process has chunks of its own: what two of them shared would be many small files, which take long to read.
  const builds = await Promise.all(
    entryPoints.map(async (entry) => {
      const options = { ...toOptions({ baseDir, outDir, entry, library }), sourcemap };
      return build(entry.endsWith('-child.ts') ? options : await keepWhole(options, entry));
    }),
  );
  return new Set(builds.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
}

/**
 * The command itself, one CommonJS file: Node starts it before it has loaded its loader of modules. An old Node reads
 * it to say what is wrong, so its parts require nothing before they run.
 */
export async function bundleLauncher({ baseDir, outDir, sourcemap = false }) {
  await build({
    absWorkingDir: baseDir,
    entryPoints: ['cli.ts'],
    sourcemap,
    outfile: join(outDir, 'cli.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'es2015',
    supported: { 'dynamic-import': true },
    define: { 'import.meta.filename': '__filename', 'import.meta.dirname': '__dirname' },
    logLevel: 'warning',
    plugins: [laterImports({ './run-cli.ts': './source/cli/run-cli.js' }), packageFields()],
  });
}

function toOptions({ baseDir, outDir, entry, library }) {
  return {
    absWorkingDir: baseDir,
    entryPoints: [{ in: entry, out: entry.replace(/\.ts$/, '') }],
    outdir: outDir,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    metafile: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    // Names stay as they are: to keep them beside short ones costs a call for each function at start.
    minifyWhitespace: true,
    minifySyntax: true,
    // An uncaught error prints the line it is on.
    lineLimit: 200,
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Its other build requires its parts in a way that no bundler sees.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // Bundled CommonJS requires Node's own modules.
    banner: {
      js:
        "import { createRequire as __createRequire } from 'node:module'; " +
        'const require = __createRequire(import.meta.url);',
    },
    external: Object.keys({ ...dependencies, ...peerDependenciesMeta }).flatMap((name) => [
      name,
      `${name}/*`,
    ]),
    plugins: [standIns(), commandsTable(baseDir), sharedLibrary(library), packageFields()],
  };
}

/**
 * Keeps in one file all of `source/` that the entry loads at once, which the bundler would divide into some twenty. A
 * chunk imports of it from the entry, which has run by then: the names that the tool exports are unique.
 */
async function keepWhole(options, entry) {
  const { absWorkingDir: baseDir, plugins } = options;
  const first = { ...options, write: false, plugins: [laterImports(), ...plugins] };
  const inputs = Object.keys((await build(first)).metafile.inputs).map((file) =>
    resolve(baseDir, file),
  );
  const files = inputs.filter((file) => file.startsWith(join(root, 'source')));
  const { out } = options.entryPoints[0];
  return {
    ...options,
    entryPoints: [{ in: 'capix:entry', out }],
    plugins: [wholeEntry({ entry: resolve(baseDir, entry), out, files }), ...plugins],
  };
}

function wholeEntry({ entry, out, files }) {
  const inside = new Set([entry, ...files]);
  return {
    name: 'whole-entry',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^capix:entry$/ }, ({ path }) => ({ path, namespace: 'entry' }));
      onResolve({ filter: /^[./].*\.tsx?$/ }, ({ path, kind, importer, namespace, resolveDir }) => {
        const file = resolve(resolveDir, path);
        // It runs, although package.json says that files of the package only declare.
        if (file === entry) return { path, sideEffects: true };
        if (namespace === 'entry' || !inside.has(file)) return undefined;
        if (!inside.has(importer)) return { path: `../${out}.js`, external: true };
        return kind === 'dynamic-import'
          ? { path: `./${basename(out)}.js`, external: true }
          : undefined;
      });
      // Commands describe their options by functions of Pastel, which is there.
      onResolve({ filter: /^pastel$/ }, ({ importer, namespace }) =>
        namespace === 'entry' || inside.has(importer)
          ? undefined
          : { path: `../${out}.js`, external: true },
      );
      onLoad({ filter: /.*/, namespace: 'entry' }, () => ({
        contents: [entry, ...files, 'pastel']
          .map((file) => `export * from ${JSON.stringify(file)};`)
          .join('\n'),
        resolveDir: dirname(entry),
      }));
    },
  };
}

/**
 * Only for Pastel: what it gets in place of what it imports, from `source/cli/` and from here. Nothing for Ink's
 * developer tools, the component around Pastel's commands and Commander's executables.
 */
function standIns() {
  return {
    name: 'stand-ins',
    setup({ onResolve, onLoad }) {
      const files = {
        commander: 'commander.ts',
        './generate-command.js': 'create-command.ts',
      };
      const texts = {
        // Pastel would read the user's package.json, and import each command and a frame of them.
        'read-package-up': 'export const readPackageUp = async () => undefined;',
        './read-custom-app.js': 'export default async () => undefined;',
        // Pastel takes the root out of what it gets.
        './read-commands.js':
          "import { commands } from 'capix:commands'; export default async () => new Map(commands);",
        // Its import alone opens the three standard streams.
        'node:process': 'export default process;',
      };
      onResolve({ filter: /^[@a-z.]/ }, ({ path, importer }) => {
        if (!/[\\/]node_modules[\\/]pastel[\\/]/.test(importer)) return undefined;
        if (Object.hasOwn(texts, path))
          return { path, namespace: 'for-pastel', sideEffects: false };
        return Object.hasOwn(files, path)
          ? { path: join(root, 'source', 'cli', files[path]) }
          : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'for-pastel' }, ({ path }) => ({ contents: texts[path] }));
      const unused = { ink: './devtools.js', pastel: './_app.js', commander: 'node:child_process' };
      onResolve(
        { filter: /^\.\/(devtools|_app)\.js$|^node:child_process$/ },
        ({ path, importer }) => {
          const [, name] = /[\\/]node_modules[\\/](\w+)[\\/]/.exec(importer) ?? [];
          return unused[name] === path ? { path, namespace: 'empty' } : undefined;
        },
      );
      onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
      // Ink's layout decodes its WebAssembly by itself where there is no `fetch`, which takes Node long to load.
      onLoad({ filter: /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]/ }, ({ path }) => ({
        contents: `const fetch = undefined;\n${readFileSync(path, 'utf8')}`,
      }));
    },
  };
}

/** `capix:commands`, the commands of `commands/`: what is known of them, and how each is loaded. */
function commandsTable(baseDir) {
  const toTable = (outlines) => {
    const entries = outlines.map(({ path, runs, commands, ...outline }) => {
      const known = JSON.stringify(outline).slice(1, -1);
      const load = runs ? `, load: () => import('./${path}')` : '';
      const inner = commands === undefined ? '' : `, commands: ${toTable(commands)}`;
      return `[${JSON.stringify(outline.name)}, { ${known}${load}${inner} }]`;
    });
    return `new Map([${entries.join(',\n')}])`;
  };
  return {
    name: 'commands-table',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^capix:commands$/ }, ({ path }) => ({ path, namespace: 'commands' }));
      onLoad({ filter: /.*/, namespace: 'commands' }, async () => ({
        contents: `export const commands = ${toTable(await outlineCommands(baseDir))};`,
        resolveDir: join(baseDir, 'commands'),
      }));
    },
  };
}

/** Of our package.json the tool reads what `source/package-info.ts` says; every start would parse the rest. */
function packageFields() {
  return {
    name: 'package-fields',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) => {
        if (path !== join(root, 'package.json')) return undefined;
        return { contents: JSON.stringify({ name, version, description }), loader: 'json' };
      });
    },
  };
}

/**
 * The tool and user code share one copy of the library: the tool imports the built files, by way of `imports` in
 * package.json. `library` has the part that each of its modules is in, and gets those that are in none.
 */
function sharedLibrary({ parts, more }) {
  return {
    name: 'shared-library',
    setup({ onResolve }) {
      onResolve({ filter: /[\\/]server-runtime[\\/]/ }, ({ path }) => {
        const file = path.replace(/^.*[\\/]server-runtime[\\/]/, '');
        const part = parts.get(file);
        if (part === undefined) more.add(file);
        return { path: `#server-runtime/${part ?? file.replace(/\.ts$/, '')}.js`, external: true };
      });
    },
  };
}
