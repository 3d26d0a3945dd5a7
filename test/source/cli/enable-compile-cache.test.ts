import { expect, it } from 'vitest';
import {
  keepCompiled,
  toCompileCacheFolder,
  withCompileCache,
} from '../../../source/cli/enable-compile-cache.ts';
import { packageRoot } from '../../../source/package-root.ts';

it.each([
  ['/app/node_modules/capix', '/app/node_modules/.cache/capix/compiled'],
  ['/home/me/capix', '/home/me/capix/node_modules/.cache/capix/compiled'],
])('what Node compiles of %s is kept in %s, where the tool itself lies', (root, folder) => {
  expect(toCompileCacheFolder(root)).toBe(folder);
});

it('a process of the tool keeps what it compiles in that folder, and code of the project does not see the variable that says so', () => {
  const environment: Record<string, string | undefined> = {
    ...withCompileCache({ TERM: 'xterm' }),
  };
  expect(environment).toEqual({
    TERM: 'xterm',
    NODE_COMPILE_CACHE: toCompileCacheFolder(packageRoot()),
  });
  keepCompiled(environment);
  expect(environment).toEqual({ TERM: 'xterm' });
});

it('a folder that the user has chosen stays', () => {
  const environment: Record<string, string | undefined> = {
    ...withCompileCache({ NODE_COMPILE_CACHE: '/mine' }),
  };
  keepCompiled(environment);
  expect(environment).toEqual({ NODE_COMPILE_CACHE: '/mine' });
});
