import { expect, test } from 'vitest';
import { inferPackageManager } from '../../../source/new/package-manager.ts';

test.each([
  ['npm/11.19.1 node/v20.20.2 linux x64 workspaces/false', 'npm'],
  ['pnpm/10.4.1 npm/? node/v22.1.0 linux x64', 'pnpm'],
  ['yarn/1.22.22 npm/? node/v22.1.0 linux x64', 'yarn'],
  ['bun/1.2.3 npm/? node/v22.1.0 linux x64', 'bun'],
  ['deno/2.1.0', 'npm'],
  [undefined, 'npm'],
])('%s is %s', (userAgent, expected) => {
  expect(inferPackageManager(userAgent)).toBe(expected);
});
