import { copyFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

async function answer(url: string): Promise<string> {
  return (await fetch(`${url}/texts`, { headers: { connection: 'close' } })).text();
}

it('follows a link that becomes a file, a file that becomes a link, and a link that leads elsewhere', async () => {
  const folder = await devProject({});
  const file = join(folder, 'src/text.ts');
  await rm(file);
  await writeTree(folder, { 'shared/one.ts': textFile('one'), 'shared/two.ts': textFile('two') });
  await symlink('../shared/one.ts', file);
  const dev = openDevJson(folder);
  const url = await dev.url();
  const become = async (word: string, change: () => Promise<unknown>): Promise<void> => {
    await change();
    await dev.waitFor('ready');
    expect(await answer(url)).toContain(word);
  };
  const relink = async (to: string): Promise<void> => {
    await symlink(to, `${file}.new`);
    await rename(`${file}.new`, file);
  };
  await become('"two"', () => relink('../shared/two.ts'));
  await become('"file"', async () => {
    await writeTree(folder, { 'src/other.tmp': textFile('file') });
    await rename(join(folder, 'src/other.tmp'), file);
  });
  await become('"saved"', () => writeFile(file, textFile('saved')));
  await become('"one"', () => relink('../shared/one.ts'));
  await become('"target"', () => writeFile(join(folder, 'shared/one.ts'), textFile('target')));
});

it('sees another content of the same size and time, as cp -p and tar write it', async () => {
  const folder = await devProject({ 'src/text.ts': textFile('aaa') });
  const file = join(folder, 'src/text.ts');
  const then = new Date('2020-01-01');
  await utimes(file, then, then);
  const dev = openDevJson(folder);
  const url = await dev.url();
  for (const word of ['bbb', 'ccc']) {
    const copy = join(folder, 'copy.ts');
    await writeFile(copy, textFile(word));
    // In the same file, whose time is then as it was.
    await copyFile(copy, file);
    await utimes(file, then, then);
    expect((await stat(file)).mtimeMs).toBe(then.getTime());
    await expect.poll(() => answer(url)).toContain(`"${word}"`);
  }
});
