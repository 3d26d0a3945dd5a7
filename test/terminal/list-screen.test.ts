import { afterEach, it } from 'vitest';
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
