import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PackageManager } from './package-manager.ts';
import type { ProjectFile } from './project-file.ts';

/**
 * A file that a package manager wants beside package.json. esbuild, which capix loads projects with, has an install script that it works
 * without; most package managers ask before they run such scripts, or fail where nobody has answered.
 */
const ownFiles: Readonly<Partial<Record<PackageManager, ProjectFile>>> = {
  pnpm: {
    path: 'pnpm-workspace.yaml',
    text: '# esbuild works without its install script.\nallowBuilds:\n  esbuild: false\n',
  },
  yarn: {
    path: '.yarnrc.yml',
    text: "# The TypeScript compiler does not find types in the archives of Plug'n'Play.\nnodeLinker: node-modules\n",
  },
};

export interface ManagerFilesOptions {
  readonly packageManager: PackageManager;
  /** Absolute path of the new project. */
  readonly folder: string;
  /** The version of the package manager, where it is known: `'10.34.9'`. */
  readonly version?: string | undefined;
}

/**
 * Fits the files of a project to the package manager that installs it. Where the project, or a folder above it, has the file already, that
 * one counts: in a workspace a second one would take the project out of it.
 */
export function toManagedFiles(files: readonly ProjectFile[], options: ManagerFilesOptions): readonly ProjectFile[] {
  const { packageManager, folder, version } = options;
  const own = ownFiles[packageManager];
  const isWanted = own !== undefined && !isAbove(own.path, folder) && !(packageManager === 'pnpm' && isOld(version));
  const fitted = files.map(({ path, text }) => ({ path, text: fit(path, text, packageManager) }));
  return isWanted ? [...fitted, own].toSorted((a, b) => (a.path < b.path ? -1 : 1)) : fitted;
}

/** Before 10.5 a `pnpm-workspace.yaml` made a workspace of the project; those versions only warn of scripts, or run them. */
function isOld(version = ''): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  return major !== undefined && (Number(major) < 10 || (Number(major) === 10 && Number(minor) < 5));
}

function isAbove(name: string, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, name))) return true;
    if (dirname(at) === at) return false;
  }
}

function fit(path: string, text: string, packageManager: PackageManager): string {
  if (path === 'package.json' && packageManager !== 'npm') return toPackageJson(text, packageManager);
  return path === '.gitignore' && packageManager === 'yarn' ? `${text}.yarn/install-state.gz\n` : text;
}

/** `allowScripts` is npm's word, `dependenciesMeta` yarn's. */
function toPackageJson(text: string, packageManager: PackageManager): string {
  const { allowScripts: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const meta = packageManager === 'yarn' ? { dependenciesMeta: { esbuild: { built: false } } } : {};
  return `${JSON.stringify({ ...rest, ...meta }, undefined, 2)}\n`;
}
