import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { importSource } from '../../scripts/import-source.mjs';

/** `compare` may take at most so many times `JSON.parse` of the same text. */
export const SPEED_BOUNDS = [
  ['median', 0.5, 12],
  ['p99', 0.99, 80],
];
/** Parsing and comparing take turns, so that other work of the machine falls on both; the best of these rounds counts. */
const ROUNDS = 3;
/** What is compared before anything counts, so that no document pays for the compilation of the code. */
const WARM_DOCUMENTS = 40;
const here = dirname(fileURLToPath(import.meta.url));

/**
 * The CPU of comparing each document with itself in another order, in other words and without one field, as a multiple
 * of that of parsing it.
 */
export async function measureSpeed(documents) {
  const { compare, toOtherWords } = await importSource("export * from './other-words.ts'", here);
  const measure = (file) => measureDocument(file, { compare, toOtherWords });
  for (const { file } of documents.slice(0, WARM_DOCUMENTS)) await measure(file);
  const measured = [];
  for (const { name, file } of documents) measured.push({ name, ...(await measure(file)) });
  return measured.sort((one, other) => one.times - other.times);
}

async function measureDocument(file, { compare, toOtherWords }) {
  const text = await readFile(file, 'utf8');
  const otherText = JSON.stringify(toOtherWords(JSON.parse(text)));
  const rounds = Array.from({ length: ROUNDS }, () => {
    const parsed = measureCpu(() => JSON.parse(text));
    const other = JSON.parse(otherText);
    const compared = measureCpu(() => compare(parsed.result, other));
    return { parseMs: parsed.ms, compareMs: compared.ms };
  });
  const parseMs = Math.min(...rounds.map((round) => round.parseMs));
  const compareMs = Math.min(...rounds.map((round) => round.compareMs));
  return {
    bytes: text.length,
    compareMs,
    times: compareMs / parseMs,
    firstTimes: rounds[0].compareMs / parseMs,
  };
}

/** The CPU of the whole process, with what V8 does beside it. */
function measureCpu(work) {
  const since = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(since);
  return { result, ms: (user + system) / 1000 };
}
