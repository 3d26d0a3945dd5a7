import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { openBundleFolder } from '../../../../source/load/bundle/bundle-folder.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

async function openFolder() {
  const root = await temporaryFolder();
  await mkdir(join(root, 'node_modules'));
  return openBundleFolder(root);
}

it('a bundle that waits to be loaded stays when another was loaded, however old its file system says it is', async () => {
  const folder = await openFolder();
  const first = await folder.write([]);
  const second = await folder.write([]);
  await utimes(second, 0, 0);
  await folder.remove(first);
  expect(await readdir(folder.path)).toEqual([basename(second)]);
  await folder.close();
});

it('what a killed process has left is removed', async () => {
  const folder = await openFolder();
  const left = join(folder.path, '999999999-0-0.mjs');
  await writeFile(left, '');
  await utimes(left, 0, 0);
  await folder.remove(await folder.write([]));
  expect(await readdir(folder.path)).toEqual([]);
  await folder.close();
});

it('a bundle that a load under way writes after all was closed goes when the process ends', async () => {
  const folder = await openFolder();
  await folder.write([]);
  const others = process.listeners('exit');
  await folder.close();
  await folder.write([]);
  expect(await readdir(folder.path)).toHaveLength(1);
  for (const listener of process.listeners('exit')) if (!others.includes(listener)) listener(0);
  expect(await readdir(folder.path)).toEqual([]);
});
