import { expect, it } from 'vitest';
import { toCompileCacheFolder } from '../../../source/cli/enable-compile-cache.ts';

it.each([
  ['/app/node_modules/capix', '/app/node_modules/.cache/capix/compiled'],
  ['/home/me/capix', '/home/me/capix/node_modules/.cache/capix/compiled'],
])('what Node compiles of %s is kept in %s, where the tool itself lies', (root, folder) => {
  expect(toCompileCacheFolder(root)).toBe(folder);
});
