import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type AskOptions, askCapix } from './ask-capix.ts';
import { packageRoot, type RunOptions, type RunResult, runCapix } from './run-capix.ts';

/** A project of a user in a temporary folder, which is removed when the test is over. */
export interface FixtureProject {
  /** Absolute path, without symbolic links. */
  readonly root: string;
  /** Runs the built tool in the project, without a terminal. */
  readonly capix: (args: readonly string[], options?: RunOptions) => Promise<RunResult>;
  /** The same in the process of many commands, for tests of what a command says and writes. */
  readonly ask: (args: readonly string[], options?: AskOptions) => Promise<RunResult>;
  /** Writes a file of the project, its folders too. */
  readonly write: (path: string, text: string) => Promise<void>;
}

/** Copies `test/fixtures/<name>/`, with `capix` (this checkout) and `zod` installed. */
export async function openFixture(name: string): Promise<FixtureProject> {
  const project = await createProject();
  await cp(fileURLToPath(new URL(`../fixtures/${name}/`, import.meta.url)), project.root, {
    recursive: true,
  });
  return project;
}

/** A project of the files that are given by path; a package.json is added. */
export async function openProject(
  files: Readonly<Record<string, string>>,
): Promise<FixtureProject> {
  const project = await createProject();
  const all = { 'package.json': '{ "name": "demo", "type": "module" }', ...files };
  for (const [path, text] of Object.entries(all)) await project.write(path, text);
  return project;
}

async function createProject(): Promise<FixtureProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'capix-project-')));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(root, 'node_modules'));
  await symlink(packageRoot, join(root, 'node_modules', 'capix'), 'junction');
  await symlink(
    join(packageRoot, 'node_modules', 'zod'),
    join(root, 'node_modules', 'zod'),
    'junction',
  );
  return {
    root,
    capix: (args, options = {}) => runCapix(args, { cwd: root, ...options }),
    ask: (args, options = {}) => askCapix(args, { cwd: root, ...options }),
    write: async (path, text) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
  };
}
