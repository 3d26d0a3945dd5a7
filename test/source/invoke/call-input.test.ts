import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toApiSchema } from '../../../source/document/branch.ts';
import { toRootField } from '../../../source/document/root-field.ts';
import { readFiles, toCallInput } from '../../../source/invoke/call-input.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const file = { type: 'string', format: 'binary' };
const field = toRootField(
  toApiSchema({
    type: 'object',
    properties: { title: { type: 'string' }, photo: file, pages: { type: 'array', items: file } },
  }),
);

it.each([
  [
    'a path from a folder',
    { title: 'a', photo: 'b.png' },
    { title: 'a' },
    { photo: ['/work/b.png'] },
  ],
  ['an absolute path', { photo: '/tmp/b.png' }, {}, { photo: ['/tmp/b.png'] }],
  ['a path from home', { photo: '~/b.png' }, {}, { photo: [join(homedir(), 'b.png')] }],
  ['several files', { pages: ['1.md', '2.md'] }, {}, { pages: ['/work/1.md', '/work/2.md'] }],
  ['no file', { title: 'b.png' }, { title: 'b.png' }, {}],
  ['JSON in the place of a file', { photo: { size: 1 } }, { photo: { size: 1 } }, {}],
  ['an input that is not an object', ['b.png'], ['b.png'], {}],
])('tells %s from the rest', (_, input, json, files) => {
  expect(toCallInput(field, input, '/work')).toEqual({ json, files });
});

it('reads files with the type that their name tells', async () => {
  const folder = await temporaryFolder();
  const paths = ['a.PNG', 'b', 'c.json', 'd.ts', 'e.mts'].map((name) => join(folder, name));
  await Promise.all(paths.map((path) => writeFile(path, 'text')));
  const [entry] = await readFiles({ pages: paths });
  expect(entry?.[0]).toBe('pages');
  expect(
    entry?.[1].map(({ filename, mimeType, size, buffer }) => [
      filename,
      mimeType,
      size,
      `${buffer}`,
    ]),
  ).toEqual([
    ['a.PNG', 'image/png', 4, 'text'],
    ['b', 'application/octet-stream', 4, 'text'],
    ['c.json', 'application/json', 4, 'text'],
    // The table of types has a format of videos for them.
    ['d.ts', 'text/plain', 4, 'text'],
    ['e.mts', 'text/plain', 4, 'text'],
  ]);
});

it('names the field and the path of what cannot be read', async () => {
  const folder = await temporaryFolder();
  await expect(readFiles({ photo: [join(folder, 'gone.png')] })).rejects.toMatchObject({
    field: 'photo',
    message: `No file at ${join(folder, 'gone.png')}`,
  });
  await expect(readFiles({ photo: [folder] })).rejects.toThrow(
    `Could not read ${folder}: illegal operation on a directory`,
  );
});
