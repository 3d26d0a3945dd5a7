import { join } from 'node:path';
import { placeOf, startTsServer } from '../../helpers/ts-server.mjs';
import { root } from './write-project.mjs';

/**
 * How long an editor waits for the fields of `input.` inside a handler after each key that is pressed, milliseconds: of several projects, in turn, so
 * that what else the machine does falls on all of them. `[{kind, times}]`
 */
export async function measureCompletions(projects, rounds) {
  const tsserver = join(root, 'node_modules/typescript-5.9/lib/tsserver.js');
  const editors = projects.map(({ kind, folder }) => {
    const editor = startTsServer(tsserver, folder);
    const files = ['g0.ts', 'g1.ts', 'server.ts'].map((name) => join(folder, name));
    for (const file of files) editor.open(file);
    return { kind, editor, file: files[1], place: placeOf(files[1], 'input.id', 'input.'.length), times: [] };
  });
  try {
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

async function timeCompletion({ editor, file, place }) {
  // A key: the file is another one then, and what was known of it is worked out anew.
  editor.change(file, { line: 1, offset: 1 }, ' ');
  const startedAt = performance.now();
  const { entries } = await editor.ask('completionInfo', { file, ...place });
  const ms = performance.now() - startedAt;
  if (!entries.some(({ name }) => name === 'address')) throw new Error('The fields of the input are not completed.');
  return ms;
}
