/**
 * Builds `dist/`: the compiler makes the library and its types, esbuild the command-line tool (one entry a command, shared code in
 * `dist/chunks/`). It is built aside and then put in place, so that what runs meanwhile finds a whole tree.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const outDir = join(root, 'node_modules', '.cache', `capix-build-${process.pid}`);
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

try {
  await mkdir(outDir, { recursive: true });
  await Promise.all([compileLibrary(), bundleTool()]);
  await chmod(join(outDir, 'cli.js'), 0o755);
  await putInPlace();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await rm(outDir, { recursive: true, force: true });
}

async function compileLibrary() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', outDir], { cwd: root });
  } catch (error) {
    // As the compiler alone does: the output is there, and the exit code says that it has errors.
    process.stderr.write(error.stdout || `${error.message}\n`);
    process.exitCode = 1;
  }
}

async function bundleTool() {
  await build({
    absWorkingDir: root,
    entryPoints: [
      'cli.ts',
      ...(await filesUnder('commands', /\.tsx?$/)),
      ...(await filesUnder('source', /-child\.ts$/)),
    ],
    outbase: '.',
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

async function filesUnder(folder, pattern) {
  const entries = await readdir(join(root, folder), { recursive: true });
  return entries.filter((entry) => pattern.test(entry)).map((entry) => join(folder, entry));
}

async function putInPlace() {
  const dist = join(root, 'dist');
  const old = `${outDir}-old`;
  await rename(dist, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(outDir, dist);
  await rm(old, { recursive: true, force: true });
}
