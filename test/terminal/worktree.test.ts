import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestTerminal } from '../helpers/open-test-terminal.ts';
import { openWorktree } from '../helpers/worktree.ts';

it('opens the file of this checkout in the editor', async () => {
  const { main, linked } = await openWorktree();
  const editor = join(main, 'note-file.sh');
  const opened = join(main, 'opened.txt');
  await writeFile(editor, `#!/bin/sh\nprintf %s "$1" > ${opened}\n`);
  await chmod(editor, 0o755);
  const show = openTestTerminal(['show', 'books.getBook'], {
    cwd: linked,
    env: { EDITOR: editor },
  });
  await show.waitFor('GET /books/:id');
  show.type('e');
  await expect
    .poll(() => readFile(opened, 'utf8').catch(() => ''))
    .toBe(join(linked, 'src/capabilities/books/get-book.ts'));
});

it('shows neither the server nor the calls of the other checkout', async () => {
  const { main, linked } = await openWorktree();
  const dev = openTestTerminal(['dev'], { cwd: main, env: { PORT: '0' } });
  await dev.waitFor('Started in');
  const call = openTestTerminal(['call', 'books.searchBooks'], { cwd: main });
  await call.waitFor(/dev http/);
  call.type('\r');
  await call.waitFor(/200 .* ms/);
  const other = openTestTerminal([], { cwd: main, env: { PORT: '1' } });
  await other.waitFor(/Server +● http/);
  await other.waitFor(/Last calls +200 .* books\.searchBooks/);
  const home = openTestTerminal([], { cwd: linked, env: { PORT: '1' } });
  await home.waitFor('9 in 2 groups');
  await home.waitFor(/Server +not running/);
  expect(home.screen()).not.toContain('Last calls');
});
