/**
 * Measures the screens of the built command on a large project, in a pseudo-terminal whose window is read as a person sees it:
 *
 *     npm run build && node test/bench/terminal/run.mjs [capabilities] [rounds]
 *
 * First frame of `list` against the whole of `list --plain`, in interleaved rounds; then how long a key takes to be on screen while the
 * filter runs and files change, and a save.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeProject } from './make-project.mjs';
import { openWindow } from './open-window.mjs';

const [capabilities = 5000, rounds = 5] = process.argv.slice(2).map(Number);
const GROUPS = 100;
const root = mkdtempSync(join(tmpdir(), 'capix-bench-'));

try {
  makeProject(root, { groups: GROUPS, perGroup: capabilities / GROUPS });
  const plain = [];
  const frame = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(await timePlain());
    frame.push(await timeFirstFrame());
  }
  const quiet = await timeKeys({ isChanging: false });
  const busy = await timeKeys({ isChanging: true });
  const reload = await timeReload();
  console.log(`${capabilities} capabilities, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}`);
  console.log(`list --plain   ${toSummary(plain)}`);
  console.log(`first frame    ${toSummary(frame)}  x${(median(frame) / median(plain)).toFixed(2)}`);
  console.log(`keys, quiet    ${toSummary(quiet)}`);
  console.log(`keys, changing ${toSummary(busy)}`);
  console.log(`save to screen ${toSummary(reload)}, of 100 capabilities`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function timePlain() {
  const window = openWindow(['list', '--plain'], { cwd: root });
  await window.ended;
  return window.sinceStart();
}

async function timeFirstFrame() {
  const window = openWindow(['list'], { cwd: root });
  await window.waitFor((screen) => screen.includes('group0.getThing0x0 '));
  const time = window.sinceStart();
  window.type('q');
  await window.ended;
  return time;
}

/** Each key changes the screen: the selection moves, the filter narrows. */
async function timeKeys({ isChanging }) {
  const window = openWindow(['list'], { cwd: root });
  await window.waitFor((screen) => screen.includes('group0.getThing0x0 '));
  await window.waitFor((screen) => !screen.includes('loading'));
  await window.settled(4000);
  const changing = isChanging && setInterval(() => appendFileSync(join(root, 'src', 'group99.ts'), '\n'), 700);
  const times = [];
  const keys = [
    ...'jjjjjkkkjjjjjj',
    '\u001B[6~',
    '\u001B[6~',
    '\u001B[5~',
    '/',
    ...'settle9',
    ...'\u007F\u007F\u007F\u007F\u007F\u007F\u007F',
  ];
  for (let round = 0; round < 4; round++) {
    for (const key of keys) times.push(await window.timeKey(key));
    // Whatever follows Escape at once is another key to a terminal.
    await window.settled(100);
    await window.timeKey('\u001B');
    await window.settled(100);
  }
  clearInterval(changing);
  window.type('q');
  await window.ended;
  return times.filter((time) => time !== undefined);
}

/** From a save to the frame that shows it, in a project of 100 capabilities. */
async function timeReload() {
  const small = join(root, 'small');
  makeProject(small, { groups: 10, perGroup: 10 });
  const window = openWindow(['list'], { cwd: small });
  await window.waitFor((screen) => screen.includes('group0.getThing0x0 '));
  await window.settled(1500);
  const file = join(small, 'src', 'group0.ts');
  const text = readFileSync(file, 'utf8');
  const times = [];
  for (let save = 1; save <= 20; save++) {
    const savedAt = performance.now();
    writeFileSync(file, text.replace('getThing0x0', `getSave${save}x`));
    await window.waitFor((screen) => screen.includes(`group0.getSave${save}x `));
    times.push(performance.now() - savedAt);
    await window.settled(500);
  }
  window.type('q');
  await window.ended;
  return times;
}

function toSummary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))])}`;
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, min ${at(0)} ms (${times.length})`;
}

function median(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}
