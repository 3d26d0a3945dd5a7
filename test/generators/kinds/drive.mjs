/**
 * The process in which a reader runs, in the version of Node that it asks for: imports the reader's module, calls each operation with each value, and prints
 * what became of each as a line of JSON. Arguments: a file with the instructions.
 */
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { invalidValues, values } from './cases.mjs';

const { module, operations, control, withInvalid, ...surroundings } = JSON.parse(
  await readFile(process.argv[2], 'utf8'),
);
/** Longer than a busy computer takes: some hosts start a process for each call. */
const timeoutMs = 60_000;

const print = (record) => process.stdout.write(`\n@@${JSON.stringify(record)}\n`);

async function takeReceived() {
  return (await fetch(control)).json();
}

async function attempt(calls, operation, value) {
  if (calls[operation] === undefined) return { left: true };
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in 60 s')), timeoutMs);
  });
  await takeReceived();
  try {
    const answered = await Promise.race([calls[operation](value), late]);
    return { answered: answered ?? null, isRead: answered !== undefined };
  } catch (error) {
    return { error: toText(error) };
  } finally {
    clearTimeout(timer);
  }
}

function toText(error) {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : JSON.stringify(error);
  const answer = error.response?.data ?? error.data ?? error.body;
  return [error.message || error.name, answer === undefined ? '' : JSON.stringify(answer)].join(
    ' ',
  );
}

async function main() {
  const { open } = await import(pathToFileURL(module).href);
  const { calls, close } = await open(surroundings);
  for (const operation of operations) {
    const valid = values[operation].map((value) => ({ value, isValid: true }));
    const invalid = (withInvalid ? (invalidValues[operation] ?? []) : []).map((value) => ({
      value,
      isValid: false,
    }));
    for (const { value, isValid } of [...valid, ...invalid]) {
      const outcome = await attempt(calls, operation, value);
      print({ operation, value, isValid, ...outcome, ...(await takeReceived()) });
    }
  }
  await close?.();
}

try {
  await main();
} catch (error) {
  print({ fatal: toText(error) });
}
// The harness ends the process then: programs leave sockets and timers behind.
print({ isEnd: true });
