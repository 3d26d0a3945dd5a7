import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type CliError, createCliError } from '../cli/cli-error.ts';
import type { Project } from '../manifest/project.ts';
import { findStats } from '../system/paths.ts';
import { stripControl } from '../terminal/strip-control.ts';
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
  const entryFile = config === undefined ? findConfigFile(workingDirectory) : resolve(workingDirectory, config);
  const project = expectProjectOf(entryFile, { config, workingDirectory });
  readSettings(project.root); // Who has misspelt one should hear of it from every command.
  return project;
}

/**
 * The project of a capabilities file that is compared with the project of the command: its settings are not read.
 *
 * @throws CliError `NoProject` where the file is missing
 */
export function expectOtherProject(config: string, workingDirectory: string): Project {
  return expectProjectOf(resolve(workingDirectory, config), { config, workingDirectory });
}

function expectProjectOf(entryFile: string | undefined, { config, workingDirectory }: FindProjectOptions): Project {
  if (entryFile === undefined || !isFile(entryFile)) throw noProject(config);
  const root = findPackageRoot(dirname(entryFile)) ?? workingDirectory;
  return { root, name: readProjectName(root), entryFile };
}

/** The nearest folder from `folder` upwards that has a package.json. */
export function findPackageRoot(folder: string): string | undefined {
  return findUpwards(folder, (candidate) => existsSync(join(candidate, 'package.json')));
}

/** Stops at the first package.json: a command in `packages/a` is not about the project around it. */
function findConfigFile(workingDirectory: string): string | undefined {
  const found = findUpwards(
    workingDirectory,
    (folder) =>
      existsSync(join(folder, 'package.json')) ||
      findSourceFile(join(folder, 'src', 'capabilities')) !== undefined ||
      hasSettingsFile(folder),
  );
  return found && findOwnConfig(found);
}

/** @throws CliError `InvalidSettings` where they name a file that is not there */
function findOwnConfig(root: string): string | undefined {
  const { capabilities, refuse } = readSettings(root);
  if (capabilities === undefined) return findSourceFile(join(root, 'src', 'capabilities'));
  const file = resolve(root, capabilities);
  if (isFile(file)) return file;
  throw refuse(['capabilities'], `there is no file ${JSON.stringify(capabilities)}`);
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

/** Whether Node reads a file of this name as CommonJS: by its extension, else by the nearest package.json. */
export function isCommonJs(file: string): boolean {
  const [, kind] = /\.([cm])[jt]s$/.exec(file) ?? [];
  if (kind !== undefined) return kind === 'c';
  const root = findPackageRoot(dirname(file));
  return root === undefined || !/"type"\s*:\s*"module"/.test(readFileSync(join(root, 'package.json'), 'utf8'));
}

interface DefaultEntry {
  readonly path: string;
  readonly hint: string;
  /** Absolute path in the project of that root; undefined where there is none. */
  readonly find: (root: string) => string | undefined;
}

const sourceEntry: DefaultEntry = {
  path: 'src/server.ts',
  hint: 'Name the file that starts the server, `capix dev <entry>`, or make a project with `capix new`.',
  find: findSourceEntry,
};

const builtEntry: DefaultEntry = {
  path: 'dist/server.js',
  hint: 'Build the server first, as `npm run build` does, or name the file: `capix start <entry>`.',
  find: (root) => join(root, 'dist', 'server.js'),
};

/**
 * Finds the project of a server by its entry file, which is relative to the working directory; by default what the
 * settings of the project around it say, else its `src/server.*`, or where it `isBuilt` its `dist/server.js`.
 *
 * @throws CliError `NoEntry` where the file is missing; as `readSettings`
 */
export function expectServerEntry(entry: string | undefined, workingDirectory: string, isBuilt = false): Project {
  const { path, hint, find } = isBuilt ? builtEntry : sourceEntry;
  const around = findPackageRoot(workingDirectory) ?? workingDirectory;
  const entryFile = entry === undefined ? find(around) : resolve(workingDirectory, entry);
  if (entryFile !== undefined && findStats(entryFile)?.isFile()) {
    const root = findPackageRoot(dirname(entryFile)) ?? around;
    return { root, name: readProjectName(root), entryFile };
  }
  if (entry !== undefined) throw createCliError('NoEntry', { path: entry });
  throw createCliError('NoEntry', { path }, { hint });
}

function findSourceEntry(root: string): string | undefined {
  const { dev, refuse } = readSettings(root);
  if (dev.entry === undefined) return findSourceFile(join(root, 'src', 'server'));
  const file = resolve(root, dev.entry);
  if (findStats(file)?.isFile()) return file;
  throw refuse(['dev', 'entry'], `there is no file ${JSON.stringify(dev.entry)}`);
}
