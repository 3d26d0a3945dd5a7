import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openFixture } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal, toModes } from '../helpers/open-terminal.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let terminal: OpenTerminal;
afterEach(() => terminal.close());

async function openList(settings: unknown, words: readonly string[] = ['list']): Promise<void> {
  const { root } = await openFixture('shop');
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'capix'));
  await writeFile(join(folder, 'capix', 'config.json'), JSON.stringify(settings));
  terminal = openTerminal(words, { cwd: root, env: { XDG_CONFIG_HOME: folder } });
}

it('takes the keys, the colours, the mouse and the first screen of the file of the user, and says them in the key line', async () => {
  const keys = { 'capability.call': 'x', 'everywhere.leave': ['Q', 'ctrl+q'], 'move.down': 'n' };
  await openList({ keys, theme: { accent: '#5fafff' }, mouse: false, start: 'list' }, []);
  await terminal.waitFor(/❯ items\.getItem[^]* n move .* x call .*Q leave/);
  expect(toModes(terminal.output())['1000']).toBeUndefined();
  expect(terminal.output()).toMatch(/38;5;111m/);
  terminal.type('n');
  await terminal.waitFor('❯ items.listItems');
  terminal.type('cqx');
  await terminal.waitFor('call ▸ items.listItems');
  terminal.type('\u001B');
  await terminal.waitFor('❯ items.listItems');
  terminal.type('\u0011');
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
});

it('refuses a file with entries that are not allowed, before anything is drawn', async () => {
  await openList({ keys: { 'capability.cal': 'x' } });
  expect(await terminal.ended).toMatchObject({ exitCode: 2 });
  expect(terminal.screen().replaceAll('\n', '')).toContain(
    'config.json, keys.capability.cal: is not the name of an action.The page docs/keys.md',
  );
});
