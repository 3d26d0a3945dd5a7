import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCompared } from '../../source/diff/load-compared.ts';
import { openGitProject } from '../helpers/git-project.ts';

const shop = (fields: string): string => `
import { capability } from 'capix';
import * as z from 'zod';
globalThis.loadsOfShop = (globalThis.loadsOfShop ?? 0) + 1;
export const shop = { getShop: capability(z.object({ ${fields} }), () => 1) };
`;

test('a comparison runs no code of a project in its own process, whatever its sides are', async () => {
  const { root, capix, commit } = await openGitProject({
    'src/capabilities.ts': shop('id: z.string()'),
  });
  await commit({ 'src/capabilities.ts': shop('id: z.string(), unit: z.string()') });
  await capix(['lock']);
  await capix(['openapi', '--output', 'api.json']);
  const compare = async (before: string, after?: string) =>
    (await loadCompared({ envFile: [], workingDirectory: root, before, after })).diff.class;
  expect(await compare('HEAD~1', 'HEAD')).toBe('breaking');
  expect(await compare('HEAD~1')).toBe('breaking');
  expect(await compare(join(root, 'capix.lock.json'))).toBeUndefined();
  expect(await compare('HEAD~1', 'api.json')).toBe('breaking');
  expect(await compare('api.json', 'HEAD')).toBeUndefined();
  expect(Reflect.get(globalThis, 'loadsOfShop')).toBeUndefined();
});
