import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { laterImports } from './later-imports.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
let count = 0;

/** Runs TypeScript that stands in a folder of the sources, and gives what it exports. Later imports are left alone. */
export async function importSource(contents, resolveDir) {
  const outfile = join(
    root,
    'node_modules',
    '.cache',
    `capix-source-${process.pid}-${++count}.mjs`,
  );
  try {
    await build({
      stdin: { contents, resolveDir },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      plugins: [laterImports()],
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile, { force: true });
  }
}
