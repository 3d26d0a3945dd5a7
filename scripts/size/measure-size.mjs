import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The two halves of the product, as `docs/internals/architecture.md` calls them. */
export const halves = {
  library: ['server-runtime'],
  tool: ['source', 'commands', 'cli.ts'],
};
const product = [...halves.library, ...halves.tool];

/** Files of some places, with the characters and the lines of their code. */
export function measurePlaces(places) {
  const files = places.flatMap(findFiles);
  const lines = files.flatMap((file) => toCodeLines(read(file)));
  const characters = sum(lines.map((line) => Buffer.byteLength(line)));
  return { files: files.length, characters, lines: lines.length };
}

/** The rooms of both halves, by their path. */
export function measureRooms() {
  const folders = ['server-runtime', 'source'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  );
  const rooms = [...folders, 'commands', 'cli.ts', 'scripts'];
  return Object.fromEntries(rooms.map((room) => [room, measurePlaces([room])]));
}

/** Figures of the whole product, by what they count. */
export function measureWhole() {
  const files = product.flatMap(findFiles);
  const wide = files.flatMap((file) => toLines(read(file))).filter((line) => line.length > 120);
  const reports = readdirSync(join(root, 'etc')).map((name) => read(join('etc', name)));
  return {
    'characters of the library': measurePlaces(halves.library).characters,
    'characters of the tool': measurePlaces(halves.tool).characters,
    files: files.length,
    'folders with files': new Set(files.map(dirname).filter((folder) => folder !== '.')).size,
    'folders in circles of imports': findCircles(files).length,
    'lines over 120 columns': wide.length,
    'exported names': sum(reports.map((report) => report.match(/^export /gm)?.length ?? 0)),
    options: sum(reports.map(countOptions)),
  };
}

/**
 * The lines that have more than blanks and comments, without the blanks around them. A comment is one where it begins
 * its line; one behind code counts as code, as a line within a template does.
 */
export function toCodeLines(text) {
  const code = [];
  let isInComment = false;
  for (const line of toLines(text).map(trim)) {
    if (isInComment) isInComment = !line.includes('*/');
    else if (line.startsWith('/*')) isInComment = !line.includes('*/');
    else if (line !== '' && !line.startsWith('//')) code.push(line);
  }
  return code;
}

/** The sources in a folder at any depth, or the file itself; relative to the package. */
function findFiles(place) {
  if (!statSync(join(root, place)).isDirectory()) return [place];
  const names = readdirSync(join(root, place), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.([cm]?js|tsx?)$/.test(name)).map((name) => join(place, name));
}

/** Properties of exported interfaces and types whose name ends in `Options`, as a report of the API has them. */
function countOptions(report) {
  const bodies = report.matchAll(/^export (?:interface|type) \w*Options\b.*\{\n([^]*?)^\}/gm);
  const property = /^ {4}(?:readonly )?\w+\??[:(<]/gm;
  return sum([...bodies].map((match) => match[1].match(property)?.length ?? 0));
}

/** Folders that import each other, directly or by way of others. A folder and one below it are two. */
function findCircles(files) {
  const imports = new Map();
  for (const file of files) {
    const from = dirname(file);
    const to = imports.get(from) ?? new Set();
    imports.set(from, to);
    // A file of data imports nothing.
    for (const match of read(file).matchAll(/(?:from|import\()\s*'(\.[^']+(?<!\.json))'/g))
      to.add(dirname(join(from, match[1])));
  }
  return [...imports.keys()].filter((folder) => findReached(folder, imports).has(folder));
}

function findReached(start, imports) {
  const reached = new Set();
  const visit = (folder) => {
    for (const next of imports.get(folder) ?? []) {
      if (reached.has(next) || next === folder) continue;
      reached.add(next);
      visit(next);
    }
  };
  visit(start);
  return reached;
}

function toLines(text) {
  return text.replaceAll('\r', '').replace(/\n$/, '').split('\n');
}

function trim(line) {
  return line.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}

function read(file) {
  return readFileSync(join(root, file), 'utf8').replaceAll('\r', '');
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
