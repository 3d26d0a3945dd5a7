/**
 * Writes `docs/contract.md`: the lines of the contract, which are the names of the tests in `test/contract`. `--check` only compares.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, writePage } from './write-page.mjs';

const folder = join(root, 'test', 'contract');
const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts'));

writePage('contract.md', files.sort().map(toSection));

function toSection(file) {
  const words = file.replace('.test.ts', '').replace('details-', 'in detail: ').replaceAll('-', ' ');
  const lines = readNames(join(folder, file)).map(({ group, line }) =>
    line === undefined ? `\n${toProse(group)}:\n` : `- ${toProse(line)}`,
  );
  const title = `${words[0].toUpperCase()}${words.slice(1)}`;
  return `## ${title}\n\n[test/contract/${file}](../test/contract/${file})\n${lines.join('\n')}`;
}

/** Names of the groups and tests of a file, in order. Names are string literals, which keeps them greppable. */
function readNames(path) {
  const text = readFileSync(path, 'utf8');
  const calls = [
    ...text.matchAll(/^ *(describe|it)(?:\.each\(\w+\))?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/gm),
  ];
  const count = [...text.matchAll(/^ *(?:describe|it)\b/gm)].length;
  if (calls.length !== count) throw new Error(`${path}: the name of each test must be a string literal`);
  return calls.map(([, kind, single, double]) => {
    const name = (single ?? double).replaceAll(/\\(.)/g, '$1');
    return kind === 'it' ? { line: name } : { group: name };
  });
}

/** As text, whatever it has of Markdown and HTML; what a table fills in is `…`. */
function toProse(text) {
  return text
    .replaceAll('%s', '…')
    .replaceAll(/[\\`*_[\]|]/g, String.raw`\$&`)
    .replaceAll('<', '&lt;');
}
