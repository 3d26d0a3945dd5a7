import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
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
export async function bundleTool({ baseDir, outDir, entryPoints, library = noLibrary }) {
  // Each process has chunks of its own: what two of them shared would be many small files, and each file costs its reader half a millisecond.
  await Promise.all(
    entryPoints.map(async (entry) => {
      const options = toOptions({ baseDir, outDir, entry, library });
      if (entry.endsWith('-child.ts')) await build(options);
      else await build(await keepWhole(options, entry));
    }),
  );
}

/**
 * The command itself, one CommonJS file: Node starts it before it has loaded its loader of modules. An old Node reads it to say what is wrong, so its
 * parts require nothing before they run.
 */
export async function bundleLauncher({ baseDir, outDir }) {
  await build({
    absWorkingDir: baseDir,
    entryPoints: ['cli.ts'],
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
 * Keeps in one file all of `source/` that the entry loads at once, and in another what every screen loads. The bundler by itself divides it by which of
 * the chunks use which part, into some twenty and seventy files. What is imported of them is imported of these two, which have run by then, or run with
 * it: the names that the tool exports are unique.
 */
async function keepWhole(options, entry) {
  const { absWorkingDir: baseDir, plugins } = options;
  const [{ out }] = options.entryPoints;
  const readFiles = async (entryPoints) => {
    const first = { ...options, entryPoints, write: false, metafile: true, plugins: [laterImports(), ...plugins] };
    const inputs = Object.keys((await build(first)).metafile.inputs).map((file) => resolve(baseDir, file));
    return inputs.filter((file) => file.startsWith(join(root, 'source')));
  };
  const start = { name: 'capix:entry', out, runs: resolve(baseDir, entry), files: await readFiles([entry]) };
  const found = await readFiles(screenEntries.filter((file) => existsSync(join(baseDir, file))));
  const screens = {
    name: 'capix:screens',
    out: 'chunks/screens',
    files: found.filter((file) => !start.files.includes(file)),
  };
  const wholes = [start, ...(found.length === 0 ? [] : [screens])];
  return {
    ...options,
    entryPoints: wholes.map((whole) => ({ in: whole.name, out: whole.out })),
    plugins: [wholeFiles(wholes), ...plugins],
  };
}

/** Where the bundle of the screens begins; what they import as soon as it is loaded. */
const screenEntries = ['source/cli/open-screen.tsx', 'source/app/start-at.tsx'];

/** `runs`: the one of its files that does something when it is imported, although package.json says that files of the package only declare. */
function wholeFiles(wholes) {
  const wholeOf = (file) => wholes.find(({ runs, files }) => file === runs || files.includes(file));
  const toPlace = (whole, importer) => {
    const from = wholeOf(importer)?.out ?? 'chunks/chunk';
    const path = posix.relative(posix.dirname(from), `${whole.out}.js`);
    return { path: path.startsWith('.') ? path : `./${path}`, external: true };
  };
  return {
    name: 'whole-files',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^capix:(entry|screens)$/ }, ({ path }) => ({ path, namespace: 'whole' }));
      onResolve({ filter: /^[./].*\.tsx?$/ }, ({ path, kind, importer, namespace, resolveDir }) => {
        const file = resolve(resolveDir, path);
        const whole = wholeOf(file);
        if (file === whole?.runs) return { path: file, sideEffects: true };
        const isInside = namespace === 'whole' || wholeOf(importer) === whole;
        return whole === undefined || (isInside && kind !== 'dynamic-import') ? undefined : toPlace(whole, importer);
      });
      // Commands describe their options by functions of Pastel, which the entry has.
      onResolve({ filter: /^pastel$/ }, ({ importer, namespace }) =>
        namespace === 'whole' || wholeOf(importer) === wholes[0] ? undefined : toPlace(wholes[0], importer),
      );
      onLoad({ filter: /.*/, namespace: 'whole' }, ({ path }) => {
        const { runs, files } = wholes.find(({ name }) => name === path);
        const parts = runs === undefined ? files : [runs, ...files, 'pastel'];
        return { contents: parts.map((part) => `export * from ${JSON.stringify(part)};`).join('\n'), resolveDir: root };
      });
    },
  };
}

/**
 * Only for Pastel: what it imports, and what it gets (see `source/cli/pastel/`). Only for Ink: the same functions, which remember the lines of the
 * frames before (see `source/kit/text/ink/`), since Ink works out each line of every frame anew. Nothing for Ink's developer tools, the component
 * around Pastel's commands and Commander's executables.
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
      onResolve({ filter: /^(string-width|@alcalzone\/ansi-tokenize)$/ }, ({ path, importer }) =>
        /[\\/]node_modules[\\/](ink|widest-line)[\\/]/.test(importer)
          ? { path: join(root, 'source', 'kit', 'text', 'ink', `${path.split('/').at(-1)}.ts`) }
          : undefined,
      );
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
