import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { openTerminal } from '../helpers/open-terminal.ts';

/** Says in a file when the tool starts a process, and when Ink draws. */
const watch = `
const { appendFileSync } = require('node:fs');
const children = require('node:child_process');
const note = (what) => appendFileSync(process.env.NOTES, what + '\\n');
if (require('node:path').basename(process.argv[1] ?? '') === 'cli.cjs') {
  const { fork } = children;
  children.fork = (...words) => { note('fork'); return fork(...words); };
  require('node:module').syncBuiltinESMExports();
  const { write } = process.stdout;
  process.stdout.write = function (part, ...rest) {
    if (String(part).includes('\\u001B[?2026h')) note('Ink');
    return write.call(this, part, ...rest);
  };
}
`;

async function openNoted(screen: string) {
  const { root: cwd } = await openProject({
    'watch.cjs': watch,
    'src/capabilities.ts': toCapabilities('getUser'),
  });
  const notes = join(cwd, 'notes.txt');
  const terminal = openTerminal([screen], {
    cwd,
    env: { NODE_OPTIONS: `--require=${join(cwd, 'watch.cjs')}`, NOTES: notes },
  });
  const readNotes = async () => (await readFile(notes, 'utf8')).trim().split('\n');
  return { cwd, terminal, readNotes };
}

function toCapabilities(...names: readonly string[]): string {
  const members = names.map((name) => `${name}: capability(() => ({}))`).join(', ');
  return `import { capability } from 'capix';\nexport const capabilities = { users: { ${members} } };\n`;
}

test('the project is being loaded before what draws the screen is there, and once', async () => {
  const { terminal, readNotes } = await openNoted('list');
  await terminal.waitFor('users.getUser');
  const order = await readNotes();
  expect(order[0]).toBe('fork');
  // The process that waits for the next load is the second.
  expect(order.filter((what) => what === 'fork').length).toBeLessThan(3);
  await terminal.close();
});

test('a screen of the document loads it beside the project, and none of both twice', async () => {
  const { cwd, terminal, readNotes } = await openNoted('openapi');
  await terminal.waitFor('Get user');
  await writeFile(join(cwd, 'src/capabilities.ts'), toCapabilities('getUser', 'createUser'));
  await terminal.waitFor('Create user');
  terminal.type('q');
  await terminal.ended;
  const forks = (await readNotes()).filter((what) => what === 'fork').length;
  // Two loads and two more after the save, and a process that waits for each of the next ones.
  expect(forks).toBeLessThanOrEqual(6);
});
