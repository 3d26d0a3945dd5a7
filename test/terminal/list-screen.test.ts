import { readFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { findCacheFile } from '../../source/files/find-cache-file.ts';
import { openFixture, openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { windowSizes } from '../helpers/window-sizes.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

it.each(windowSizes)('filters and sorts in %i x %i, and leads on and back to where it was', async (columns, rows) => {
  const { root } = await openFixture('shop');
  terminal = openTerminal(['list'], { cwd: root, columns, rows });
  await terminal.waitFor(/❯ items\.getItem/);
  terminal.type('>/m:post');
  await terminal.waitFor('2 of 4');
  terminal.type('\rj');
  await terminal.waitFor(/❯ items\.createItem/);
  terminal.type('\r');
  await terminal.waitFor(/Route +POST \/items/);
  terminal.type('\u001B');
  await terminal.waitFor((shown) => /❯ items\.createItem/.test(shown) && shown.includes('2 of 4'));
  terminal.type('i');
  await terminal.waitFor(/group +items/);
  terminal.type('\u001B');
  await terminal.waitFor(/❯ items\.createItem/);
});

it('keeps its columns beside one long name, finds the words of a description, and folds groups', async () => {
  const long = `get${'AndAnotherWord'.repeat(6)}`;
  const { root } = await openProject({
    'src/capabilities.ts': `import { capability } from 'capix';
export const shop = {
  ${long}: capability(() => 1),
  listOpenOrdersOfToday: capability(() => []).describe('What the warehouse packs next'),
};
export const users = { getUser: capability(() => 1), listUsers: capability(() => []), createUser: capability(() => 1) };
`,
  });
  terminal = openTerminal(['list'], { cwd: root });
  const shown = await terminal.waitFor(/❯ shop\.get/);
  expect(shown).toMatch(/shop\.getAnd\w*…  GET +\//);
  expect(shown).toMatch(/shop\.listOpenOrdersOfToday +GET +\/shop +public/);
  terminal.type('/warehouse');
  await terminal.waitFor(/❯ shop\.listOpenOrdersOfToday [^]*1 of 5/);
  terminal.type('\u001B');
  await terminal.waitFor(/users\.createUser/);
  terminal.type('gv');
  await terminal.waitFor(/❯ ▾ shop {2}2/);
  terminal.type(' ');
  await terminal.waitFor((screen) => /❯ ▸ shop {2}2/.test(screen) && !screen.includes('shop.list'));
});

it('says of an empty project which file it read, and leads to the first capability', async () => {
  const project = await openProject({ 'src/capabilities.ts': 'export const caps = 1;\n' });
  terminal = openTerminal(['list'], { cwd: project.root });
  await terminal.waitFor('src/capabilities.ts exports no capability.');
  terminal.type('\r');
  await terminal.waitFor('generate ▸ capability');
  terminal.type('\rgetThing');
  await terminal.waitFor("export * from './capabilities/index.js';");
  await project.write('src/capabilities.ts', "export const caps = 1;\nexport * from './capabilities/index.js';\n");
  terminal.type('\u0013');
  await terminal.waitFor('show ▸ getThing');
});

it('pins beside what was pinned before, also by a key that comes before the list, and keeps it when it is left at once', async () => {
  const { root } = await openFixture('shop');
  const listPinned = async (): Promise<unknown> =>
    JSON.parse(await readFile((await findCacheFile(root, 'pins.json')) ?? '', 'utf8'));
  terminal = openTerminal(['list'], { cwd: root });
  await terminal.waitFor(/❯ items\.getItem/);
  terminal.type('p');
  await terminal.waitFor('items.getItem stands first now');
  terminal.type('q');
  await terminal.ended;
  expect(await listPinned()).toEqual(['items.getItem']);

  terminal = openTerminal(['list'], { cwd: root });
  terminal.type('Gpq');
  await terminal.ended;
  expect(await listPinned()).toEqual(['items.getItem', expect.any(String)]);
});
