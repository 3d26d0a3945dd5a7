import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { pack } from '../helpers/packed-project.ts';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';
import { runScript, writeTree } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** A folder that has the program `name`, as npm brings it. */
async function folderWith(name: string, packageName: string): Promise<string> {
  const folder = await temporaryFolder();
  const program = join(folder, name);
  await writeFile(
    program,
    `#!/bin/sh\nexec npx --yes --prefer-offline --package=${packageName} -- ${name} "$@"\n`,
  );
  await chmod(program, 0o755);
  return folder;
}

it('what capix new makes for pnpm is installed by pnpm 12 without a question or a warning, and passes its checks', async () => {
  const cwd = await temporaryFolder();
  const env = {
    PATH: `${await folderWith('pnpm', 'pnpm@12.21.0')}${delimiter}${process.env['PATH']}`,
  };
  const args = ['new', 'shop', '--package-manager', 'pnpm', '--no-git'];
  const { stdout, stderr, exitCode } = await runCapix(args, { cwd, env });
  expect(stderr).not.toMatch(/ignored|warning|ERR_/i);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('  pnpm-workspace.yaml\n');
  expect(await runScript(join(cwd, 'shop'), 'check')).toMatchObject({ exitCode: 0 });
});

it('no second workspace file takes a project out of the workspace around it', async () => {
  const cwd = await temporaryFolder();
  await writeTree(cwd, { 'pnpm-workspace.yaml': 'packages: [apps/*]\n' });
  const { stdout } = await runCapix(
    ['new', 'apps/shop', '--package-manager', 'pnpm', '--no-install', '--no-git'],
    {
      cwd,
    },
  );
  expect(stdout).not.toContain('pnpm-workspace.yaml');
  expect(await readFile(join(cwd, 'pnpm-workspace.yaml'), 'utf8')).toBe('packages: [apps/*]\n');
});

async function readVersion(name: string): Promise<string> {
  const file = join(packageRoot, 'node_modules', name, 'package.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { readonly version: string }).version;
}

it("with yarn's Plug'n'Play a ref is compared, and a package of the workspace is that of the ref", async () => {
  const folder = await temporaryFolder();
  const cwd = join(folder, 'services/api');
  const tarball = await pack(await temporaryFolder());
  const zod = await readVersion('zod');
  const item = (fields: string): string =>
    `import * as z from 'zod';\nexport const Item = z.object({ ${fields} });\n`;
  await writeTree(folder, {
    'package.json':
      '{ "name": "top", "private": true, "workspaces": ["packages/*", "services/*"] }',
    '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\nenableScripts: false\n',
    '.gitignore': '.yarn\n.pnp.*\n',
    'packages/shared/package.json': JSON.stringify({
      name: '@acme/shared',
      version: '1.0.0',
      type: 'module',
      exports: './src/index.ts',
      dependencies: { zod },
    }),
    'packages/shared/src/index.ts': item('name: z.string()'),
    'services/api/package.json': JSON.stringify({
      name: 'api',
      type: 'module',
      dependencies: {
        '@acme/shared': 'workspace:*',
        '@swc/core': await readVersion('@swc/core'),
        capix: `file:${tarball}`,
        zod,
      },
    }),
    'services/api/src/capabilities.ts': `import { capability } from 'capix';
import { Item } from '@acme/shared';
export const items = { createItem: capability(Item, () => 1) };
`,
  });
  const git = (...words: readonly string[]) =>
    execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: folder });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'first');
  const bin = await folderWith('yarn', '@yarnpkg/cli-dist@4.18.1');
  // Yarn reads from Node's environment whom it trusts.
  const env = {
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    NO_COLOR: '1',
  };
  const yarn = (...words: readonly string[]) => execa('yarn', words, { cwd, env });
  await yarn('install');
  expect((await yarn('capix', 'diff', 'HEAD')).stdout).toBe('No differences');
  await writeTree(folder, {
    'packages/shared/src/index.ts': item('name: z.string(), price: z.number()'),
  });
  expect((await yarn('capix', 'diff', 'HEAD')).stdout).toContain(
    'breaking  `price` was added, required',
  );
});
