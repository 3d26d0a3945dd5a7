/**
 * Measures `list` of two builds in turns, in a pseudo-terminal: the CPU time of a key with 1,000 capabilities, and of a save until the screen
 * shows it, of all processes, with 100 capabilities and with 1,000 files.
 *
 *     npm run build && node test/bench/terminal/builds.mjs path/to/the/other/dist/cli.cjs [rounds] [path/to/node]
 *
 * Prints the medians of each build and the median of the ratios of each round, this build to the other.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeProject } from './make-project.mjs';
import { openWindow } from './open-window.mjs';

const [other, rounds = '5', node = process.execPath] = process.argv.slice(2);
const builds = [{ name: 'this' }, { name: 'other', cli: other }];
const keys = ['j', 'j', 'j', 'k', 'j', 'j', 'k', 'j', '\u001B[6~', '\u001B[6~', '\u001B[5~'];
const SAVES = 8;
const root = mkdtempSync(join(tmpdir(), 'capix-bench-'));

try {
  await compareBuilds('CPU of a key, 1,000 capabilities', { groups: 100, perGroup: 10 }, timeKeys);
  await compareBuilds('CPU of a save, 100 capabilities', { groups: 10, perGroup: 10 }, timeSaves);
  await compareBuilds('CPU of a save, 1,000 files', { groups: 1000, perGroup: 1 }, timeSaves);
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function compareBuilds(title, size, measure) {
  const times = { this: [], other: [] };
  for (let round = 0; round < Number(rounds); round++) {
    for (const { name, cli } of round % 2 === 0 ? builds : builds.toReversed()) {
      const folder = mkdtempSync(join(root, 'project-'));
      makeProject(folder, size);
      times[name].push(await measure(folder, cli));
    }
  }
  const ratios = times.this.map((time, round) => time / times.other[round]);
  console.log(
    `${title}: this ${median(times.this).toFixed(1)} ms, other ${median(times.other).toFixed(1)} ms, ratio ${median(ratios).toFixed(2)}`,
  );
}

async function openList(folder, cli) {
  const window = openWindow(['list'], { cwd: folder, node, ...(cli && { cli }) });
  await window.waitFor(
    (screen) => screen.includes('group0.getThing0x0') || screen.includes('getThing0x0'),
  );
  await window.settled(2000);
  return window;
}

async function timeKeys(folder, cli) {
  const window = await openList(folder, cli);
  const press = async () => {
    for (const key of keys) {
      await window.timeKey(key);
      await window.settled(30);
    }
  };
  await press();
  const before = window.cpuMs();
  for (let round = 0; round < 5; round++) await press();
  const each = (window.cpuMs() - before) / (5 * keys.length);
  window.type('q');
  await window.ended;
  return each;
}

async function timeSaves(folder, cli) {
  const window = await openList(folder, cli);
  const file = join(folder, 'src', 'group0.ts');
  const text = readFileSync(file, 'utf8');
  const times = [];
  for (let saved = 1; saved <= SAVES; saved++) {
    const before = window.sessionCpuMs();
    writeFileSync(file, text.replace('getThing0x0', `getSave${saved}x`));
    await window.waitFor((screen) => screen.includes(`getSave${saved}x`));
    await window.settled(500);
    times.push(window.sessionCpuMs() - before);
  }
  window.type('q');
  await window.ended;
  return median(times);
}

function median(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}
