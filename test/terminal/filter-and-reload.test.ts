import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { everyScreen } from '../helpers/every-screen.ts';
import { expectToLeave, type OpenBookshop, openBookshop } from '../helpers/open-bookshop.ts';
import type { OpenTerminal } from '../helpers/open-terminal.ts';

/** Opens a screen whose `ready` is shown, with colours; what it is compared with lacks two capabilities. */
async function open(words: readonly string[], ready: string): Promise<OpenBookshop> {
  return openBookshop({ words, shown: ready }, { FORCE_COLOR: '1' }, async (root) => {
    const old = join(root, 'old/src/capabilities/orders/index.ts');
    await writeFile(old, "export { createOrder } from './create-order.js';\n");
  });
}

const down = '\u001B[B';

interface ScreenState {
  readonly name: string;
  readonly ready: string;
  /** What the filter is asked for first, where the screen has one. */
  readonly query?: string;
  /** What is typed, and what of it must still be there after a save. */
  readonly keys: string;
  readonly kept: RegExp;
}

const states: readonly ScreenState[] = [
  {
    name: 'home',
    ready: '9 in 2 groups',
    query: 'probl',
    keys: '/prob\r',
    kept: /❯ Problems[^]*\n \/ prob/,
  },
  {
    name: 'list',
    ready: 'books.getBook',
    query: 'cancel',
    keys: '/ook\rjj',
    kept: /❯ books\.createBook[^]*\n \/ ook/,
  },
  { name: 'show', ready: 'Route', query: 'Source', keys: '/id\rj', kept: /❯ .*\bid\b[^]*\n \/ id/ },
  {
    name: 'call',
    ready: 'title*',
    keys: `Emma${down}Austen`,
    kept: /title\* +Emma[^]*❯ author\* +Austen/,
  },
  { name: 'generate', ready: 'kind*', keys: 'books/findBook', kept: /❯ name\* +books\/findBook/ },
  {
    name: 'openapi',
    ready: 'openapi: "3.1.0"',
    query: 'cancel',
    keys: '/orders\r',
    kept: /❯ .*DELETE \/orders[^]*\n \/ orders/,
  },
  {
    name: 'diff',
    ready: 'Added (2)',
    query: 'cancel',
    keys: '/cancel\rj',
    kept: /❯ .*orders\.cancel[^]*\n \/ cancel/,
  },
  {
    name: 'dev',
    ready: 'Started in',
    query: 'cancel',
    keys: '/orders\rj',
    kept: /❯ \S+ +\/orders[^]*\n \/ orders/,
  },
  {
    name: 'new',
    ready: '❯ name',
    keys: 'my-shop\t\t\t\t ',
    kept: /name +my-shop[^]*❯ install +< false >/,
  },
];

it.each(states)(
  'a filter narrows as it is typed and marks what it found; selection, filter and what was typed stay through a save; left by its key: $name',
  async ({ name, ready, query, keys, kept }) => {
    const screen = everyScreen.find((each) => each.name === name)!;
    const opened = await open(screen.words, ready);
    const { terminal, root } = opened;
    const file = join(root, 'src/capabilities/orders/index.ts');
    if (query !== undefined) await expectToNarrow(terminal, query);
    terminal.type(keys);
    const [header = ''] = (await terminal.waitFor(kept)).split('\n');
    const before = /\d\d:\d\d:\d\d in [\d.]+ m?s/.exec(header)?.[0] ?? 'no time';
    await writeFile(file, `${await readFile(file, 'utf8')}// saved\n`);
    await terminal.waitFor(
      (shown) => /● \d\d:\d\d:\d\d in/.test(shown) && !shown.includes(before) && kept.test(shown),
    );
    await expectToLeave(opened, screen, 'its key');
  },
);

it('a filter narrows an answer as it is typed and marks what it found', async () => {
  const { terminal } = await open(['call', 'books.searchBooks', '{}'], 'data');
  terminal.type('\u000F');
  await expectToNarrow(terminal, 'data');
});

/** Filters by a text, and takes the filter back. */
async function expectToNarrow(terminal: OpenTerminal, query: string): Promise<void> {
  const rows = (shown: string): number =>
    shown
      .split('\n')
      .slice(2, -2)
      .filter((line) => line.trim() !== '').length;
  const all = rows(terminal.screen());
  terminal.type(`/${query}`);
  const shown = await terminal.waitFor(
    (seen) => seen.includes(` / ${query}`) && /\d (of \d+|found) *\n/.test(seen),
  );
  expect(shown).toMatch(new RegExp(query));
  const isUnderlined = new RegExp(`\\u001B\\[4m(?:\\u001B\\[\\d+m)*${query}`, 'i');
  await expect.poll(() => isUnderlined.test(terminal.output())).toBe(true);
  terminal.type('\u001B');
  await terminal.waitFor((seen) => !seen.includes(` / ${query}`) && rows(seen) >= all);
}
