import { afterEach, expect, it } from 'vitest';
import { openDevScreen } from '../helpers/open-dev-screen.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { scaffold } from '../helpers/scaffold.ts';

let terminal: OpenTerminal;
afterEach(() => terminal.close());

/** Answers of terminals to programs before, and the focus: colours, names, modes, sizes, positions. */
const reports = [
  '\u001B]11;rgb:1e1e/1e1e/2e2e\u001B\\',
  '\u001BP>|XTerm(388)\u001B\\',
  '\u001B_Gi=1;OK\u001B\\',
  '\u001B[?2026;2$y\u001B[?997;1n\u001B[24;80R\u001B[?62;22c',
  '\u001B[O\u001B[I',
].join('');

it('takes no answer of the terminal for a key: nothing opens, and a field has what is typed', async () => {
  terminal = openTerminal(['list'], { cwd: await scaffold() });
  await terminal.waitFor('❯ items.');
  terminal.type(`${reports}/${reports}get${reports}It`);
  await terminal.waitFor((shown) => shown.includes('getIt') && !shown.includes('items.createItem'));
  expect(terminal.output()).not.toMatch(/Copied|rgb|XTerm|Write a capability/);
});

it('restarts no server for a late answer of the terminal', async () => {
  ({ terminal } = await openDevScreen());
  terminal.type(`${reports}?`);
  const help = await terminal.waitFor('Esc close');
  expect(help).not.toMatch(/Nothing matches|Starting|rgb/);
  terminal.type('\u001B');
  await terminal.waitFor((shown) => !shown.includes('Esc close') && /GET +\//.test(shown));
  expect(terminal.output()).not.toMatch(/Restart(?!\s+the)|Nothing matches/);
});
