import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Stands in a page of `docs/` between what is written by hand and what is generated. */
const MARK = '<!-- `npm run docs` writes the rest of this page. -->';

/**
 * Writes the generated rest of a page of `docs/`. With `--check` it writes nothing, and the process ends with 1 where the page is not what it would
 * be.
 */
export function writePage(name, parts) {
  const [head] = readFileSync(join(root, 'docs', name), 'utf8').split(MARK);
  writeFile(`docs/${name}`, `${[head + MARK, ...parts].join('\n\n')}\n`);
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
