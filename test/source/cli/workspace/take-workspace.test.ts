import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWorkspacePackages } from '../../../../source/cli/workspace/find-workspace-packages.ts';
import { takeWorkspace } from '../../../../source/cli/workspace/take-workspace.ts';
import { expectProject } from '../../../../source/load/expect-project.ts';
import { expectServerEntry } from '../../../../source/load/expect-server-entry.ts';
import { writeTree } from '../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const packages = {
  'apps/api/package.json': '{ "name": "@acme/api" }',
  'apps/api/src/capabilities.ts': '',
  'apps/api/src/server.ts': '',
  'apps/web/package.json': '{ "name": "@acme/web" }',
  'apps/old/package.json': '{ "name": "old" }',
  'apps/empty/README.md': '',
  'libs/deep/er/package.json': '{}',
  'apps/node_modules/x/package.json': '{ "name": "x" }',
};

async function openWorkspace(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryFolder();
  await writeTree(root, { 'package.json': '{}', ...packages, ...files });
  return root;
}

describe('the packages of a workspace', () => {
  const list = '["./apps/*", "libs/**", "!apps/old"]';
  it.each([
    ['npm, yarn and bun', { 'package.json': `{ "workspaces": ${list} }` }],
    ['yarn 1', { 'package.json': `{ "workspaces": { "packages": ${list} } }` }],
    ['pnpm', { 'pnpm-workspace.yaml': `packages: [ './apps/*', libs/** , "!apps/old"]\n` }],
    [
      'pnpm, a line each',
      {
        'pnpm-workspace.yaml': 'packages:\n  # ours\n  - \'apps/*\' # all\n  - libs/**\n\n  - "!apps/old"\nother: 1\n',
      },
    ],
  ])('are found as %s says', async (_, files) => {
    const root = await openWorkspace(files);
    expect(findWorkspacePackages(root)).toEqual([
      { name: '@acme/api', path: 'apps/api', folder: join(root, 'apps/api') },
      { name: '@acme/web', path: 'apps/web', folder: join(root, 'apps/web') },
      { name: 'libs/deep/er', path: 'libs/deep/er', folder: join(root, 'libs/deep/er') },
    ]);
  });
});

describe('-w', () => {
  it.each([
    ['by its name', ['list', '-w', '@acme/api', '--json']],
    ['by the end of its name, before the command', ['-w', 'api', 'list', '--json']],
    ['by its folder', ['list', '--workspace=apps/api', '--json']],
  ])('finds a package %s, and leaves the other words', async (_, words) => {
    const root = await openWorkspace({ 'pnpm-workspace.yaml': 'packages: [apps/*]' });
    expect(takeWorkspace(['node', 'capix', ...words], join(root, 'apps/web'))).toEqual({
      argv: ['node', 'capix', 'list', '--json'],
      folder: join(root, 'apps/api'),
    });
  });

  it('leaves words alone that are for somebody else', async () => {
    expect(takeWorkspace(['node', 'capix', 'dev', '--', '-w', 'api'], '/')).toBeUndefined();
    expect(takeWorkspace(['node', 'capix', 'list'], '/')).toBeUndefined();
  });

  it('refuses a name that no package has, and a place without a workspace', async () => {
    const root = await openWorkspace({ 'package.json': '{ "workspaces": ["apps/*"] }' });
    expect(() => takeWorkspace(['list', '-w', '@acme/ap'], root)).toThrow(
      expect.objectContaining({ exitCode: 2, hint: 'Did you mean `@acme/api`?' }),
    );
    expect(() => takeWorkspace(['list', '-w', 'nobody'], root)).toThrow(
      expect.objectContaining({ hint: 'It has @acme/api, old, @acme/web.' }),
    );
    expect(() => takeWorkspace(['list', '-w'], root)).toThrow('the name of the package is missing');
    expect(() => takeWorkspace(['list', '-w', 'api'], '/')).toThrow('is in no workspace');
  });
});

describe('the root of a workspace', () => {
  it('stands for its only project', async () => {
    const root = await openWorkspace({ 'package.json': '{ "workspaces": ["apps/*"] }' });
    const api = join(root, 'apps/api');
    expect(expectProject({ workingDirectory: root })).toMatchObject({ root: api, name: '@acme/api' });
    expect(expectServerEntry(undefined, root).root).toBe(api);
    expect(() => expectProject({ workingDirectory: join(root, 'apps/web') })).toThrow('No capabilities file');
  });

  it('lists its projects where there are several, also those that settings name', async () => {
    const root = await openWorkspace({
      'package.json': '{ "workspaces": ["apps/*"] }',
      'apps/web/api/all.mjs': '',
      'apps/web/package.json': '{ "name": "@acme/web", "capix": { "capabilities": "api/all.mjs" } }',
    });
    expect(() => expectProject({ workingDirectory: root })).toThrow(
      'The workspace has 2 projects: @acme/api (apps/api), @acme/web (apps/web).',
    );
    expect(expectProject({ workingDirectory: root, config: 'apps/web/api/all.mjs' }).name).toBe('@acme/web');
  });
});
