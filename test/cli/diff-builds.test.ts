import { chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { type GitProject, openGitProject } from '../helpers/git-project.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Capabilities whose input another file has. */
const api = (from: string): string => `
import { capability } from 'capix';
import { NewItem } from '${from}';
export const items = { createItem: capability(NewItem, () => 1) };
`;

const item = (fields: string): string =>
  `import * as z from 'zod';\nexport const NewItem = z.object({ ${fields} });\n`;

const PRICE = 'breaking  `price` was added, required';

/** A workspace with a service, which imports another package of it by its name, from a commit \`base\` on. */
async function openWorkspace(exported = './src/index.ts'): Promise<GitProject> {
  const project = await openGitProject({
    '.gitignore': 'node_modules\ndist\n',
    'package.json':
      '{ "name": "top", "private": true, "workspaces": ["packages/*", "services/*"] }',
    'packages/shared/package.json': `{ "name": "@acme/shared", "type": "module", "exports": { "types": "./src/index.ts", "default": "${exported}" } }`,
    'packages/shared/src/index.ts': item('name: z.string()'),
    'services/api/package.json': '{ "name": "api", "type": "module" }',
    'services/api/src/capabilities.ts': api('@acme/shared'),
  });
  await project.git('tag', 'base');
  await mkdir(join(project.root, 'node_modules/@acme'));
  await symlink(
    join(project.root, 'packages/shared'),
    join(project.root, 'node_modules/@acme/shared'),
    'junction',
  );
  return project;
}

test('a package of the workspace, which the API imports by its name, is that of the ref', async () => {
  const { root, capix, write } = await openWorkspace();
  await write('packages/shared/src/index.ts', item('name: z.string(), price: z.number()'));
  const cwd = join(root, 'services/api');
  const { stdout, exitCode } = await capix(['diff', 'base', '--fail-on', 'breaking'], { cwd });
  expect(stdout).toContain(PRICE);
  expect(exitCode).toBe(1);
  expect((await capix(['diff', 'base', 'HEAD'], { cwd })).stdout).toBe('No differences\n');
});

test('links of a package manager that gives each package its own folder lead to the ref, too', async () => {
  const { root, capix, write } = await openWorkspace();
  await rm(join(root, 'node_modules/@acme'), { recursive: true });
  await mkdir(join(root, 'services/api/node_modules/@acme'), { recursive: true });
  await symlink(
    '../../../../packages/shared',
    join(root, 'services/api/node_modules/@acme/shared'),
  );
  await write('packages/shared/src/index.ts', item('name: z.string(), price: z.number()'));
  const { stdout } = await capix(['diff', 'base'], { cwd: join(root, 'services/api') });
  expect(stdout).toContain(PRICE);
});

test('what the build of a package of the workspace has written is compared as it is now, as is said', async () => {
  const { root, capix, write } = await openWorkspace('./dist/index.js');
  await write('packages/shared/dist/index.js', item('name: z.string()'));
  const { stdout, stderr } = await capix(['diff', 'base'], { cwd: join(root, 'services/api') });
  expect(stdout).toBe('No differences\n');
  expect(stderr).toBe(
    'note: not compared in base: `build` at packages/shared/dist ' +
      '(git does not have it, so that the present one is read)\n',
  );
});

test('a ref is compared where nobody may write into node_modules', async () => {
  const { root, capix, write, git } = await openGitProject({
    'src/capabilities.ts': api('./item.ts'),
    'src/item.ts': item('name: z.string()'),
  });
  // The place of the copies is taken.
  await writeFile(join(root, 'node_modules/.capix'), '');
  await write('src/item.ts', item('name: z.string(), price: z.number()'));
  const system = await temporaryFolder();
  const { stdout, stderr } = await capix(['diff', 'HEAD'], { env: { TMPDIR: system } });
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining(PRICE), stderr: '' });
  expect(await readdir(system)).toEqual([]);
  expect(await git('status', '--porcelain')).toBe(' M src/item.ts');
});

