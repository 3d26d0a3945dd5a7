import { execa } from 'execa';
import { type FixtureProject, openProject } from './fixture-project.ts';

/** A project with a history, on the branch `main`. */
export interface GitProject extends FixtureProject {
  /** Runs git in the project, as somebody; gives what it prints. */
  readonly git: (...args: readonly string[]) => Promise<string>;
  /** Writes files and commits everything. */
  readonly commit: (files: Readonly<Record<string, string>>, message?: string) => Promise<void>;
}

/** A repository with the files as its first commit. */
export async function openGitProject(files: Readonly<Record<string, string>>): Promise<GitProject> {
  const project = await openProject({ '.gitignore': 'node_modules\n', ...files });
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const git: GitProject['git'] = async (...args) =>
    (await execa('git', [...identity, ...args], { cwd: project.root })).stdout;
  const commit: GitProject['commit'] = async (changed, message = 'next') => {
    for (const [path, text] of Object.entries(changed)) await project.write(path, text);
    await git('add', '--all');
    await git('commit', '--quiet', '--message', message);
  };
  await git('init', '--quiet', '--initial-branch=main');
  await commit({}, 'first');
  return { ...project, git, commit };
}
