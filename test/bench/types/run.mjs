/**
 * What the types of capix cost the compiler and the editor, beside the same schemas with plain functions, oRPC and tRPC:
 *
 *     npm run bench -- --types [--quick]
 *
 * Instantiations and memory of a project of 100, 500 and 1,000 operations, each with a server that knows them all and a call of one: by TypeScript 7
 * with one checker, where instantiations are exact; with its four, of which each works out anew what it needs of the others' files; and by
 * TypeScript 5.9. Then what an editor's language service works for the fields of `input.` at 500 operations, and for the first
 * argument of `cap(` at 1,000.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../measure.mjs';
import { toText } from '../table.mjs';
import { argumentOfCap, fieldsOfInput, measureCompletions } from './complete.mjs';
import { kinds } from './sources.mjs';
import { root, writeProject } from './write-project.mjs';

const isQuick = process.argv.includes('--quick');
const counts = isQuick ? [100] : [100, 500, 1000];
const compilers = [
  { name: 'TypeScript 7, one checker', script: 'typescript/bin/tsc', args: ['--singleThreaded'] },
  { name: 'TypeScript 7', script: 'typescript/bin/tsc', args: [] },
  { name: 'TypeScript 5.9', script: 'typescript-5.9/bin/tsc', args: [] },
];
const [COMPLETED, CAPPED, ROUNDS] = isQuick ? [100, 100, 7] : [500, 1000, 21];
const CAP_GOAL_MS = 200;

for (const count of counts)
  for (const compiler of compilers) console.log(`${compareCompiled(count, compiler)}\n`);
console.log(`${await compareCompleted()}\n`);
console.log(await measureCapped());

function compareCompiled(count, compiler) {
  const measured = kinds.map((kind) => ({ kind, ...compile(kind, count, compiler) }));
  const [base] = measured;
  const lines = measured.map(({ kind, instantiations, memoryMb, seconds }) => [
    kind,
    instantiations.toLocaleString('en'),
    (instantiations / base.instantiations).toFixed(2),
    memoryMb.toFixed(0),
    (memoryMb / base.memoryMb).toFixed(2),
    seconds.toFixed(1),
  ]);
  return toText(
    [`${count} operations, ${compiler.name}`, 'instantiations', '×', 'MB', '×', 's'],
    lines,
  );
}

function compile(kind, count, { script, args }) {
  const folder = writeProject(kind, count);
  const command = [
    join(root, 'node_modules', script),
    '-p',
    folder,
    '--extendedDiagnostics',
    ...args,
  ];
  const { stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  if (/error TS/.test(stdout))
    throw new Error(`The project of ${kind} does not compile:\n${stdout.slice(0, 2000)}`);
  const find = (label) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]);
  return {
    instantiations: find('Instantiations'),
    memoryMb: find('Memory used') / 1000,
    seconds: find('Check time'),
  };
}

async function compareCompleted() {
  const projects = kinds.map((kind) => ({ kind, folder: writeProject(kind, COMPLETED) }));
  const measured = await measureCompletions(projects, ROUNDS, fieldsOfInput);
  for (const { folder } of projects) rmSync(folder, { recursive: true });
  const [base] = measured;
  const lines = measured.map(({ kind, times }) => [
    kind,
    mean(times).toFixed(0),
    (mean(times) / mean(base.times)).toFixed(2),
    median(times).toFixed(0),
    (median(times) / median(base.times)).toFixed(2),
  ]);
  return toText(
    [`completion of \`input.\` at ${COMPLETED} operations`, 'mean CPU ms', '×', 'median', '×'],
    lines,
  );
}

async function measureCapped() {
  const folder = writeProject('capix', CAPPED);
  const [{ times }] = await measureCompletions([{ kind: 'capix', folder }], ROUNDS, argumentOfCap);
  rmSync(folder, { recursive: true });
  const verdict = median(times) <= CAP_GOAL_MS ? 'reached' : 'not reached';
  const figures = [mean(times), median(times), Math.max(...times)].map((ms) => ms.toFixed(0));
  const head = [
    `completion of \`cap(\` at ${CAPPED} operations`,
    'mean CPU ms',
    'median',
    'slowest',
    'goal',
  ];
  return toText(head, [['capix', ...figures, `${CAP_GOAL_MS} ${verdict}`]]);
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
