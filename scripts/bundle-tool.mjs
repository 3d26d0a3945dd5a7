import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Bundles a terminal application made with Pastel: `cli.ts` and `commands/**` of `baseDir`, each an entry that keeps its place in `outDir`, because
 * Pastel finds the commands beside the compiled `cli.js`.
 */
export async function bundleTool({ baseDir, outDir, entryPoints }) {
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
    // Bundled CommonJS requires Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
    plugins: [standIns(), sharedLibrary()],
  });
}

/** Only for Pastel: what it imports, and what it gets (see `source/cli/pastel/`). And no developer tools of React for Ink. */
function standIns() {
  return {
    name: 'stand-ins',
    setup({ onResolve, onLoad }) {
      const fromPastel = {
        ink: 'ink.ts',
        '@inkjs/ui': 'ink-ui.ts',
        commander: 'commander.ts',
        'read-package-up': 'read-package-up.ts',
        react: 'react.ts',
        'react/jsx-runtime': 'react.ts',
      };
      onResolve({ filter: /^[@a-z]/ }, ({ path, importer }) => {
        if (!/[\\/]node_modules[\\/]pastel[\\/]/.test(importer) || !Object.hasOwn(fromPastel, path)) return undefined;
        return { path: join(root, 'source', 'cli', 'pastel', fromPastel[path]) };
      });
      onResolve({ filter: /^\.\/devtools\.js$|^react-devtools-core$/ }, ({ path, importer }) =>
        /[\\/]node_modules[\\/]ink[\\/]/.test(importer) ? { path, namespace: 'empty' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
    },
  };
}

/** The tool and user code share one copy of the library: the tool imports the compiled files, by way of `imports` in package.json. */
function sharedLibrary() {
  return {
    name: 'shared-library',
    setup({ onResolve }) {
      onResolve({ filter: /[\\/]server-runtime[\\/]/ }, ({ path }) => {
        const inside = path.replace(/^.*[\\/]server-runtime[\\/]/, '').replace(/\.tsx?$/, '.js');
        return { path: `#server-runtime/${inside}`, external: true };
      });
    },
  };
}
