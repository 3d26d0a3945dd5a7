/**
 * Builds `dist/`: the compiler makes the types of the library, esbuild its code and the command-line tool (what a command loads is in
 * `dist/chunks/`). It is built aside and then put in place, so that what runs meanwhile finds a whole tree.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleLibrary, divideLibrary } from './bundle-library.mjs';
import { bundleLauncher, bundleTool } from './bundle-tool.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const outDir = join(root, 'node_modules', '.cache', `capix-build-${process.pid}`);

try {
  await mkdir(outDir, { recursive: true });
  await Promise.all([makeDeclarations(), bundleLauncher({ baseDir: root, outDir }), makeLibraryAndTool()]);
  await chmod(join(outDir, 'cli.cjs'), 0o755);
  await putInPlace();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await rm(outDir, { recursive: true, force: true });
}

async function makeLibraryAndTool() {
  const library = { parts: await divideLibrary(), more: new Set() };
  await bundleTool({ baseDir: root, outDir, entryPoints: await entryPoints(), library });
  await bundleLibrary({ outDir, ...library });
}

async function makeDeclarations() {
  await compileDeclarations();
  await pointMapsToSources();
}

async function compileDeclarations() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', outDir], { cwd: root });
  } catch (error) {
    // As the compiler alone does: the output is there, and the exit code says that it has errors.
    process.stderr.write(error.stdout || `${error.message}\n`);
    process.exitCode = 1;
  }
}

/** "Go to definition" of an editor follows the map beside a declaration to the source, which is in the package too. */
async function pointMapsToSources() {
  const maps = (await readdir(outDir, { recursive: true })).filter((entry) => entry.endsWith('.d.ts.map'));
  await Promise.all(
    maps.map(async (entry) => {
      const map = JSON.parse(await readFile(join(outDir, entry), 'utf8'));
      const toFinal = (source) => {
        const from = relative(dirname(join(root, 'dist', entry)), join(dirname(join(outDir, entry)), source));
        return from.replaceAll(sep, '/');
      };
      await writeFile(join(outDir, entry), JSON.stringify({ ...map, sources: map.sources.map(toFinal) }));
    }),
  );
}

/** What the command imports, and what runs in a child process or a thread. */
async function entryPoints() {
  return ['source/cli/start.ts', ...(await filesUnder('source', /-child\.ts$/))];
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
