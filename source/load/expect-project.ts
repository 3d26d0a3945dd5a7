import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import type { Project } from '../manifest/project.ts';
import { findUpwards, isRegularFile } from '../system/paths.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { readPackage } from './hooks/own-file.ts';
import { readSettings } from './settings/read-settings.ts';
import { findSettingsFile } from './settings/settings-file.ts';

export interface FindProjectOptions {
  /** The value of `--config`, relative to the working directory. @default as in the settings, or src/capabilities.* */
  readonly config?: string | undefined;
  readonly workingDirectory: string;
}

export const DEFAULT_CONFIG = 'src/capabilities.ts';

/**
 * The project that a command is about: by `--config`, else from the working directory upwards.
 *
 * @throws CliError `NoProject`; as `readSettings`
 */
export function expectProject({ config, workingDirectory }: FindProjectOptions): Project {
  if (config !== undefined) {
    const project = expectOtherProject(config, workingDirectory);
    readSettings(project.root); // A user who has misspelt one should hear of it from every command.
    return project;
  }
  const root = findProjectRoot(workingDirectory);
  const entryFile = root && findEntry(root, ['capabilities'], 'capabilities');
  if (entryFile === undefined) throw createCliError('NoProject', { path: DEFAULT_CONFIG });
  return toProject(entryFile, workingDirectory);
}

/** The project of a capabilities file that is compared: its settings are not read. @throws CliError `NoProject` */
export function expectOtherProject(config: string, workingDirectory: string): Project {
  const entryFile = resolve(workingDirectory, config);
  if (isRegularFile(entryFile)) return toProject(entryFile, workingDirectory);
  const hint = `Pass --config <path> of a file that exports capabilities; without it, ${DEFAULT_CONFIG} is read.`;
  throw createCliError('NoProject', { path: config }, { hint });
}

/**
 * The project of a server by its entry file; by default what its settings say, else its `src/server.*`, or where it
 * `isBuilt` its `dist/server.js`.
 *
 * @throws CliError `NoEntry`; as `readSettings`
 */
export function expectServerEntry(
  entry: string | undefined,
  workingDirectory: string,
  isBuilt = false,
): Project {
  const root = findProjectRoot(workingDirectory) ?? workingDirectory;
  const find = () =>
    isBuilt ? join(root, 'dist', 'server.js') : findEntry(root, ['dev', 'entry'], 'server');
  const file = entry === undefined ? find() : resolve(workingDirectory, entry);
  if (file !== undefined && isRegularFile(file)) return toProject(file, root);
  const hint = isBuilt
    ? 'Build the server first, as `npm run build` does, or name the file: `capix start <entry>`.'
    : 'Name the file that starts the server, `capix dev <entry>`, or make a project with `capix new`.';
  const path = entry ?? (isBuilt ? 'dist/server.js' : 'src/server.ts');
  throw createCliError('NoEntry', { path }, entry === undefined ? { hint } : {});
}

/** The file that a setting names, else `src/<name>`, TypeScript first. @throws CliError `InvalidSettings` */
function findEntry(root: string, setting: readonly string[], name: string): string | undefined {
  const { capabilities, dev, refuse } = readSettings(root);
  const named = setting.length > 1 ? dev.entry : capabilities;
  if (named === undefined) return findSourceFile(root, name);
  const file = resolve(root, named);
  if (isRegularFile(file)) return file;
  throw refuse(setting, `there is no file ${JSON.stringify(named)}`);
}

function findSourceFile(root: string, name: string): string | undefined {
  const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];
  return extensions.map((extension) => join(root, 'src', name + extension)).find(isRegularFile);
}

function toProject(entryFile: string, otherwise: string): Project {
  const root = findProjectRoot(dirname(entryFile)) ?? otherwise;
  return { root, name: readProjectName(root), entryFile };
}

/**
 * The root of the project that a folder is of: the first one upwards with a package.json, or with sources or settings
 * where several projects share a package.json. A command in `packages/a` is not about the project around it.
 */
export function findProjectRoot(from: string): string | undefined {
  return findUpwards(from, (folder) => {
    const isPackage = existsSync(join(folder, 'package.json'));
    const find = () =>
      findSourceFile(folder, 'capabilities') ??
      findSourceFile(folder, 'server') ??
      findSettingsFile(folder);
    return isPackage || find() !== undefined;
  });
}

/** Gives the name of the project. A package.json that cannot be read is npm's to complain about. */
export function readProjectName(root: string): string {
  const name = readPackage(root)?.name;
  const folderName = root.split(/[\\/]/).filter(Boolean).at(-1) ?? 'project';
  return typeof name === 'string' && name !== '' ? stripControl(name) : folderName;
}
