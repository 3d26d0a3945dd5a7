import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { laterImports } from './later-imports.mjs';
import { outlineCommands } from './outline-commands.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const noLibrary = { parts: new Map(), more: new Set() };
const { dependencies, peerDependenciesMeta, name, version, description } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/**
 * Bundles a terminal application made with Pastel: the entry points, each at its place in `outDir`, and the metadata of every file in
 * `commands/`, which every start needs. What a command imports in `plain` and `screen` becomes a chunk of its own.
 */
export async function bundleTool({ baseDir, outDir, entryPoints, library = noLibrary, sourcemap = false }) {
  // Each process has chunks of its own: what two of them shared would be many small files, and each file costs its reader half a millisecond.
  await Promise.all(
    entryPoints.map(async (entry) => {
      const options = { ...toOptions({ baseDir, outDir, entry, library }), sourcemap };
      if (entry.endsWith('-child.ts')) await build(options);
      else await build(await keepWhole(options, entry));
    }),
  );
}

/**
 * The command itself, one CommonJS file: Node starts it before it has loaded its loader of modules. An old Node reads it to say what is wrong, so its
 * parts require nothing before they run.
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
    plugins: [laterImports({ './start.ts': './source/cli/start.js' }), packageFields()],
  });
}

function toOptions({ baseDir, outDir, entry, library }) {
  return {
    absWorkingDir: baseDir,
    entryPoints: [{ in: entry, out: entry.replace(/\.ts$/, '') }],
    outdir: outDir,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
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
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    external: Object.keys({ ...dependencies, ...peerDependenciesMeta }).flatMap((name) => [name, `${name}/*`]),
    plugins: [standIns(), commandsTable(baseDir), sharedLibrary(library), packageFields()],
  };
}

/**
 * Keeps in one file all of `source/` that the entry loads at once. The bundler by itself divides it by which of the chunks use which part, into some
 * twenty files. A chunk imports of it from the entry, which has run by then: the names that the tool exports are unique.
 */
async function keepWhole(options, entry) {
  const { absWorkingDir: baseDir, plugins } = options;
  const first = { ...options, write: false, metafile: true, plugins: [laterImports(), ...plugins] };
  const inputs = Object.keys((await build(first)).metafile.inputs).map((file) => resolve(baseDir, file));
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
        return kind === 'dynamic-import' ? { path: `./${basename(out)}.js`, external: true } : undefined;
      });
      // Commands describe their options by functions of Pastel, which is there.
      onResolve({ filter: /^pastel$/ }, ({ importer, namespace }) =>
        namespace === 'entry' || inside.has(importer) ? undefined : { path: `../${out}.js`, external: true },
      );
      onLoad({ filter: /.*/, namespace: 'entry' }, () => ({
        contents: [entry, ...files, 'pastel'].map((file) => `export * from ${JSON.stringify(file)};`).join('\n'),
        resolveDir: dirname(entry),
      }));
    },
  };
}

/**
 * Only for Pastel: what it imports, and what it gets (see `source/cli/pastel/`). Nothing for Ink's developer tools, the component around Pastel's
 * commands and Commander's executables.
 */
function standIns() {
  return {
    name: 'stand-ins',
    setup({ onResolve, onLoad }) {
      const fromPastel = {
        commander: 'commander.ts',
        'read-package-up': 'read-package-up.ts',
        'node:process': 'process.ts',
        './generate-command.js': 'generate-command.ts',
        './read-commands.js': 'read-commands.ts',
        './read-custom-app.js': 'read-custom-app.ts',
      };
      onResolve({ filter: /^[@a-z.]/ }, ({ path, importer }) => {
        if (!/[\\/]node_modules[\\/]pastel[\\/]/.test(importer) || !Object.hasOwn(fromPastel, path)) return undefined;
        return { path: join(root, 'source', 'cli', 'pastel', fromPastel[path]) };
      });
      const unused =
        /[\\/]node_modules[\\/](ink[\\/].* \.\/devtools\.js|pastel[\\/].* \.\/_app\.js|commander[\\/].* node:child_process)$/;
      onResolve({ filter: /^\.\/(devtools|_app)\.js$|^node:child_process$/ }, ({ path, importer }) =>
        unused.test(`${importer} ${path}`) ? { path, namespace: 'empty' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
      // Ink's layout has its WebAssembly in its code, and decodes it by itself where there is no `fetch`, which takes Node 25 ms to load.
      onLoad({ filter: /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]/ }, ({ path }) => ({
        contents: `const fetch = undefined;\n${readFileSync(path, 'utf8')}`,
      }));
    },
  };
}

/** `capix:commands`, the commands of `commands/` by path: what is known of them, and how each is loaded. */
function commandsTable(baseDir) {
  return {
    name: 'commands-table',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^capix:commands$/ }, ({ path }) => ({ path, namespace: 'commands' }));
      onLoad({ filter: /.*/, namespace: 'commands' }, async () => {
        const entries = Object.entries(await outlineCommands(baseDir)).map(([name, { path, runs, ...outline }]) => {
          const load = runs ? `, load: () => import('./${path}')` : '';
          return `${JSON.stringify(name)}: { ...${JSON.stringify(outline)}${load} }`;
        });
        return {
          contents: `export const commands = { ${entries.join(',\n')} };`,
          resolveDir: join(baseDir, 'commands'),
        };
      });
    },
  };
}

/** Of our package.json the tool reads name, version and description (`source/package-info.ts`); every start would parse the rest. */
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
 * The tool and user code share one copy of the library: the tool imports the built files, by way of `imports` in package.json. `library` has the
 * part that each of its modules is in, and is given those that are in none.
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
