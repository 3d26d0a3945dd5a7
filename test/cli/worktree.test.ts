import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCapix } from '../helpers/run-capix.ts';
import { openWorktree } from '../helpers/worktree.ts';

it('a linked node_modules leads to no other checkout', async () => {
  const { linked } = await openWorktree();
  const shown = await runCapix(['show', 'books.getBook', '--plain'], { cwd: linked });
  expect(shown.stdout).toMatch(/^ *Source +src\/capabilities\/books\/get-book\.ts:\d+$/m);
  const file = join(linked, 'src/capabilities/books/get-book.ts');
  await writeFile(file, `${await readFile(file, 'utf8')}\nthrow new Error('torn page');\n`);
  const { stderr } = await runCapix(['list'], { cwd: linked });
  expect(stderr).toMatch(/^error: src\/capabilities\/books\/get-book\.ts:\d+:\d+: torn page\n/);
});
