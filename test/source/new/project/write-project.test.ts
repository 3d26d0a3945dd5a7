import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeProject } from '../../../../source/new/project/write-project.ts';
import { readTree, writeTree } from '../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const files = [
  { path: 'README.md', text: 'new' },
  { path: 'src/server.ts', text: 'new' },
];

test('a project is written into a folder that is not there yet', async () => {
  const folder = join(await temporaryFolder(), 'a', 'b');
  await writeProject(folder, files, { force: false });
  expect(await readTree(folder)).toEqual({ 'README.md': 'new', 'src/server.ts': 'new' });
});

test('a fresh repository counts as empty', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, '.git'));
  await writeProject(folder, files, { force: false });
  expect(Object.keys(await readTree(folder))).toEqual(['README.md', 'src/server.ts']);
});

test('a folder that holds something is left as it is, and the refusal says what it holds', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'notes.txt': 'mine', 'src/x.ts': 'mine' });
  await expect(writeProject(folder, files, { force: false })).rejects.toThrow('it holds notes.txt, src. Nothing was');
  expect(await readTree(folder)).toEqual({ 'notes.txt': 'mine', 'src/x.ts': 'mine' });
});

test('by force it replaces files of the project and keeps the others', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'README.md': 'mine', 'src/x.ts': 'mine' });
  await writeProject(folder, files, { force: true });
  expect(await readTree(folder)).toEqual({ 'README.md': 'new', 'src/server.ts': 'new', 'src/x.ts': 'mine' });
});

test.each([
  ['a folder where a file goes', { 'README.md': 'mine', 'src/server.ts/x': 'mine' }],
  ['a file where a folder goes', { 'README.md': 'mine', src: 'mine' }],
])('%s ends it, and all is as it was before', async (_, before) => {
  const folder = await temporaryFolder();
  await writeTree(folder, before);
  await expect(writeProject(folder, files, { force: true })).rejects.toThrow();
  expect(await readTree(folder)).toEqual(before);
});

test('a failure in a new folder leaves nothing of it', async () => {
  const parent = await temporaryFolder();
  const broken = [...files, { path: 'src/server.ts/x.ts', text: 'its folder is a file' }];
  await expect(writeProject(join(parent, 'a', 'b'), broken, { force: false })).rejects.toThrow();
  expect(await readTree(parent)).toEqual({});
});

test('a file in place of the folder is said to be one', async () => {
  const parent = await temporaryFolder();
  await writeTree(parent, { shop: 'mine' });
  await expect(writeProject(join(parent, 'shop'), files, { force: false })).rejects.toThrow('is a file');
  await expect(writeProject(join(parent, 'shop'), files, { force: true })).rejects.toThrow();
});
