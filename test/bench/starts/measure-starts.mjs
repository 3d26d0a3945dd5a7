/** `npm run bench -- --starts`: what commands of the packed and installed package cost from start to end, as ratios of Node alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureCommand } from '../command-cpu.mjs';
import { median } from '../measure.mjs';
import { toText } from '../table.mjs';
import { openWindow } from '../terminal/open-window.mjs';
import { installPacked, writeProjects } from './projects.mjs';

/**
 * Measures on each of the Nodes, `{node, version}`, in interleaved rounds: `[{node, name, ms, of, ratio, goal}]`, CPU milliseconds of the whole process
 * and its children, and the median of the rounds' ratios to the row `of`.
 */
export async function measureStarts({ nodes, rounds }) {
  const parent = mkdtempSync(join(tmpdir(), 'capix-starts-'));
  try {
    installPacked(parent);
    const small = writeProjects(parent, 3);
    const large = writeProjects(parent, 100);
    const rows = [];
    for (const { node, version } of nodes)
      for (const row of await measureOn(toCases({ node, parent, small, large }), rounds))
        rows.push({ node: version, ...row });
    return rows;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function toCases({ node, parent, small, large }) {
  const cli = join(parent, 'node_modules', 'capix', 'dist', 'cli.cjs');
  const command = (name, words, folder = parent) => ({
    name,
    run: () => measureCommand(folder, [node, ...words]),
  });
  return [
    command('node -e 0', ['-e', '0']),
    { ...command('capix --version', [cli, '--version']), of: 'node -e 0', goal: 1.3 },
    { ...command('capix --help', [cli, '--help']), of: 'node -e 0', goal: 2.3 },
    command('node, 3 files of JavaScript', ['src/capabilities.js'], small.javascript),
    {
      ...command('capix list --json, 3 files', [cli, 'list', '--json'], small.typescript),
      of: 'node, 3 files of JavaScript',
      goal: 2.2,
    },
    command('node, 100 files of JavaScript', ['src/capabilities.js'], large.javascript),
    {
      ...command('capix list --json, 100 files', [cli, 'list', '--json'], large.typescript),
      of: 'node, 100 files of JavaScript',
      goal: 1.8,
    },
    command('capix list --plain, 3 files', [cli, 'list', '--plain'], small.typescript),
    {
      name: 'first frame of capix list',
      run: () => measureScreen((text) => text.trim() !== '', { node, cli, cwd: small.typescript }),
      of: 'capix list --plain, 3 files',
      goal: 1.7,
    },
    {
      name: 'capix list until its keys are drawn, by Ink',
      run: () =>
        measureScreen((text) => text.includes('q leave'), { node, cli, cwd: small.typescript }),
      of: 'node -e 0',
    },
    {
      name: 'capix list until the capabilities are drawn',
      run: () =>
        measureScreen((text) => text.includes('getItem'), { node, cli, cwd: small.typescript }),
      of: 'node -e 0',
    },
  ];
}

/** CPU of the screen's process until a whole frame is there that `isReached`. */
async function measureScreen(isReached, options) {
  const window = openWindow(['list'], options);
  await window.waitFor(isReached);
  const ms = window.cpuMs();
  window.type('q');
  await window.ended;
  return ms;
}

async function measureOn(cases, rounds) {
  const times = new Map(cases.map(({ name }) => [name, []]));
  for (const { run } of cases) await run();
  for (let round = 0; round < rounds; round++)
    for (const { name, run } of cases) times.get(name).push(await run());
  return cases.map(({ name, of, goal }) => ({
    name,
    ms: median(times.get(name)),
    ...(of !== undefined && {
      of,
      ratio: median(times.get(name).map((ms, round) => ms / times.get(of)[round])),
      goal,
    }),
  }));
}

/** The rows of several versions of Node side by side. */
export function toStartsText(rows) {
  const versions = [...new Set(rows.map(({ node }) => node))];
  const names = [...new Set(rows.map(({ name }) => name))];
  const head = [
    'CPU of the whole process',
    ...versions.flatMap((version) => [`Node ${version}: ms`, '×', 'goal']),
  ];
  const toCells = (row) => [
    row.ms.toFixed(0),
    row.ratio?.toFixed(2) ?? '',
    row.goal === undefined
      ? ''
      : `${row.goal} ${row.ratio <= row.goal ? 'reached' : 'not reached'}`,
  ];
  const toLine = (name) => [
    name,
    ...versions.flatMap((node) =>
      toCells(rows.find((row) => row.node === node && row.name === name)),
    ),
  ];
  return toText(head, names.map(toLine));
}
