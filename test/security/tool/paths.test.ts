// Boundary: names and refs of others. Promise: nothing is written, read or run outside of the folder of the project, and no
// ref of git is an option of git.
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { askCapix } from '../../helpers/ask-capix.ts';
import { cleanUp } from '../../helpers/clean-up.ts';
import { packageRoot, type RunResult } from '../../helpers/run-capix.ts';
import { writeTree } from '../../helpers/scaffold.ts';

const outside = [
  '../x',
  '../../x',
  'a/../../x',
  '/tmp/x',
  '..',
  '.',
  'a/b/../../../x',
  '-x',
  'con\u0000x',
  '~/x',
  '..\\x',
  'x\n../y',
];

const rows: readonly (readonly string[])[] = [
  ...outside.map((name) => ['generate', 'capability', name, '--plain']),
  ...['../x', '..', '/tmp/x', 'a/../../x'].map((name) => ['generate', 'group', name, '--plain']),
  ...['@../x', '@../../etc/passwd', '@/etc/passwd', '@a/../../x', '@..'].map((name) => [
    'call',
    name,
  ]),
  ...[
    '--output=pwned',
    '-Opwned',
    '--exec=touch pwned',
    '--upload-pack=touch pwned',
    '-c core.pager=touch',
    '--no-index',
    '--git-dir=..',
    'HEAD:../../../etc/passwd.json',
    'HEAD:/etc/passwd.json',
    ':(glob)**.json',
    '@{-1}',
    'HEAD..HEAD',
    'HEAD^{/x}',
    '$(touch pwned)',
    '`touch pwned`',
    'HEAD;touch pwned',
  ].map((ref) => ['diff', '--no-run', '--', ref]),
];

let root = '';
let before: readonly string[] = [];
const results = new Map<readonly string[], RunResult>();

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'capix-paths-'));
  cleanUp.afterEachFile.add(() => rm(folder, { recursive: true, force: true }));
  root = join(folder, 'project');
  await mkdir(join(root, 'node_modules'), { recursive: true });
  for (const [name, to] of [
    ['capix', '.'],
    ['zod', 'node_modules/zod'],
  ] as const)
    await symlink(join(packageRoot, to), join(root, 'node_modules', name), 'junction');
  await writeTree(root, {
    'package.json': '{ "name": "demo", "type": "module" }',
    'capix.lock.json': '{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{}}',
    'src/capabilities.ts': `
import { capability } from 'capix';
export const items = { listItems: capability(() => [], 'query') };
`,
    'src/capabilities/.keep': '',
  });
  await writeFile(join(folder, 'x.json'), '{"call": "items.listItems"}');
  const git = (...words: readonly string[]) =>
    execa('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words]);
  await git('init', '-q');
  await git('add', 'src', 'package.json', 'capix.lock.json');
  await git('commit', '-qm', 'one');
  before = await list(folder);
  for (const row of rows)
    results.set(
      row,
      await askCapix(
        row.map((word) => word.replace('\0', '')),
        { cwd: root },
      ),
    );
});

/** All files but those of packages and of git, and those that are generated where they belong. */
async function list(folder: string): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true });
  return all
    .filter((file) => !/node_modules|\.git\b|^project\/src\//.test(file.replaceAll('\\', '/')))
    .toSorted();
}

test.each(rows.map((row) => [JSON.stringify(row.join(' ')), row] as const))(
  'capix %s is refused, or stays in the project',
  (_words, row) => {
    const { stdout, stderr, exitCode } = results.get(row) ?? {};
    const text = `${stdout}${stderr}`;
    expect(text).not.toMatch(/root:x:0|at .+\.js:\d/);
    if (row[0] !== 'generate') expect(exitCode).not.toBe(0);
  },
);

test('nothing was written beside the project, nor into it but among its capabilities', async () => {
  expect(await list(join(root, '..'))).toEqual(before);
  expect(await readFile(join(root, '../x.json'), 'utf8')).toContain('items.listItems');
});
