import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Writes a generated page of `docs/`. With `--check` it writes nothing, and the process ends with 1 where the page is not what it would be.
 */
export function writePage(name, text) {
  writeFile(`docs/${name}`, text);
}

/** The same for any generated file. `name`: relative to the repository. */
export function writeFile(name, text) {
  const path = join(root, name);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
    return;
  }
  if (readIfThere(path) === text) return;
  process.stderr.write(`${name} is out of date. Run \`npm run docs\`.\n`);
  process.exitCode = 1;
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
