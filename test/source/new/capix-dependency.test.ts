import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toCapixDependency } from '../../../source/new/create-project.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test.each([
  ['a checkout', 'capix', {}, 'file:../capix'],
  ['a checkout that was published from', 'capix', { 'dist/release.json': '{}' }, 'file:../capix'],
  ['an installed tarball', 'tool/node_modules/capix', {}, 'file:../tool/node_modules/capix'],
  ['an installed release', 'tool/node_modules/capix', { 'dist/release.json': '{}' }, '1.2.3'],
])('from %s a project depends on that', async (_, place, files, expected) => {
  const folder = await temporaryFolder();
  const packageRoot = join(folder, place);
  await writeTree(packageRoot, { 'package.json': '{}', ...files });
  expect(
    toCapixDependency({ packageRoot, version: '1.2.3', projectFolder: join(folder, 'shop') }),
  ).toBe(expected);
});

test('a project inside the checkout points to it upwards', () => {
  const packageRoot = join('/', 'work', 'capix');
  const projectFolder = join(packageRoot, 'demo');
  expect(toCapixDependency({ packageRoot, version: '1.2.3', projectFolder })).toBe('file:..');
});
