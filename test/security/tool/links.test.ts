// Boundary: the folder of a project. Promise: links are not followed out of it.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProject } from '../../helpers/fixture-project.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('a saved call that is a link out of the project is not read, nor quoted, and stops no other call', async () => {
  const { root, capix } = await openProject({
    'src/capabilities.ts': `
import { capability } from 'capix';
export const items = { listItems: capability(() => ['one'], 'query') };
`,
    'calls/good.json': '{"call": "items.listItems"}',
  });
  const outside = await temporaryFolder();
  await writeTree(outside, { 'secret.txt': 'root:x:0:0' });
  await symlink(join(outside, 'secret.txt'), join(root, 'calls', 'leak.json'));
  const leak = await capix(['call', '@leak']);
  expect(leak.exitCode).not.toBe(0);
  expect(leak.stderr).toContain('a link leads out of the project');
  expect(leak.stdout + leak.stderr).not.toContain('root');
  const good = await capix(['call', '@good']);
  expect([good.exitCode, good.stderr]).toEqual([0, '']);
});
