import { chmod, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { type WriteFailure, writeFiles } from '../../../source/files/write-files.ts';
import { readTree, writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('puts all back as it was where a later file cannot get its name', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'before.sh': 'old' });
  await chmod(join(folder, 'before.sh'), 0o750);
  const taken = join(folder, 'new', 'b');
  const files = [
    { file: join(folder, 'before.sh'), text: 'new' },
    { file: join(folder, 'new', 'deep', 'a.txt'), text: 'one' },
    { file: taken, text: 'two' },
    // Its folder takes the name of the file before it.
    { file: join(taken, 'c.txt'), text: 'three' },
  ];
  const failure = (await writeFiles(files).catch((error: unknown) => error)) as WriteFailure;
  expect(failure).toMatchObject({ name: 'WriteFailure', file: taken, written: [] });
  expect(await readTree(folder)).toEqual({ 'before.sh': 'old' });
  expect(await readdir(folder)).toEqual(['before.sh']);
  expect((await stat(join(folder, 'before.sh'))).mode & 0o777).toBe(0o750);
});

it('removes no file that somebody else put into a new folder meanwhile', async () => {
  const folder = await temporaryFolder();
  const [made, pipe] = [join(folder, 'made'), join(folder, 'pipe')];
  await execa('mkfifo', [pipe]);
  const failed = writeFiles([
    { file: join(made, 'a.txt'), text: 'one' },
    { file: pipe, text: 'it waits for its reader' },
    { file: folder, text: 'no file can be here' },
  ]).catch((error: unknown) => error);
  const reader = await open(pipe);
  await writeTree(made, { 'of-somebody.txt': 'mine' });
  await reader.readFile();
  await reader.close();
  expect(await failed).toMatchObject({ name: 'WriteFailure', file: folder });
  expect(await readdir(made)).toEqual(['of-somebody.txt']);
});
