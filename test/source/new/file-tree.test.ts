import { expect, it } from 'vitest';
import { toFileTree } from '../../../source/new/file-tree.ts';

it('shows paths as a tree, folders first', () => {
  const paths = ['b.ts', 'src/z.ts', 'src/items/get.ts', 'a.ts', 'src/a.ts'];
  expect(toFileTree(paths).map(({ name, depth }) => '  '.repeat(depth) + name)).toEqual([
    'src/',
    '  items/',
    '    get.ts',
    '  a.ts',
    '  z.ts',
    'a.ts',
    'b.ts',
  ]);
});

it('has no line of nothing', () => {
  expect(toFileTree([])).toEqual([]);
});
