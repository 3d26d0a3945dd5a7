import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../source/new/create-project.ts';
import { readTree, writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function create(workingDirectory: string, name: string, { force = false } = {}) {
  return createProject({
    name,
    workingDirectory,
    template: 'items',
    language: 'typescript',
    packageManager: 'npm',
    force,
    install: false,
    git: false,
    onProgress: () => {},
  });
}

test('a project is written into a folder that is not there yet', async () => {
  const folder = await temporaryFolder();
  const { files } = await create(folder, 'a/shop');
  expect(Object.keys(await readTree(join(folder, 'a', 'shop')))).toEqual(
    files.map(({ path }) => path),
  );
});

test('a fresh repository counts as empty', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'shop', '.git'), { recursive: true });
  const { files } = await create(folder, 'shop');
  expect(Object.keys(await readTree(join(folder, 'shop')))).toEqual(files.map(({ path }) => path));
});

test('a folder that holds something is left as it is, and the refusal says what it holds', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'shop/notes.txt': 'mine', 'shop/src/x.ts': 'mine' });
  await expect(create(folder, 'shop')).rejects.toThrow('it holds notes.txt, src. Nothing was');
  expect(await readTree(folder)).toEqual({ 'shop/notes.txt': 'mine', 'shop/src/x.ts': 'mine' });
});

test('by force it replaces files of the project and keeps the others', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'shop/README.md': 'mine', 'shop/src/x.ts': 'mine' });
  await create(folder, 'shop', { force: true });
  const tree = await readTree(folder);
  expect(tree['shop/README.md']).toContain('# shop');
  expect(tree).toMatchObject({ 'shop/src/x.ts': 'mine', 'shop/src/server.ts': expect.any(String) });
});

test.each([
  ['a folder where a file goes', { 'shop/README.md': 'mine', 'shop/src/server.ts/x': 'mine' }],
  ['a file where a folder goes', { 'shop/README.md': 'mine', 'shop/src': 'mine' }],
])('%s ends it, and all is as it was before', async (_, before) => {
  const folder = await temporaryFolder();
  await writeTree(folder, before);
  await expect(create(folder, 'shop', { force: true })).rejects.toThrow();
  expect(await readTree(folder)).toEqual(before);
});

test('a file in place of the folder is said to be one', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { shop: 'mine' });
  await expect(create(folder, 'shop')).rejects.toThrow('is a file');
  await expect(create(folder, 'shop', { force: true })).rejects.toThrow();
});
