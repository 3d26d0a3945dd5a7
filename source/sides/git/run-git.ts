import { terminal } from '../../terminal/terminal.ts';

export type GitAnswer =
  | { readonly kind: 'done'; readonly output: string }
  /** With the words of git, without `fatal: `. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No git is on the PATH. */
  | { readonly kind: 'absent' };

/** Asks git about a folder without taking a lock, since another git may be at work there. */
export async function runGit(words: readonly string[], folder: string): Promise<GitAnswer> {
  const { execa } = await import('execa');
  const { stdout, stderr, failed, code } = await execa('git', ['--no-optional-locks', ...words], {
    cwd: folder,
    env: toGitEnvironment(),
    extendEnv: false,
    reject: false,
  });
  if (code === 'ENOENT') return { kind: 'absent' };
  if (failed || typeof stdout !== 'string')
    return {
      kind: 'refused',
      reason: String(stderr)
        .replace(/^fatal: /, '')
        .trim(),
    };
  return { kind: 'done', output: stdout.trim() };
}

/** The output of git; undefined where it fails. */
export async function findGitOutput(
  words: readonly string[],
  folder: string,
): Promise<string | undefined> {
  const answer = await runGit(words, folder);
  return answer.kind === 'done' ? answer.output : undefined;
}

/**
 * The variables that git sets for its hooks, and that a git which a hook starts must not get. In a linked worktree they
 * make the working directory the top of the repository, and they name the index of the commit that is being made. Git
 * finds all of that from the folder. The variables of object stores stay, since pushed objects are nowhere else yet,
 * and so do settings, such as `safe.directory`.
 */
const ofHooks: ReadonlySet<string> = new Set([
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_WORK_TREE',
]);

/** The variables that git runs with: its words are those of one language. */
export function toGitEnvironment(
  variables: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string | undefined>> {
  const own = Object.entries(terminal.environment).filter(([name]) => !ofHooks.has(name));
  return { ...Object.fromEntries(own), LC_ALL: 'C', ...variables };
}
