import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Format } from 'esbuild';
import { expect } from 'vitest';
import { packageRoot } from './run-capix.ts';
import { writeTree } from './scaffold.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Bundles a server to one file in a folder without packages. Gives the folder and the file's path. */
export async function bundleServer(
  source: string,
  format: Format,
): Promise<{ folder: string; file: string }> {
  const project = await temporaryFolder();
  await writeTree(project, { 'package.json': '{ "type": "module" }\n', 'server.js': source });
  await mkdir(join(project, 'node_modules'));
  await symlink(packageRoot, join(project, 'node_modules', 'capix'), 'junction');
  await symlink(
    join(packageRoot, 'node_modules', 'zod'),
    join(project, 'node_modules', 'zod'),
    'junction',
  );
  const folder = await temporaryFolder();
  const file = join(folder, format === 'esm' ? 'server.mjs' : 'server.cjs');
  const { warnings } = await build({
    absWorkingDir: project,
    entryPoints: ['server.js'],
    outfile: file,
    bundle: true,
    platform: 'node',
    format,
    logLevel: 'silent',
  });
  expect(warnings).toEqual([]);
  return { folder, file };
}
