import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCode } from '../../../source/load/hooks/code-note.ts';
import { LoadedCode } from '../../../source/load/loaded-code.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

function open(root: string): LoadedCode {
  const entryFile = join(root, 'src', 'server.ts');
  const code = new LoadedCode({ project: { root, entryFile }, envFiles: [] });
  code.begin();
  code.take([readCode(entryFile).read]);
  code.end(true);
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
  const [shop, copy] = ['shop', 'copy'].map((name) => open(join(folder, name)));
  // A later load of the first one, as by a save.
  shop?.begin();
  shop?.end(true);
  const settings = ['tsconfig.json', 'base.json', 'lib/tsconfig.json', 'of-lib.json'];
  for (const path of settings) expect(shop?.paths()).toContain(join(folder, 'shop', path));
  expect(shop?.paths().filter((path) => path.startsWith(join(folder, 'copy')))).toEqual([]);
  expect(copy?.paths().filter((path) => path.startsWith(join(folder, 'shop')))).toEqual([]);
});

test('a tsconfig.json that cannot be read counts, so that it can be mended', async () => {
  const root = await temporaryFolder();
  await writeTree(root, { 'tsconfig.json': '{"extends": "./none.json"', 'src/server.ts': '' });
  expect(open(root).paths()).toContain(join(root, 'tsconfig.json'));
});
