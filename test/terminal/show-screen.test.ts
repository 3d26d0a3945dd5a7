import { afterEach, expect, it } from 'vitest';
import { openFixture } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { windowSizes } from '../helpers/window-sizes.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

it.each(windowSizes)(
  'tells everything of a capability in %i x %i, down to its curl',
  async (columns, rows) => {
    const { root } = await openFixture('shop');
    terminal = openTerminal(['show', 'items.createItem'], { cwd: root, columns, rows });
    const seen = [await terminal.waitFor(/❯ +Route +POST \/items/)];
    terminal.type('G');
    seen.push(await terminal.waitFor('curl -X POST'));
    terminal.resize(120, 40);
    seen.push(
      await terminal.waitFor(
        (shown) => shown.split('\n').length === 40 && shown.includes('starts with'),
      ),
    );
    for (const fact of [
      'required, 1 to 80 characters  Shown in the shop',
      'Source     src/capabilities/items/create.ts:14',
    ])
      expect(seen.at(-1)).toContain(fact);
    expect(seen.join('\n')).not.toContain('…');
  },
);

it('begins with the list where no capability is named', async () => {
  const { root } = await openFixture('shop');
  terminal = openTerminal(['show'], { cwd: root });
  await terminal.waitFor(/❯ items\.getItem/);
  terminal.type('\r');
  await terminal.waitFor('show ▸ items.getItem');
});

it('offers the capabilities of a group, and follows a save into the one that was chosen', async () => {
  const project = await openFixture('shop');
  terminal = openTerminal(['show', 'items'], { cwd: project.root });
  await terminal.waitFor('items is a group of 3 capabilities:');
  terminal.type('j\r');
  await terminal.waitFor('show ▸ items.listItems');
  await terminal.waitFor(/Guards +public/);
  await project.write(
    'src/capabilities/items/list.ts',
    `import { authCap } from '../../context.js';\n\nexport const listItems = authCap(() => []);\n`,
  );
  await terminal.waitFor(/●\s*Guards +mustBeUser/);
});
