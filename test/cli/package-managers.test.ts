import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { runCapix } from '../helpers/run-capix.ts';
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
