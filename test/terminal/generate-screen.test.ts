import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openFixture } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal, type TerminalOptions } from '../helpers/open-terminal.ts';
import { windowSizes } from '../helpers/window-sizes.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

async function open(words: readonly string[], options: TerminalOptions = {}) {
  const project = await openFixture('shop');
  terminal = openTerminal(words, { cwd: project.root, ...options });
  return { terminal, ...project };
}

it.each(windowSizes)(
  'leads from bare `capix generate` in %i x %i to a capability that is listed and shown',
  async (columns, rows) => {
    const { terminal, root, capix } = await open(['g'], { columns, rows });
    await terminal.waitFor(/kind\* +< "capability" >[^]*❯ name/);
    // Null is nothing that a name can be.
    terminal.type('items/archive\u000E');
    await terminal.waitFor(/❯ name\* +items\/archive/);
    await terminal.waitFor('POST /items/archive');
    expect(terminal.screen()).not.toContain('Ctrl-N');
    terminal.type('\r');
    await terminal.waitFor(/show ▸ items\.archive/);
    await terminal.waitFor(/Route +POST \/items\/archive/);
    expect(await readFile(join(root, 'src/capabilities/items/archive.ts'), 'utf8')).toContain(
      'export const archive',
    );
    terminal.type('q');
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
    expect((await capix(['list'])).stdout).toMatch(/items\.archive +POST +\/items\/archive/);
  },
);

it('shows a collision before anything is written, and goes through a resize with what was typed', async () => {
  const { terminal, root } = await open(['generate', 'group'], { columns: 120, rows: 40 });
  await terminal.waitFor('❯ name');
  terminal.type('items');
  await terminal.waitFor('The group items exists already');
  terminal.resize(40, 12);
  await terminal.waitFor(
    (shown) => shown.split('\n').length === 12 && /❯ name\* items +✗ is taken/.test(shown),
  );
  terminal.type('/old');
  await terminal.waitFor(/Group +items\.old/);
  terminal.type('\r');
  await terminal.waitFor(/name\* +items\/old\//);
  expect(await readFile(join(root, 'src/capabilities/items/old/index.ts'), 'utf8')).toBe(
    'export {};\n',
  );
});

it('writes nothing on a dry run', async () => {
  const { terminal, root } = await open(['g', 'c', '--dry-run', '--input']);
  await terminal.waitFor(/input +< true >/);
  terminal.type('getThing');
  await terminal.waitFor('A dry run: nothing is written.');
  terminal.type('\r');
  terminal.type('\u001B');
  await terminal.waitFor('Esc again leaves.');
  terminal.type('\u001B');
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  await expect(readFile(join(root, 'src/capabilities/get-thing.ts'))).rejects.toThrow('ENOENT');
});
