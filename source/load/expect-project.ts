import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import type { Project } from '../manifest/project.ts';
import { findStats } from '../system/paths.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { readPackage } from './hooks/own-file.ts';
import { readSettings } from './settings/read-settings.ts';
import { hasSettingsFile } from './settings/settings-file.ts';

export interface FindProjectOptions {
  /** As given with `--config`, relative to the working directory. @default as in the settings, or src/capabilities.* */
  readonly config?: string | undefined;
  /** Absolute path. */
  readonly workingDirectory: string;
}

/** The capabilities file of a project that nobody told otherwise. */
export const DEFAULT_CONFIG = 'src/capabilities.ts';

/**
 * Finds the project that a command is about: by `--config`, else from the working directory upwards.
 *
 * @throws CliError `NoProject` where no capabilities file is found; as `readSettings`
 */
export function expectProject({ config, workingDirectory }: FindProjectOptions): Project {
  if (config !== undefined) {
    const project = expectOtherProject(config, workingDirectory);
    readSettings(project.root); // Who has misspelt one should hear of it from every command.
    return project;
  }
  const root = findRoot(workingDirectory);
  const entryFile = root && findOwnFile(root, { named: readSettings(root).capabilities, setting: ['capabilities'] });
  if (entryFile === undefined) throw createCliError('NoProject', { path: DEFAULT_CONFIG });
  return toProject(entryFile, workingDirectory);
}

/**
 * The project of a capabilities file that is compared with the project of the command: its settings are not read.
 *
 * @throws CliError `NoProject` where the file is missing
 */
export function expectOtherProject(config: string, workingDirectory: string): Project {
  const entryFile = resolve(workingDirectory, config);
  if (isFile(entryFile)) return toProject(entryFile, workingDirectory);
  const hint = `Pass --config <path> of a file that exports capabilities; without it, ${DEFAULT_CONFIG} is read.`;
  throw createCliError('NoProject', { path: config }, { hint });
}

/**
 * Finds the project of a server by its entry file, which is relative to the working directory; by default what the
 * settings of the project around it say, else its `src/server.*`, or where it `isBuilt` its `dist/server.js`.
 *
 * @throws CliError `NoEntry` where the file is missing; as `readSettings`
 */
export function expectServerEntry(entry: string | undefined, workingDirectory: string, isBuilt = false): Project {
  const around = findPackageRoot(workingDirectory) ?? workingDirectory;
  const entryFile = entry === undefined ? findEntry(around, isBuilt) : resolve(workingDirectory, entry);
  if (entryFile !== undefined && isFile(entryFile)) return toProject(entryFile, around);
  if (entry !== undefined) throw createCliError('NoEntry', { path: entry });
  const [path, hint] = isBuilt
    ? ['dist/server.js', 'Build the server first, as `npm run build` does, or name the file: `capix start <entry>`.']
    : [
        'src/server.ts',
        'Name the file that starts the server, `capix dev <entry>`, or make a project with `capix new`.',
      ];
  throw createCliError('NoEntry', { path }, { hint });
}

function findEntry(root: string, isBuilt: boolean): string | undefined {
  if (isBuilt) return join(root, 'dist', 'server.js');
  return findOwnFile(root, { named: readSettings(root).dev.entry, setting: ['dev', 'entry'] });
}

function toProject(entryFile: string, otherwise: string): Project {
  const root = findPackageRoot(dirname(entryFile)) ?? otherwise;
  return { root, name: readProjectName(root), entryFile };
}

/** The nearest folder from `folder` upwards that has a package.json. */
export function findPackageRoot(folder: string): string | undefined {
  return findUpwards(folder, (candidate) => existsSync(join(candidate, 'package.json')));
}

/** Stops at the first package.json: a command in `packages/a` is not about the project around it. */
function findRoot(workingDirectory: string): string | undefined {
  return findUpwards(
    workingDirectory,
    (folder) =>
      existsSync(join(folder, 'package.json')) ||
      findSourceFile(join(folder, 'src', 'capabilities')) !== undefined ||
      hasSettingsFile(folder),
  );
}

interface OwnFile {
  /** As the settings say it, relative to the root. */
  readonly named: string | undefined;
  readonly setting: readonly ['capabilities'] | readonly ['dev', 'entry'];
}

/** @throws CliError `InvalidSettings` where they name a file that is not there */
function findOwnFile(root: string, { named, setting }: OwnFile): string | undefined {
  if (named === undefined) return findSourceFile(join(root, 'src', setting.length === 1 ? 'capabilities' : 'server'));
  const file = resolve(root, named);
  if (isFile(file)) return file;
  throw readSettings(root).refuse(setting, `there is no file ${JSON.stringify(named)}`);
}

const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'] as const;

/** The file of code of this path, which has no extension yet: TypeScript before JavaScript. */
export function findSourceFile(path: string): string | undefined {
  return extensions.map((extension) => `${path}${extension}`).find(isFile);
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

/** Gives the name of the project. A package.json that cannot be read is npm's to complain about. */
export function readProjectName(root: string): string {
  const name = readPackage(root)?.name;
  const folderName = root.split(/[\\/]/).filter(Boolean).at(-1) ?? 'project';
  return typeof name === 'string' && name !== '' ? stripControl(name) : folderName;
}
