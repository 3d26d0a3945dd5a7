/** The build of this tree beside that of another commit, in interleaved rounds, with a confidence interval. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureScenario, median } from './measure.mjs';
import { toText } from './table.mjs';

const here = import.meta.dirname;
const root = join(here, '..', '..');
const RESAMPLES = 2000;

/**
 * Builds a commit in a folder of its own: `{file, remove()}`, the file of the server of capix there. It is the server of this tree with the library
 * of that commit.
 */
export function buildRef(ref) {
  const folder = mkdtempSync(join(tmpdir(), 'capix-bench-'));
  const git = (...words) =>
    execFileSync('git', words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  git('worktree', 'add', '--detach', folder, ref);
  // Its own packages: those of this tree may lack what it needs.
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
  execFileSync('npm', install, {
    cwd: folder,
    stdio: 'ignore',
    shell: process.platform === 'win32',
  });
  execFileSync(process.execPath, [join(folder, 'scripts', 'build.mjs')], {
    cwd: folder,
    stdio: 'ignore',
  });
  for (const name of ['servers', 'app'])
    cpSync(join(here, name), join(folder, 'test', 'bench', name), { recursive: true });
  symlinkSync(join(here, 'node_modules'), join(folder, 'test', 'bench', 'node_modules'));
  return {
    file: join(folder, 'test', 'bench', 'servers', 'capix.mjs'),
    remove: () => {
      git('worktree', 'remove', '--force', folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `[{scenario, ratio, low, high}]`: how many times as fast as the other build this one is, and where that lies in 19 of 20 repetitions. */
export async function compareBuilds({ ref, ...plan }) {
  const other = buildRef(ref);
  try {
    return await compareWith({ ...plan, ref, path: other.file });
  } finally {
    other.remove();
  }
}

/** The same with the server of `path` as the other build; the peers of the plan take no part. */
export async function compareWith({ scenarios, ref, path, servers: _, ...plan }) {
  const servers = [
    { name: 'capix', file: 'capix.mjs' },
    { name: ref, path },
  ];
  const rows = [];
  for (const scenario of scenarios) {
    const [ours, theirs] = await measureScenario({ scenario, servers, ...plan });
    rows.push({ scenario: scenario.name, ...toInterval(ours.rounds, theirs.rounds, plan.rounds) });
  }
  return rows;
}

/**
 * The rounds of one process share its luck, so whole processes are drawn again, not rounds: as many as there were, of each build by itself, since
 * the luck of the two has nothing to do with each other.
 */
export function toInterval(ours, theirs, roundsPerProcess, random = Math.random) {
  const [mine, others] = [ours, theirs].map((rounds) => toProcesses(rounds, roundsPerProcess));
  const ratioOf = (first, second) => median(second) / median(first);
  const draw = (costs) => costs.map(() => costs[Math.floor(random() * costs.length)]);
  const ratios = Array.from({ length: RESAMPLES }, () => ratioOf(draw(mine), draw(others))).sort(
    (a, b) => a - b,
  );
  return {
    ratio: ratioOf(mine, others),
    low: ratios[Math.floor(RESAMPLES * 0.025)],
    high: ratios[Math.ceil(RESAMPLES * 0.975) - 1],
  };
}

/** The cost of each process: the median of its rounds. */
function toProcesses(rounds, size) {
  return Array.from({ length: rounds.length / size }, (_, process) =>
    median(rounds.slice(process * size, (process + 1) * size).map(({ cpuUs }) => cpuUs)),
  );
}

export function toComparedText(rows, ref) {
  const lines = rows.map(({ scenario, ratio, low, high }) => [
    scenario,
    ratio.toFixed(3),
    `${low.toFixed(3)} to ${high.toFixed(3)}`,
    low > 1 ? 'faster' : high < 1 ? 'slower' : 'no difference shown',
  ]);
  return toText([`this tree, × as fast as ${ref}`, 'median', '95 %', ''], lines);
}
