import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readVersions } from '../versions.mjs';

const page = fileURLToPath(new URL('../../../docs/internals/performance.md', import.meta.url));
const BEGIN = '<!-- rows -->\n';
const END = '<!-- end of rows -->\n';

const packages = ['fastify', 'fastify-type-provider-zod', 'hono', 'openapi-fetch', 'zod'];

/** Writes the figures of rows into the page, with date and versions. The lines of other rows and versions stay. */
export async function writeRows(figures, rows, rounds) {
  const text = await readFile(page, 'utf8');
  const [before, rest] = split(text, BEGIN);
  const [old, after] = split(rest, END);
  const lines = new Map(readLines(old));
  for (const { name, peer, version, own, unit, ratio } of figures) {
    const { of, goals } = rows.find((row) => row.name === name);
    const major = version.split('.', 1)[0];
    const key = `${of}|${peer}|${major}`;
    lines.set(
      key,
      `| ${[of, major, toShort(own, unit), peer, ratio.toFixed(2), goals[peer] ?? '–'].join(' | ')} |`,
    );
  }
  const places = rows.map(({ of }) => of);
  const sorted = [...lines].sort(([one], [other]) => toPlace(one, places) - toPlace(other, places));
  const { date, packages: all } = readVersions('');
  const versions = packages.map((name) => `${name} ${all[name]}`).join(', ');
  const nodes = [...new Set(figures.map(({ version }) => version))].join(', ');
  const table = [
    `Last run: ${date.slice(0, 10)}, Node ${nodes}, medians of ${rounds} rounds in turns, at a load of ${loadavg()[0].toFixed(0)} on two cores; ${versions}.`,
    '',
    '| What is done | Node | capix | Peer | Part of it | Goal |',
    '|---|---|---|---|---|---|',
    ...sorted.map(([, line]) => line),
  ];
  await writeFile(page, `${before}${BEGIN}\n${table.join('\n')}\n\n${END}${after}`);
}

function split(text, mark) {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`${page} has no ${mark.trim()}.`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** The lines of a table that was written before, by what they are about. */
function readLines(table) {
  return table
    .split('\n')
    .filter((line) => /^\| .* \| \d+ \|/.test(line))
    .map((line) => {
      const [, of, major, , peer] = line.split('|').map((cell) => cell.trim());
      return [`${of}|${peer}|${major}`, line];
    });
}

/** In the order of the rows, and of the versions of Node in each. */
function toPlace(key, places) {
  const [of, , major] = key.split('|');
  return places.indexOf(of) * 100 + Number(major);
}

function toShort(value, unit) {
  if (unit === 'KiB') return `${(value / 1024).toFixed(0)} MiB`;
  return value < 1000 ? `${value.toFixed(1)} ${unit}` : `${(value / 1000).toFixed(1)} ms`;
}
