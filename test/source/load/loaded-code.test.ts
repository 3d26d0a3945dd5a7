import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCode } from '../../../source/load/hooks/code-note.ts';
import { LoadedCode } from '../../../source/load/loaded-code.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

async function open(root: string): Promise<LoadedCode> {
  const entryFile = join(root, 'src', 'server.ts');
  const code = new LoadedCode({ project: { root, entryFile }, envFiles: [] });
  await code.load(() => {
    code.take([readCode(entryFile).read]);
    return Promise.resolve({ kind: 'loaded' });
  });
  return code;
}

test('two projects that one process reads have settings of their own', async () => {
  const folder = await temporaryFolder();
  const options = '{"extends": "./base.json", "references": [{"path": "./lib"}]}';
  const project = {
    'tsconfig.json': options,
    'base.json': '{}',
    'lib/tsconfig.json': '{"extends": "../of-lib.json"}',
    'of-lib.json': '{}',
    'package.json': '{}',
    'src/server.ts': '',
  };
  for (const name of ['shop', 'copy'])
    for (const [path, text] of Object.entries(project))
      await writeTree(join(folder, name), { [path]: text });
  const shop = await open(join(folder, 'shop'));
  const copy = await open(join(folder, 'copy'));
  // A later load of the first one, as by a save.
  await shop.load(() => Promise.resolve({ kind: 'loaded' }));
  const settings = ['tsconfig.json', 'base.json', 'lib/tsconfig.json', 'of-lib.json'];
  for (const path of settings) expect(shop.paths()).toContain(join(folder, 'shop', path));
  expect(shop.paths().filter((path) => path.startsWith(join(folder, 'copy')))).toEqual([]);
  expect(copy.paths().filter((path) => path.startsWith(join(folder, 'shop')))).toEqual([]);
});

test('a tsconfig.json that cannot be read counts, so that it can be mended', async () => {
  const root = await temporaryFolder();
  await writeTree(root, { 'tsconfig.json': '{"extends": "./none.json"', 'src/server.ts': '' });
  expect((await open(root)).paths()).toContain(join(root, 'tsconfig.json'));
});

test('a load that throws has ended: what is loaded after it counts at once', async () => {
  const root = await temporaryFolder();
  await writeTree(root, { 'src/server.ts': '' });
  const code = await open(root);
  await expect(code.load(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(code.isLoading).toBe(false);
  const { read } = readCode(join(root, 'src', 'server.ts'));
  expect(code.take([{ ...read, state: 'other', hash: 'other' }])).toEqual([read.file]);
});

test('a start that was given up has read nothing, so that its files are loaded again', async () => {
  const root = await temporaryFolder();
  await writeTree(root, { 'src/server.ts': '' });
  const code = await open(root);
  const file = join(root, 'src', 'server.ts');
  expect(code.isSeen(file)).toBe(true);
  await code.load(() => {
    code.take([readCode(file).read]);
    return Promise.resolve({ kind: 'abandoned' });
  });
  expect(code.isSeen(file)).toBe(false);
});
