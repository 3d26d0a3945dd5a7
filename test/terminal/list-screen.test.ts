import { afterEach, it } from 'vitest';
import { openFixture, openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { windowSizes } from '../helpers/window-sizes.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

it.each(windowSizes)(
  'filters in %i x %i, and leads on and back to where it was',
  async (columns, rows) => {
    const { root } = await openFixture('shop');
    terminal = openTerminal(['list'], { cwd: root, columns, rows });
    // In 40 columns there is room for the routes alone.
    const isNarrow = columns === 40;
    const created = isNarrow ? /❯ POST +\/items / : /❯ items\.createItem/;
    await terminal.waitFor(isNarrow ? /❯ GET +\/items\/:id/ : /❯ items\.getItem/);
    terminal.type('/post');
    await terminal.waitFor('2 of 4');
    terminal.type('\r');
    await terminal.waitFor(created);
    terminal.type('\r');
    await terminal.waitFor('show ▸ items.createItem');
    await terminal.waitFor(/Route +POST \/items/);
    terminal.type('\u001B');
    await terminal.waitFor((shown) => created.test(shown) && shown.includes('2 of 4'));
    terminal.type('i');
    await terminal.waitFor(/❯ name\* +items\//);
    terminal.type('\u001B');
    await terminal.waitFor(created);
  },
);

it('finds the words of a description', async () => {
  const { root } = await openProject({
    'src/capabilities.ts': `import { capability } from 'capix';
export const shop = { listOpenOrdersOfToday: capability(() => []).describe('What the warehouse packs next') };
export const users = { getUser: capability(() => 1), listUsers: capability(() => []), createUser: capability(() => 1) };
`,
  });
  terminal = openTerminal(['list'], { cwd: root });
  await terminal.waitFor(/❯ shop\.listOpenOrdersOfToday +GET +\/shop +public/);
  terminal.type('/warehouse');
  await terminal.waitFor(/❯ shop\.listOpenOrdersOfToday [^]*1 of 4/);
  terminal.type('\u001B');
  await terminal.waitFor(/users\.createUser/);
});

it('says of an empty project which file it read, and leads to the first capability', async () => {
  const project = await openProject({ 'src/capabilities.ts': 'export const caps = 1;\n' });
  terminal = openTerminal(['list'], { cwd: project.root });
  await terminal.waitFor('src/capabilities.ts exports no capability.');
  terminal.type('\r');
  await terminal.waitFor('❯ name');
  terminal.type('getThing');
  await terminal.waitFor("export * as capabilities from './capabilities/index.js';");
  await project.write(
    'src/capabilities.ts',
    "export const caps = 1;\nexport * as capabilities from './capabilities/index.js';\n",
  );
  terminal.type('\u0013');
  await terminal.waitFor('show ▸ getThing');
});
