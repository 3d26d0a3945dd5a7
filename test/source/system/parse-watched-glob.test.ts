import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseWatchedGlob } from '../../../source/system/watched-places.ts';

const root = resolve('/home/me/shop');
const place = { root, folder: root };

it.each([
  ['', 'is empty'],
  [' ', 'is empty'],
  ['!src/*.html', 'begins with "!": name what is to be watched'],
  ['../**/*.sql', 'takes in folders around the project'],
  ['/', 'takes in folders around the project'],
  ['.', 'is the project itself: name files or a folder in it'],
])('%j is refused', (text, reason) => {
  expect(parseWatchedGlob(text, place)).toBe(reason);
});

it.each([
  [
    'mails/**/*.html',
    ['mails/a.html', 'mails/de/a.html'],
    ['mails/a.txt', 'a.html', 'mails/node_modules/x/a.html'],
  ],
  ['**/*.{sql,graphql}', ['a.sql', 'src/deep/b.graphql'], ['src/a.ts', 'dist/a.sql', '.git/a.sql']],
  [
    'locales/*/words.yaml',
    ['locales/de/words.yaml'],
    ['locales/words.yaml', 'locales/de/at/words.yaml'],
  ],
  ['sql', ['sql', 'sql/a.sql', 'sql/deep/a'], ['sqlite', 'src/sql/a.sql', 'sql/node_modules/a']],
  ['./data.json', ['data.json'], ['src/data.json']],
  ['dist/mails/*.html', ['dist/mails/a.html'], ['dist/a.html']],
  ['../words/*.json', ['../words/a.json'], ['words/a.json']],
  ['src/[[]id].html', ['src/[id].html'], ['src/i.html']],
])('%j are files by their place', (text, files, others) => {
  const glob = parseWatchedGlob(text, place);
  if (typeof glob === 'string') throw new Error(glob);
  expect(files.filter((file) => !glob.matches(join(root, file)))).toEqual([]);
  expect(others.filter((file) => glob.matches(join(root, file)))).toEqual([]);
});

it('is relative to the folder that it is said in', () => {
  const glob = parseWatchedGlob('*.html', { root, folder: join(root, 'mails') });
  expect(glob).toMatchObject({ base: join(root, 'mails') });
});
