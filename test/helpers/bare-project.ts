import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from './run-capix.ts';
import { writeTree } from './scaffold.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Writes a project that has only capix and zod. The package itself lies there, so that it finds nothing of this repository. */
export async function bareProject(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  const installed = join(folder, 'node_modules', 'capix');
  await mkdir(installed, { recursive: true });
  for (const part of ['dist', 'server-runtime', 'package.json'])
    await cp(join(packageRoot, part), join(installed, part), { recursive: true });
  const zod = join(packageRoot, 'node_modules', 'zod');
  await symlink(zod, join(folder, 'node_modules', 'zod'), 'junction');
  await writeTree(folder, { 'package.json': '{"name": "bare", "type": "module"}', ...files });
  return { folder, entry: join(installed, 'dist', 'cli.cjs') };
}
