import type { ExecaError } from 'execa';
import { stripControl } from '../../terminal/control/strip-control.ts';
import { type PackageManager, packageManagerCommands } from './package-manager.ts';

export type Installation =
  | { readonly kind: 'skipped' }
  | { readonly kind: 'done'; readonly durationMs: number }
  /** `reason` is one line, or the end of what the package manager said; free of escape sequences. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface InstallOptions {
  readonly packageManager: PackageManager;
  /** Absolute path of the project. */
  readonly folder: string;
  /** Gets what the package manager says while it works. */
  readonly onOutput: (line: string) => void;
}

/** Installs the dependencies of a project. Never rejects: a project whose installation failed is still a project. */
export async function installProject({ packageManager, folder, onOutput }: InstallOptions): Promise<Installation> {
  const { execa } = await import('execa');
  const startedAt = performance.now();
  const subprocess = execa(packageManager, packageManagerCommands[packageManager].install, {
    cwd: folder,
    stdin: 'ignore',
    all: true,
  });
  try {
    for await (const line of subprocess.iterable({ from: 'all' })) onOutput(stripControl(line));
    await subprocess;
    return { kind: 'done', durationMs: performance.now() - startedAt };
  } catch (error) {
    return { kind: 'failed', reason: toReason(error as ExecaError, packageManager) };
  }
}

function toReason(error: ExecaError, packageManager: PackageManager): string {
  if (error.code === 'ENOENT') return `${packageManager} is not installed on this machine.`;
  const said = stripControl(String(error.all ?? '')).trim();
  return said === '' ? stripControl(error.shortMessage) : said.split('\n').slice(-15).join('\n');
}

/** The version of a package manager, as it says it in a folder; undefined where it is not there. */
export async function readVersion(packageManager: PackageManager, folder: string): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout, failed } = await execa(packageManager, ['--version'], {
    cwd: folder,
    stdin: 'ignore',
    reject: false,
  });
  return failed ? undefined : stdout;
}

/** Makes the folder a git repository, where git is there and the folder is in none yet; says whether it did. */
export async function initRepository(folder: string): Promise<boolean> {
  const { execa } = await import('execa');
  const options = { cwd: folder, stdin: 'ignore', reject: false } as const;
  const inside = await execa('git', ['rev-parse', '--is-inside-work-tree'], options);
  if (inside.code === 'ENOENT' || !inside.failed) return false;
  return !(await execa('git', ['init', '--quiet'], options)).failed;
}

/** Commits all files of a new repository, so that there is something to compare with; git may not know who commits. */
export async function commitAll(folder: string): Promise<void> {
  const { execa } = await import('execa');
  const options = { cwd: folder, stdin: 'ignore', reject: false } as const;
  const added = await execa('git', ['add', '--all'], options);
  if (!added.failed) await execa('git', ['commit', '--quiet', '--message', 'Create the project with capix'], options);
}
