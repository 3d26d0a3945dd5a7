import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { everyScreen } from '../helpers/every-screen.ts';
import { openFixture } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

async function open(name: string, words = everyScreen.find((screen) => screen.name === name)?.words ?? []) {
  const { root } = await openFixture('bookshop');
  await cp(join(root, 'src'), join(root, 'old/src'), { recursive: true });
  const old = join(root, 'old/src/capabilities/orders/index.ts');
  await writeFile(old, (await readFile(old, 'utf8')).replace("export { cancel } from './cancel.js';\n", ''));
  terminal = openTerminal(words, { cwd: root, env: { PORT: '0', FORCE_COLOR: '1' } });
  return { terminal, file: join(root, 'src/capabilities/orders/index.ts') };
}

const down = '\u001B[B';

/** What is typed where, and what of it must still be there after a save. */
const states: readonly (readonly [name: string, ready: string, keys: string, kept: RegExp])[] = [
  ['home', '9 in 2 groups', '/prob\r', /❯ Problems[^]*\n \/ prob/],
  ['list', 'books.getBook', '/ook\rjj', /❯ books\.createBook[^]*\n \/ ook/],
  ['show', 'Route', '/id\rj', /❯ .*\bid\b[^]*\n \/ id/],
  ['call', 'title*', `Emma${down}Austen`, /title\* +Emma[^]*❯ author\* +Austen/],
  ['generate', 'group', 'boo\tfindBook', /group +books[^]*❯ name\* +findBook/],
  ['openapi', 'openapi: "3.1.0"', '/orders\r', /❯ .*tags[^]*\n \/ orders/],
  ['diff', 'Added (1)', '/cancel\rj', /❯ .*orders\.cancel[^]*\n \/ cancel/],
  ['dev', 'Started in', '/orders\rj', /❯ \S+ +\/orders[^]*\n \/ orders/],
  ['new', 'What is it called?', 'my-shop\t ', /Name +my-shop[^]*❯ Tests +yes +\[no\]/],
];

describe('selection, filter and what was typed stay through a save', () => {
  it.each(states)('on the screen %s', async (name, ready, keys, kept) => {
    const { terminal, file } = await open(name);
    await terminal.waitFor(ready);
    terminal.type(keys);
    const [header = ''] = (await terminal.waitFor(kept)).split('\n');
    const before = /\d\d:\d\d:\d\d in \d+ ms/.exec(header)?.[0] ?? 'no time';
    await writeFile(file, `${await readFile(file, 'utf8')}// saved\n`);
    await terminal.waitFor((shown) => /● \d\d:\d\d:\d\d in/.test(shown) && !shown.includes(before) && kept.test(shown));
  });
});

describe('a filter narrows as it is typed, and marks what it found', () => {
  const filters: readonly (readonly [
    name: string,
    words: readonly string[] | undefined,
    first: string,
    ready: string,
    query: string,
  ])[] = [
    ['home', undefined, '', '9 in 2 groups', 'probl'],
    ['list', undefined, '', 'books.getBook', 'cancel'],
    ['show', undefined, '', 'Route', 'Source'],
    ['openapi', undefined, '', 'openapi: "3.1.0"', 'cancel'],
    ['diff', undefined, '', 'Added (1)', 'cancel'],
    ['dev', undefined, '', 'Started in', 'cancel'],
    ['call', ['call', 'books.searchBooks', '{}'], '\u000F', 'data', 'data'],
  ];
  it.each(filters)('on the screen %s', async (name, words, first, ready, query) => {
    const { terminal } = await open(name, words);
    await terminal.waitFor(ready);
    terminal.type(first);
    const rows = (shown: string): number =>
      shown
        .split('\n')
        .slice(2, -2)
        .filter((line) => line.trim() !== '').length;
    const all = rows(terminal.screen());
    terminal.type(`/${query}`);
    const shown = await terminal.waitFor((seen) => seen.includes(` / ${query}`) && rows(seen) <= all);
    expect(shown).toMatch(new RegExp(query));
    const isUnderlined = new RegExp(`\\u001B\\[4m(?:\\u001B\\[\\d+m)*${query}`, 'i');
    await expect.poll(() => isUnderlined.test(terminal.output()), { timeout: 10_000 }).toBe(true);
    terminal.type('\u001B');
    await terminal.waitFor((seen) => !seen.includes(` / ${query}`) && rows(seen) >= all);
  });
});
