import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeOf, startTsServer } from '../../helpers/ts-server.mjs';
import { root } from './write-project.mjs';

/** The fields of `input.` inside a handler, which every kind has. */
export const fieldsOfInput = { text: 'input.id', within: 'input.'.length, expected: 'address' };
/** The first argument of `cap(`, which capix has. */
export const argumentOfCap = { text: 'authCap(', within: 'authCap('.length, expected: 'In10' };

/**
 * What an editor's language service works for a completion after each key that is pressed, milliseconds of CPU time (elapsed time where the system
 * does not tell it): of several projects, in turn, so that what else the machine does falls on all of them. `[{kind, times}]`
 */
export async function measureCompletions(
  projects,
  rounds,
  { text, within, expected } = fieldsOfInput,
) {
  const tsserver = join(root, 'node_modules/typescript-5.9/lib/tsserver.js');
  const editors = projects.map(({ kind, folder }) => {
    const editor = startTsServer(tsserver, folder);
    const files = ['g0.ts', 'g1.ts', 'server.ts'].map((name) => join(folder, name));
    for (const file of files) editor.open(file);
    return {
      kind,
      editor,
      file: files[1],
      place: placeOf(files[1], text, within),
      expected,
      times: [],
    };
  });
  try {
    for (let warmUp = 0; warmUp < WARM_UPS; warmUp++)
      for (const each of editors) await timeCompletion(each);
    for (let round = 0; round < rounds; round++) {
      for (const each of editors.toSorted(() => (round % 2 === 0 ? 1 : -1)))
        each.times.push(await timeCompletion(each));
    }
    return editors.map(({ kind, times }) => ({ kind, times }));
  } finally {
    await Promise.all(editors.map(({ editor }) => editor.end()));
  }
}

/** The compiler of the compiler has done most of its work by then. */
const WARM_UPS = 5;
const NS_PER_MS = 1e6;

/** The CPU time of all threads of a process; the clock of the system's own figures, ten milliseconds, would be too coarse for one key. */
function readMs(pid) {
  if (process.platform !== 'linux') return performance.now();
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}/schedstat`);
  return (
    threads.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]), 0) /
    NS_PER_MS
  );
}

async function timeCompletion({ editor, file, place, expected }) {
  // A key: the file is another one then, and what was known of it is worked out anew.
  editor.change(file, { line: 1, offset: 1 }, ' ');
  const startedAt = readMs(editor.pid);
  const { entries } = await editor.ask('completionInfo', { file, ...place });
  const ms = readMs(editor.pid) - startedAt;
  if (!entries.some(({ name }) => name === expected))
    throw new Error(`\`${expected}\` is not among the completions.`);
  return ms;
}
