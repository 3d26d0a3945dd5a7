import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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
  const isChild = (file) => file.endsWith('-child.ts');
  const groups = [entryPoints.filter((file) => !isChild(file)), ...entryPoints.filter(isChild).map((file) => [file])];
  // Each process has chunks of its own: what two of them shared would be many small files, and each file costs its reader half a millisecond.
  await Promise.all(groups.map((group) => bundle({ baseDir, outDir, entryPoints: group, library })));
}

async function bundle({ baseDir, outDir, entryPoints, library }) {
  await build({
    absWorkingDir: baseDir,
    entryPoints,
    outbase: baseDir,
    outdir: outDir,
    entryNames: '[dir]/[name]',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    minify: true,
    // An uncaught error prints the line it is on.
    lineLimit: 200,
    keepNames: true,
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
  });
}

/**
 * Only for Pastel: what it imports, and what it gets (see `source/cli/pastel/`). Only for Ink: the same functions, which remember the lines of the
 * frames before (see `source/kit/text/ink/`), since Ink works out each line of every frame anew. Nothing for Ink's developer tools and Commander's
 * executables.
 */
function standIns() {
  return {
    name: 'stand-ins',
    setup({ onResolve, onLoad }) {
      const fromPastel = {
        ink: 'ink.ts',
        '@inkjs/ui': 'ink-ui.ts',
        commander: 'commander.ts',
        'read-package-up': 'read-package-up.ts',
        'node:process': 'process.ts',
        react: 'react.ts',
        'react/jsx-runtime': 'react.ts',
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
      const unused = /[\\/]node_modules[\\/](ink[\\/].* \.\/devtools\.js|commander[\\/].* node:child_process)$/;
      onResolve({ filter: /^\.\/devtools\.js$|^node:child_process$/ }, ({ path, importer }) =>
        unused.test(`${importer} ${path}`) ? { path, namespace: 'empty' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
    },
  };
}

/** `capix:commands`, the modules of `commands/` by path. */
function commandsTable(baseDir) {
  const folder = join(baseDir, 'commands');
  return {
    name: 'commands-table',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^capix:commands$/ }, ({ path }) => ({ path, namespace: 'commands' }));
      onLoad({ filter: /.*/, namespace: 'commands' }, () => {
        const files = readdirSync(folder, { recursive: true }).filter((file) => /\.tsx?$/.test(file));
        const names = files.sort().map((file) => file.replaceAll('\\', '/'));
        const imports = names.map((name, index) => `import * as command${index} from './${name}';`);
        const entries = names.map((name, index) => `${JSON.stringify(name.replace(/\.tsx?$/, ''))}: command${index}`);
        return {
          contents: `${imports.join('\n')}\nexport const modules = { ${entries.join(', ')} };`,
          resolveDir: folder,
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