test('a hook of a linked worktree compares as its shell does', async () => {
  const { root, git } = await openGitProject({
    'services/api/package.json': '{ "name": "api", "type": "module" }',
    'services/api/src/capabilities.ts': api('./item.ts'),
    'services/api/src/item.ts': item('name: z.string()'),
  });
  const linked = join(await temporaryFolder(), 'tree');
  await git('worktree', 'add', '--quiet', linked, '-b', 'topic');
  await symlink(join(root, 'node_modules'), join(linked, 'node_modules'), 'junction');
  const hook = join(root, '.git/hooks/pre-commit');
  await writeFile(hook, '#!/bin/sh\ncd services/api && npx --no-install capix diff main\n');
  await chmod(hook, 0o755);
  await writeFile(
    join(linked, 'services/api/src/item.ts'),
    item('name: z.string(), price: z.number()'),
  );
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const bin = join(root, 'node_modules/.bin');
  await mkdir(bin);
  await symlink(join(root, 'node_modules/capix/dist/cli.cjs'), join(bin, 'capix'));
  const committed = await execa('git', [...identity, 'commit', '--quiet', '-am', 'next'], {
    cwd: linked,
    reject: false,
  });
  expect(committed.stderr + committed.stdout).toContain(PRICE);
  expect(committed.exitCode).toBe(0);
});

test('the files of a submodule are those that the ref names', async () => {
  const shared = await openGitProject({ 'item.ts': item('name: z.string()') });
  const project = await openGitProject({ 'src/capabilities.ts': api('./shared/item.ts') });
  const allow = ['-c', 'protocol.file.allow=always'];
  await project.git(...allow, 'submodule', '--quiet', 'add', shared.root, 'src/shared');
  await project.commit({});
  expect((await project.capix(['diff', 'HEAD'])).stdout).toBe('No differences\n');
  await shared.commit({ 'item.ts': item('name: z.string(), price: z.number()') });
  await project.git(...allow, 'submodule', '--quiet', 'update', '--remote');
  expect((await project.capix(['diff', 'HEAD'])).stdout).toContain(PRICE);
  await project.commit({});
  expect((await project.capix(['diff', 'HEAD~1', 'HEAD'])).stdout).toContain(PRICE);
});

test('git says in its own words why it reads no repository, and a git that is not there is told', async () => {
  const { root, capix } = await openGitProject({ 'src/capabilities.ts': api('./item.ts') });
  const env = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
  const foreign = await capix(['diff', 'main'], { env });
  expect(foreign.stderr).toContain(
    `git says: detected dubious ownership in repository at '${root}'`,
  );
  expect(foreign.stderr).toContain('git config --global --add safe.directory');
  const none = await capix(['diff', 'HEAD'], { env: { PATH: '/nowhere' } });
  expect(none.stderr).toMatch(/^error: git was not found/);
});

test('annotations name files from the top of the repository', async () => {
  const { root, capix, write } = await openGitProject({
    'services/api/package.json': '{ "name": "api", "type": "module" }',
    'services/api/src/capabilities.ts': api('./item.ts'),
    'services/api/src/item.ts': item('name: z.string()'),
  });
  await write('services/api/src/item.ts', item('name: z.string(), price: z.number()'));
  const cwd = join(root, 'services/api');
  const place = 'file=services/api/src/capabilities.ts,line=4';
  expect((await capix(['diff', 'HEAD', '--format', 'github'], { cwd })).stdout).toContain(place);
  const unchecked = api('./item.ts').replace('NewItem, () => 1', '(input) => input');
  await write('services/api/src/capabilities.ts', unchecked);
  expect((await capix(['check', '--format', 'github'], { cwd })).stdout).toContain(place);
});

test('a branch that is behind is compared with where it parted, by the words of git', async () => {
  const { git, capix, commit } = await openGitProject({
    'src/capabilities.ts': api('./item.ts'),
    'src/item.ts': item('name: z.string()'),
  });
  await git('checkout', '--quiet', '-b', 'topic');
  await commit({ 'README.md': 'of this branch' });
  await git('checkout', '--quiet', 'main');
  await commit({ 'src/item.ts': item('name: z.string().optional()') });
  await git('checkout', '--quiet', 'topic');
  const blamed = await capix(['diff', 'main', '--fail-on', 'breaking']);
  expect(blamed.exitCode).toBe(1);
  expect(blamed.stderr).toBe(
    'note: main has commits that this branch lacks: `main...` compares with where they parted.\n',
  );
  expect(await capix(['diff', 'main...'])).toMatchObject({
    stdout: 'No differences\n',
    stderr: '',
  });
  expect((await capix(['diff', 'main...HEAD'])).stdout).toBe('No differences\n');
  expect((await capix(['diff', 'topic...main'])).stdout).toContain('became optional');
  expect((await capix(['diff', 'gone...main'])).stderr).toContain(
    'gone is neither a file, a URL nor a git ref.',
  );
  expect((await capix(['diff', 'topic...main', 'HEAD'])).exitCode).toBe(2);
});
