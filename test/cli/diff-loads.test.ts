import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCompared } from '../../source/diff/compare/load-compared.ts';
import { openGitProject } from '../helpers/git-project.ts';

/** Counts how often it is run: a load is by far the dearest part of a comparison. */
const counted = (fields: string): string => `
import { capability } from 'capix';
import * as z from 'zod';
globalThis.loadsOfShop = (globalThis.loadsOfShop ?? 0) + 1;
export const shop = { getShop: capability(z.object({ ${fields} }), () => 1) };
`;

function takeLoads(): number {
  const loads: unknown = Reflect.get(globalThis, 'loadsOfShop') ?? 0;
  Reflect.deleteProperty(globalThis, 'loadsOfShop');
  return Number(loads);
}

test('a comparison loads each project once, and makes a document only where it is compared with one', async () => {
  const { root, capix, commit } = await openGitProject({ 'src/capabilities.ts': counted('id: z.string()') });
  await commit({ 'src/capabilities.ts': counted('id: z.string(), unit: z.string()') });
  await capix(['lock']);
  await capix(['openapi', '--output', 'api.json']);
  const compare = async (before: string, after?: string) => {
    const common = { envFile: [], only: [], workingDirectory: root, today: '2026-11-22' };
    const compared = await loadCompared({ ...common, before, after });
    const documents = [compared.before, compared.after].filter(({ manifest }) => manifest.document !== undefined);
    return { loads: takeLoads(), documents: documents.length, class: compared.diff.class };
  };
  expect(await compare('HEAD~1', 'HEAD')).toEqual({ loads: 2, documents: 0, class: 'breaking' });
  expect(await compare('HEAD~1')).toEqual({ loads: 2, documents: 0, class: 'breaking' });
  expect(await compare(join(root, 'capix.lock.json'))).toEqual({ loads: 1, documents: 0, class: undefined });
  expect(await compare('HEAD~1', 'api.json')).toMatchObject({ loads: 1, class: 'breaking' });
  expect(await compare('api.json', 'HEAD')).toMatchObject({ loads: 1, class: undefined });
});
