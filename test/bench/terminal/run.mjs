/**
 * Measures the screens of the built command on a large project, in a pseudo-terminal whose window is read as a person sees it:
 *
 *     npm run build && node test/bench/terminal/run.mjs [capabilities] [rounds]
 *
 * First frame of `list` against the whole of `list --plain`, in interleaved rounds; how long a key takes to be on screen, while nothing
 * changes, and while the filter runs and a file is saved every 0.7 s; the CPU time of a key in a field of 20,000 characters and in an answer
 * of 25,000 lines, which fails above 50 ms; memory after 200 saves; and how long a save takes to be on screen.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLongProject, makeProject } from './make-project.mjs';
import { openWindow } from './open-window.mjs';

const [capabilities = 5000, rounds = 5] = process.argv.slice(2).map(Number);
const GROUPS = 100;
const SAVE_EVERY_MS = 700;
/** The CPU time that a key may take, milliseconds. */
const MAX_KEY_MS = 50;
let saves = 0;
const root = mkdtempSync(join(tmpdir(), 'capix-bench-'));

try {
  makeProject(root, { groups: GROUPS, perGroup: capabilities / GROUPS });
  console.log(
    `${capabilities} capabilities, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}`,
  );
  await compareFirstFrame();
  const down = ['j', 'j', 'j', 'k', 'j', 'j', 'k', 'j', '\u001B[6~', '\u001B[6~', '\u001B[5~'];
  const filter = ['/', ...'settle9', ...'\u007F'.repeat(7)];
  await timeKeys(['list'], { keys: [...down, ...filter], rounds: 8 });
  await timeKeys(['show', 'group5.getThing5x0'], { keys: [...down, ']', ']', '['], rounds: 6 });
  await timeKeys(['check'], {
    keys: [...down, '/', ...'group7', ...'\u007F'.repeat(6)],
    rounds: 6,
  });
  await timeKeys([], { keys: ['j', 'j', 'k', 'j', 'k', 'k'], rounds: 12 });
  await timeLongValues();
  await compareMemory();
  await timeReload('100 capabilities', { groups: 10, perGroup: 10 });
  await timeReload('1,000 files', { groups: 1000, perGroup: 1 });
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function compareFirstFrame() {
  const plain = [];
  const frame = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(await timePlain());
    frame.push(await timeFirstFrame());
  }
  console.log(`list --plain    ${toSummary(plain)}`);
  console.log(
    `first frame     ${toSummary(frame)}  x${(median(frame) / median(plain)).toFixed(2)}`,
  );
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

/** A key that changes nothing, such as `k` on the first row, is not counted. */
async function timeKeys(words, { keys, rounds: keyRounds }) {
  const window = await openLoaded(words);
  for (const isChanging of [false, true]) {
    const times = [];
    const stop = isChanging ? keepSaving() : () => {};
    for (let round = 0; round < keyRounds; round++) {
      for (const key of keys) times.push(await window.timeKey(key, withoutStatus));
      // Whatever follows Escape at once is another key to a terminal.
      await window.settled(100);
      if (keys.includes('/')) await window.timeKey('\u001B');
      await window.settled(100);
    }
    stop();
    await window.settled(2000);
    const name = `${words[0] ?? 'home'}, ${isChanging ? 'changing' : 'quiet'}`.padEnd(15);
    console.log(`${name} ${toSummary(times.filter((time) => time !== undefined))}`);
  }
  window.type('q');
  await window.ended;
}

/** What only a key changes: the path in the header, the selection, and the filter that is typed. A save sets the mark of a changed row. */
function withoutStatus(screen) {
  const lines = screen.split('\n');
  return [
    lines[0].slice(0, 60),
    ...lines
      .filter((line) => /^(❯| \/ )/.test(line))
      .map((line) => line.slice(0, 44).replace('●', ' ')),
  ].join('\n');
}

async function openLoaded(words) {
  const window = openWindow(words, { cwd: root });
  await window.waitFor((screen) => screen.includes('large') && /● \d/.test(screen));
  await window.waitFor((screen) => screen.includes('problems'));
  await window.settled(3000);
  return window;
}

/** Saves one file again and again, with one capability changed and those below it moved. Gives a function that stops it. */
function keepSaving() {
  const timer = setInterval(save, SAVE_EVERY_MS);
  return () => clearInterval(timer);
}

function save() {
  saves += 1;
  const file = join(root, 'src', `group${GROUPS - 1}.ts`);
  const text = readFileSync(file, 'utf8').replace(/^\/\/ Moved\.\n/, '');
  const changed = text.replace(/Thing 7 [^']*/, `Thing 7 of save ${saves}`);
  writeFileSync(file, `${saves % 2 === 0 ? '// Moved.\n' : ''}${changed}`);
  return `save ${saves}`;
}

async function compareMemory() {
  const window = await openLoaded([
    'show',
    `group${GROUPS - 1}.assignThing${GROUPS - 1}x7`.replace('assign', 'merge'),
  ]);
  const at = [];
  for (let reload = 0; reload <= 200; reload++) {
    const text = save();
    await window.waitFor((screen) => screen.includes(`${text} `) || screen.includes(`${text}\n`));
    if (reload % 50 === 0) at.push(window.memory());
  }
  console.log(
    `memory          ${at.map((mib) => `${Math.round(mib)}`).join(', ')} MiB after 0, 50, 100, 150, 200 saves`,
  );
  window.type('q');
  await window.ended;
}

/** A field of 20,000 characters, and an answer of 25,000 lines: moved through, queried, filtered, and wrapped. */
async function timeLongValues() {
  const long = join(root, 'long');
  makeLongProject(long);
  const window = openWindow(['call', 'long.echo'], { cwd: long });
  await window.waitFor((screen) => screen.includes('No call yet'));
  window.type(`\u001B[200~${'0123456789'.repeat(2000)}\u001B[201~`);
  await window.waitFor((screen) => screen.includes('23456789'));
  await window.settled(1000);
  const inText = [
    'x',
    '\u007F',
    '\u001B[D',
    'y',
    '\u001B[D',
    '\u001B[C',
    '\u001B[H',
    'z',
    '\u001B[F',
    'x',
  ];
  await timeCpu(window, '20,000 letters', inText);
  window.type('\u0010call long.list\r');
  await window.waitFor((screen) => screen.includes('long.list') && screen.includes('No call yet'));
  window.type('\r');
  await window.waitFor((screen) => screen.includes('row0'));
  window.type('\u000F');
  await window.settled(1000);
  const moves = ['j', 'k', '\u001B[6~', 'G', '\u001B[5~', 'g', 'j', '\u001B[6~'];
  await timeCpu(window, 'tree, move', moves);
  await timeCpu(window, 'tree, filter', ['/', ...'row249', ...'\u007F'.repeat(6)]);
  window.type('\u001B');
  await window.settled(500);
  await timeCpu(window, 'tree, query', ['$', ...'.data[7]', ...'\u007F'.repeat(8)]);
  window.type('\u001B');
  await window.settled(500);
  window.type('2');
  await window.settled(1000);
  await timeCpu(window, 'raw, move', moves);
  window.type('\u0003');
  await window.ended;
}

/** CPU time for each of some keys, one after the other, in three rounds; the process of the screen alone. */
async function timeCpu(window, name, keys) {
  const rounds = 3;
  const before = window.cpuMs();
  if (before === undefined) return;
  for (let round = 0; round < rounds; round++)
    for (const key of keys) {
      await window.timeKey(key);
      await window.settled(30);
    }
  const each = (window.cpuMs() - before) / (rounds * keys.length);
  console.log(`${name.padEnd(15)} ${each.toFixed(1)} ms of CPU a key`);
  if (each <= MAX_KEY_MS) return;
  console.error(`${name}: more than ${MAX_KEY_MS} ms`);
  process.exitCode = 1;
}

/** From a save to the frame that shows it, and the CPU time of all processes of the screen until then. */
async function timeReload(name, size) {
  const small = join(root, name);
  makeProject(small, size);
  const window = openWindow(['list'], { cwd: small });
  await window.waitFor((screen) => screen.includes('group0.getThing0x0 '));
  await window.settled(1500);
  const file = join(small, 'src', 'group0.ts');
  const text = readFileSync(file, 'utf8');
  const times = [];
  const cpu = [];
  for (let saved = 1; saved <= 20; saved++) {
    const before = window.sessionCpuMs();
    const savedAt = performance.now();
    writeFileSync(file, text.replace('getThing0x0', `getSave${saved}x`));
    await window.waitFor((screen) => screen.includes(`group0.getSave${saved}x `));
    times.push(performance.now() - savedAt);
    cpu.push(window.sessionCpuMs() - before);
    await window.settled(500);
  }
  window.type('q');
  await window.ended;
  console.log(`save to screen  ${toSummary(times)}, of ${name}`);
  if (!Number.isNaN(cpu[0])) console.log(`   CPU          ${toSummary(cpu)}`);
}

function toSummary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) =>
    `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))])}`;
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, min ${at(0)} ms, max ${at(1)} ms (${times.length})`;
}

function median(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}
