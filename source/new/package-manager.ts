import type { ExecaError } from 'execa';
import { stripControl } from '../terminal/strip-control.ts';

export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof packageManagers)[number];

/**
 * The commands of a package manager: the arguments that install everything, development dependencies too; what runs a
 * script, and the program of a dependency; what installs on a build machine that has npm alone, and
 * nothing but what the lock file says; what takes the development dependencies away again.
 */
export const packageManagerCommands = {
  npm: {
    install: ['install', '--include=dev', '--no-audit', '--no-fund'],
    run: 'npm run',
    exec: 'npx',
    ci: 'npm ci',
    prune: 'npm prune --omit=dev',
  },
  pnpm: {
    install: ['install', '--prod=false'],
    run: 'pnpm run',
    exec: 'pnpm exec',
    ci: 'corepack enable && pnpm install --frozen-lockfile',
    prune: 'pnpm prune --prod',
  },
  yarn: {
    install: ['install'],
    run: 'yarn run',
    exec: 'yarn',
    ci: 'corepack enable && yarn install --frozen-lockfile',
    prune: 'yarn workspaces focus --production',
  },
  bun: {
    install: ['install'],
    run: 'bun run',
    exec: 'bunx',
    ci: 'npm install --global bun && bun install --frozen-lockfile',
    prune: 'bun install --production --frozen-lockfile',
  },
} as const satisfies Readonly<Record<PackageManager, object>>;

/** The package manager that started this process, by what all of them leave in `npm_config_user_agent`; else npm. */
export function inferPackageManager(userAgent: string | undefined): PackageManager {
  return packageManagers.find((name) => userAgent?.startsWith(`${name}/`)) ?? 'npm';
}

interface InstallOptions {
  readonly packageManager: PackageManager;
  readonly folder: string;
  /** Gets what the package manager says while it works, indented. */
  readonly onProgress: (line: string) => void;
}

/**
 * Installs the dependencies of a project. Gives why that went wrong: one line, or the end of the package manager's
 * output, without escape sequences.
 */
export async function installProject(options: InstallOptions): Promise<string | undefined> {
  const { packageManager, folder, onProgress } = options;
  const { execa } = await import('execa');
  const { install } = packageManagerCommands[packageManager];
  const subprocess = execa(packageManager, install, { cwd: folder, stdin: 'ignore', all: true });
  try {
    for await (const line of subprocess.iterable({ from: 'all' }))
      if (line.trim() !== '') onProgress(`  ${stripControl(line)}`);
    await subprocess;
    return undefined;
  } catch (error) {
    const { code, all, shortMessage } = error as ExecaError;
    if (code === 'ENOENT') return `${packageManager} is not installed on this machine.`;
    const output = stripControl(String(all ?? '')).trim();
    return output === '' ? stripControl(shortMessage) : output.split('\n').slice(-15).join('\n');
  }
}

/** Makes the folder a git repository, where git is there and the folder is in none yet; says whether it did. */
export async function initRepository(folder: string): Promise<boolean> {
  const { execa } = await import('execa');
  const options = { cwd: folder, stdin: 'ignore', reject: false } as const;
  const inside = await execa('git', ['rev-parse', '--is-inside-work-tree'], options);
  if (inside.code === 'ENOENT' || !inside.failed) return false;
  return !(await execa('git', ['init', '--quiet'], options)).failed;
}

/** Commits all files of a new repository, so that there is something to compare with. Gives why that went wrong. */
export async function commitAll(folder: string): Promise<string | undefined> {
  const { execa } = await import('execa');
  // A hook may wait for its user.
  const options = { cwd: folder, stdin: 'ignore', reject: false, timeout: 10_000 } as const;
  // A program that signs may wait for a password, or not be there.
  const commit = ['-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message'];
  for (const words of [
    ['add', '--all'],
    [...commit, 'Create the project with capix'],
  ]) {
    const { failed, timedOut, stderr, stdout } = await execa('git', words, options);
    if (timedOut) return 'it took longer than 10 seconds';
    if (failed) return findReason(stripControl(stderr || stdout));
  }
  return undefined;
}

/** The line of the output of git that says why it failed. */
function findReason(output: string): string {
  const lines = output.trim().split('\n');
  const fatal = lines.find((line) => line.startsWith('fatal:')) ?? lines.at(-1) ?? '';
  return fatal.replace('fatal: ', '') || 'git says no reason';
}
