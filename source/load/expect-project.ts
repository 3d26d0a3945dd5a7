import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type CliError, createCliError } from '../cli/errors/cli-error.ts';
import type { Project } from '../manifest/project.ts';
import { findStats } from '../system/watch/find-stats.ts';
import { stripControl } from '../terminal/control/strip-control.ts';

export interface FindProjectOptions {
  /** As given with `--config`, relative to the working directory. @default src/capabilities.ts of the project */
  readonly config?: string | undefined;
  /** Absolute path. */
  readonly workingDirectory: string;
}

/** The capabilities file of a project that nobody told otherwise. */
export const DEFAULT_CONFIG = 'src/capabilities.ts';

/**
 * Finds the project that a command is about: by `--config`, else from the working directory upwards.
 *
 * @throws CliError `NoProject` where no capabilities file is found
 */
export function expectProject({ config, workingDirectory }: FindProjectOptions): Project {
  const configFile = config === undefined ? findDefaultConfig(workingDirectory) : resolve(workingDirectory, config);
  if (configFile === undefined || !isFile(configFile)) throw noProject(config);
  const root = findPackageRoot(dirname(configFile)) ?? workingDirectory;
  return { root, name: readProjectName(root), configFile };
}

/** The nearest folder from `folder` upwards that has a package.json. */
export function findPackageRoot(folder: string): string | undefined {
  return findUpwards(folder, (candidate) => existsSync(join(candidate, 'package.json')));
}

/** Stops at the first package.json: a command in `packages/a` is not about the project around it. */
function findDefaultConfig(workingDirectory: string): string | undefined {
  const found = findUpwards(
    workingDirectory,
    (folder) => isFile(join(folder, DEFAULT_CONFIG)) || existsSync(join(folder, 'package.json')),
  );
  return found === undefined ? undefined : join(found, DEFAULT_CONFIG);
}

function findUpwards(folder: string, isWanted: (folder: string) => boolean): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (isWanted(at)) return at;
    if (dirname(at) === at) return undefined;
  }
}

function isFile(path: string): boolean {
  return findStats(path)?.isFile() ?? false;
}

function noProject(config: string | undefined): CliError {
  if (config === undefined) return createCliError('NoProject', { path: DEFAULT_CONFIG });
  const hint = `Pass --config <path> of a file that exports capabilities; without it, ${DEFAULT_CONFIG} is read.`;
  return createCliError('NoProject', { path: config }, { hint });
}

/** Gives the name of the project. A package.json that cannot be read is npm's to complain about. */
export function readProjectName(root: string): string {
  const folderName = root.split(/[\\/]/).filter(Boolean).at(-1) ?? 'project';
  try {
    const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly name?: unknown };
    return typeof name === 'string' && name !== '' ? stripControl(name) : folderName;
  } catch {
    return folderName;
  }
}
