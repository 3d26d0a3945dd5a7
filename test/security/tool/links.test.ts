// Boundary: the folder of a project. Promise: links are not followed out of it.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProject } from '../../helpers/fixture-project.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('a saved call that is a link out of the project is not read, nor quoted, and stops no other call', async () => {
  const { root, ask } = await openProject({
    'src/capabilities.ts': `
import { capability } from 'capix';
export const items = { listItems: capability(() => ['one'], 'query') };
`,
    'calls/good.json': '{"call": "items.listItems"}',
  });
  const outside = await temporaryFolder();
  await writeTree(outside, { 'secret.txt': 'root:x:0:0' });
  await symlink(join(outside, 'secret.txt'), join(root, 'calls', 'leak.json'));
  const leak = await ask(['call', '@leak']);
  expect(leak.exitCode).not.toBe(0);
  expect(leak.stderr).toContain('a link leads out of the project');
  expect(leak.stdout + leak.stderr).not.toContain('root');
  const good = await ask(['call', '@good']);
  expect([good.exitCode, good.stderr]).toEqual([0, '']);
});

test('links of folders that lead out of the project, or to each other, are not walked', async () => {
  const { root, ask } = await openProject({
    'src/capabilities.ts': `
import { capability } from 'capix';
export const items = { listItems: capability(() => ['one'], 'query') };
`,
    'calls/good.json': '{"call": "items.listItems"}',
    'calls/own/good.json': '{"call": "items.listItems"}',
    'more/shared.json': '{"call": "items.listItems"}',
  });
  const link = (to: string, name: string) => symlink(to, join(root, 'calls', name));
  // Of the system everything would be read, and the others have no end.
  await link('/', 'system');
  await link('../calls', 'again');
  for (const name of ['a', 'b', 'c']) await link('..', `own/${name}`);
  await link('../more', 'more');
  await link('good.json', 'own/file');
  await link('nowhere', 'broken');
  const { stdout, exitCode } = await ask(['call', '--all', '--json']);
  const { data } = JSON.parse(stdout) as { data: { calls: { name: string; passed: boolean }[] } };
  expect([exitCode, data.calls.map(({ name, passed }) => [name, passed])]).toEqual([
    0,
    [
      ['good', true],
      ['more/shared', true],
      ['own/good', true],
    ],
  ]);
});

test('a broken file is one failed call of --all, and the others are made', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
import { capability } from 'capix';
export const items = { listItems: capability(() => ['one'], 'query') };
`,
    'calls/a.json': '{"call": "items.listItems"',
    'calls/b.json': '{"call": "items.listItems"}',
    'calls/c.json': '{"call": "items.listItems", "more": 1}',
    'calls/d.json': '{"call": "items.listItems"}',
  });
  const { stdout, exitCode } = await ask(['call', '--all', '--json']);
  const { data } = JSON.parse(stdout) as {
    data: { calls: { name: string; passed: boolean; problems: string[] }[]; failed: number };
  };
  expect(data.calls.map(({ name, passed }) => [name, passed])).toEqual([
    ['a', false],
    ['b', true],
    ['c', false],
    ['d', true],
  ]);
  expect(data.calls[0]?.problems.join()).toContain('calls/a.json');
  expect([data.failed, exitCode]).toEqual([2, 1]);
  const text = await ask(['call', '--all']);
  expect(text.stdout).toContain('4 calls: 2 passed, 2 failed');
  const report = await ask(['call', '--all', '--format', 'junit']);
  expect(report.stdout).toContain('tests="4" failures="2"');
});
