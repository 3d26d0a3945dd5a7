import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import jsTokens from 'js-tokens';
import { packageRoot } from '../run-capix.ts';

/** The folders and files that are ours to read: the tool and the library. */
export const product = ['cli.ts', 'commands', 'source', 'server-runtime'];

/** Files, lines, and lines that have more than blanks and comments. */
export function measureRoom(places: readonly string[]): readonly number[] {
  const texts = places.flatMap(findFiles).map(read);
  return [
    texts.length,
    sum(texts.map((text) => toLines(text).length)),
    sum(texts.map(codeLinesOf)),
  ];
}

/** Figures of the whole product, by what they count. */
export function measureWhole(): Readonly<Record<string, number>> {
  const files = product.flatMap(findFiles);
  const long = files.flatMap((file) => toLines(read(file))).filter((line) => line.length > 120);
  const reports = readdirSync(join(packageRoot, 'etc')).map((name) =>
    read(join('etc', name)).replaceAll('\r', ''),
  );
  return {
    files: files.length,
    'folders with files': new Set(files.map(dirname).filter((folder) => folder !== '.')).size,
    'folders in circles of imports': findCircles(files).length,
    'lines over 120 columns': long.length,
    'exported names': sum(reports.map((report) => report.match(/^export /gm)?.length ?? 0)),
    options: sum(reports.map(countOptions)),
  };
}

/** The `.ts` and `.tsx` files of a folder at any depth, or the file itself; relative to the package. */
export function findFiles(place: string): readonly string[] {
  if (!statSync(join(packageRoot, place)).isDirectory()) return [place];
  const names = readdirSync(join(packageRoot, place), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.(tsx?|mjs)$/.test(name)).map((name) => join(place, name));
}

const counted = new Map<string, number>();

function codeLinesOf(text: string): number {
  const count = counted.get(text) ?? countCodeLines(text);
  counted.set(text, count);
  return count;
}

function countCodeLines(text: string): number {
  const lines = new Set<number>();
  let line = 0;
  for (const { type, value } of jsTokens(text, { jsx: true })) {
    const last = line + toLines(value).length - 1;
    if (!/Comment|WhiteSpace|LineTerminator/.test(type))
      for (let each = line; each <= last; each++) lines.add(each);
    line = last + (value.endsWith('\n') ? 1 : 0);
  }
  return lines.size;
}

/** Properties of exported interfaces and types whose name ends in `Options`, as a report of the API has them. */
function countOptions(report: string): number {
  const bodies = [...report.matchAll(/^export (?:interface|type) \w*Options\b.*\{\n([^]*?)^\}/gm)];
  return sum(
    bodies.map(([, body = '']) => body.match(/^ {4}(?:readonly )?\w+\??[:(<]/gm)?.length ?? 0),
  );
}

/** Folders that import each other, directly or by way of others. A folder and one below it are two. */
function findCircles(files: readonly string[]): readonly string[] {
  const imports = new Map<string, Set<string>>();
  for (const file of files) {
    const from = dirname(file);
    const to = imports.get(from) ?? new Set();
    imports.set(from, to);
    // A file of data imports nothing.
    for (const [, path = ''] of read(file).matchAll(/(?:from|import\()\s*'(\.[^']+(?<!\.json))'/g))
      to.add(dirname(join(from, path)));
  }
  const reach = (start: string): Set<string> => {
    const reached = new Set<string>();
    const visit = (folder: string): void => {
      for (const next of imports.get(folder) ?? []) {
        if (reached.has(next) || next === folder) continue;
        reached.add(next);
        visit(next);
      }
    };
    visit(start);
    return reached;
  };
  return [...imports.keys()].filter((folder) => reach(folder).has(folder));
}

function toLines(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n');
}

function read(file: string): string {
  return readFileSync(join(packageRoot, file), 'utf8');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
