import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type WriteFailure, writeFiles } from '../../../source/files/write-files.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('leaves no draft behind where a later file cannot get its name, and says what was written before it', async () => {
  const folder = await temporaryFolder();
  const [first, second] = [join(folder, 'a.txt'), join(folder, 'b')];
  const files = [
    { file: first, text: 'one' },
    { file: second, text: 'two' },
    // Its folder takes the name of the file before it.
    { file: join(second, 'c.txt'), text: 'three' },
  ];
  const failure = (await writeFiles(files).catch((error: unknown) => error)) as WriteFailure;
  expect(failure).toMatchObject({ name: 'WriteFailure', file: second, written: [first] });
  expect(await readFile(first, 'utf8')).toBe('one');
  const left = await readdir(folder, { recursive: true });
  expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
