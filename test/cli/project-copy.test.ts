import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';

let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'capix-copy-'));
});
afterEach(() => rm(project, { recursive: true, force: true }));

describe('a capix that is installed elsewhere', () => {
  it('hands over to the copy that the project has installed', async () => {
    await installCopy(
      "process.stdout.write(`copy of the project: ${process.argv.slice(2).join(' ')}`);",
    );
    const { stdout, exitCode } = await runCapix(['list', '--json'], { cwd: project });
    expect({ stdout, exitCode }).toEqual({
      stdout: 'copy of the project: list --json',
      exitCode: 0,
    });
  });

  it('hands over from a folder inside the project', async () => {
    await installCopy("process.stdout.write('copy of the project');");
    await mkdir(join(project, 'src'));
    expect((await runCapix(['--help'], { cwd: join(project, 'src') })).stdout).toBe(
      'copy of the project',
    );
  });

  it('runs itself where the project links to it', async () => {
    await mkdir(join(project, 'node_modules'));
    await symlink(packageRoot, join(project, 'node_modules', 'capix'));
    const { stdout, exitCode } = await runCapix(['--help'], { cwd: project });
    expect(stdout).toContain('Usage: capix');
    expect(exitCode).toBe(0);
  });

  it('runs itself where the copy was never built', async () => {
    await installCopy(undefined);
    expect((await runCapix(['--help'], { cwd: project })).stdout).toContain('Usage: capix');
  });
});

async function installCopy(entry: string | undefined): Promise<void> {
  const folder = join(project, 'node_modules', 'capix');
  await mkdir(join(folder, 'dist'), { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'capix', version: '9.9.9', type: 'module' }),
  );
  if (entry) await writeFile(join(folder, 'dist', 'cli.cjs'), entry);
}
