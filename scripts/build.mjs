/**
 * Builds `dist/`: the compiler makes the types of the library, esbuild its code and the command-line tool (what a
 * command loads is in `dist/chunks/`); a template is copied from the examples. It is built beside its place, so that what runs meanwhile finds a whole tree.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { bundleLibrary, divideLibrary } from './bundle-library.mjs';
import { bundleLauncher, bundleTool } from './bundle-tool.mjs';
import { toBundledText } from './bundled-text.mjs';
import { root } from './import-source.mjs';
import { writeProductTemplate } from './product-template.mjs';

// As deep as its place, for the maps beside the declarations: they lead editors to the sources, relative to themselves.
const outDir = join(root, `.dist-${process.pid}`);

try {
  await mkdir(outDir, { recursive: true });
  await Promise.all([
    makeDeclarations(),
    bundleLauncher({ baseDir: root, outDir }),
    makeLibraryAndTool(),
    writeProductTemplate({ baseDir: root, outDir }),
  ]);
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
  const entryPoints = await findEntryPoints();
  const inputs = await bundleTool({ baseDir: root, outDir, entryPoints, library });
  await bundleLibrary({ outDir, ...library });
  await writeFile(join(outDir, 'BUNDLED.md'), await toBundledText(root, inputs));
}

async function makeDeclarations() {
  const tsc = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  try {
    await promisify(execFile)(
      process.execPath,
      [tsc, '-p', 'tsconfig.build.json', '--outDir', outDir],
      { cwd: root },
    );
  } catch (error) {
    // As the compiler alone does: the output is there, and the exit code says that it has errors.
    process.stderr.write(error.stdout || `${error.message}\n`);
    process.exitCode = 1;
  }
}

/** What the command imports, and what runs in a child process or a thread. */
async function findEntryPoints() {
  const entries = await readdir(join(root, 'source'), { recursive: true });
  const children = entries.filter((entry) => entry.endsWith('-child.ts'));
  return ['source/cli/run-cli.ts', ...children.map((entry) => join('source', entry))];
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
