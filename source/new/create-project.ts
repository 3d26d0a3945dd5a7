import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { expectInside } from '../files/expect-inside.ts';
import { toWriteError, writeFiles } from '../files/write-files.ts';
import { packageInfo } from '../package-info.ts';
import { packageRoot } from '../package-root.ts';
import {
  commitAll,
  type Installation,
  initRepository,
  installProject,
  type PackageManager,
  readVersion,
} from './package-manager.ts';
import { type ProjectFile, type ProjectLanguage, readProjectFiles } from './project-files.ts';
import { expectEmpty, type ProjectPlace, toProjectPlace } from './project-place.ts';

export interface ProjectOptions {
  /** As it was typed: `shop`, `@acme/shop`, `.`. */
  readonly name: string;
  /** Absolute path of the folder that the name is from. */
  readonly workingDirectory: string;
  readonly language: ProjectLanguage;
  readonly packageManager: PackageManager;
  /** Whether it has the tests of the example. */
  readonly tests: boolean;
  /** Whether it has the files that agents read. */
  readonly agents: boolean;
  /** Whether its files may replace files that are there. */
  readonly force: boolean;
}

export interface CreateProjectOptions extends ProjectOptions {
  readonly install: boolean;
  readonly git: boolean;
  /** Gets lines of text while it installs. */
  readonly onProgress: (line: string) => void;
}

/** A project before anything of it is written. */
export interface ProjectPlan extends ProjectPlace {
  /** The version of capix in package.json: `'0.1.0'`, `'file:../capix'`. */
  readonly capix: string;
  /** In the order of their paths. */
  readonly files: readonly ProjectFile[];
}

export interface CreatedProject extends Pick<ProjectPlan, 'folder' | 'path' | 'capix'> {
  readonly name: string;
  /** The paths from the project's folder, in order. */
  readonly files: readonly string[];
  readonly packageManager: PackageManager;
  /** Whether a git repository was made. */
  readonly git: boolean;
  readonly installation: Installation;
}

/**
 * Writes a new project, makes it a repository, installs it and commits it. A failure to
 * install leaves the project and is told in `installation`.
 */
export async function createProject(options: CreateProjectOptions): Promise<CreatedProject> {
  const { workingDirectory, packageManager, install, git, force, onProgress } = options;
  const version = packageManager === 'pnpm' ? await readVersion(packageManager, workingDirectory) : undefined;
  const { packageName, folder, path, capix, files } = await planProject(options, version);
  await writeProject(folder, files);
  const isRepository = git && (await initRepository(folder));
  if (install) onProgress('Installing …');
  const installation: Installation = install
    ? await installProject({ packageManager, folder, onProgress })
    : { kind: 'skipped' };
  // A folder that had files of its own may have some that nobody wants in a commit.
  if (isRepository && !force) await commitAll(folder);
  return {
    name: packageName,
    folder,
    path,
    files: files.map((file) => file.path),
    capix,
    packageManager,
    git: isRepository,
    installation,
  };
}

/**
 * Works out where a project will be and what is in it. Writes nothing. `version`: that of the package manager, where it
 * is known.
 *
 * @throws CliError `Usage` for a name that will not do, `FolderNotEmpty` unless forced, `NotAFolder`, `NoAccess`,
 * `LeadsOutside`
 */
export async function planProject(options: ProjectOptions, version?: string): Promise<ProjectPlan> {
  const { name, workingDirectory, force } = options;
  const place = toProjectPlace(name, workingDirectory);
  const { folder } = place;
  expectInside([folder], { folder: workingDirectory, called: 'the current folder' });
  if (!force) await expectEmpty(folder);
  const capix = toCapixDependency({
    packageRoot: packageRoot(),
    version: packageInfo.version,
    projectFolder: await readRealPath(folder),
  });
  return { ...place, capix, files: await readProjectFiles({ ...options, place, capix, version }) };
}

/** The path without symbolic links of a folder that may not be there yet. */
async function readRealPath(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return join(await readRealPath(dirname(folder)), folder.slice(dirname(folder).length));
  }
}

/** @throws CliError `WriteFailed`, which names what was written before it */
async function writeProject(folder: string, files: readonly ProjectFile[]): Promise<void> {
  const written = files.map(({ path, text }) => ({ file: join(folder, path), text }));
  const paths = written.map(({ file }) => file);
  if (existsSync(folder)) expectInside(paths, { folder, called: 'the new project' });
  try {
    await writeFiles(written);
  } catch (error) {
    throw toWriteError(error, { from: dirname(folder), hint: 'Fix that, or choose another place.' });
  }
}

interface CapixDependencyOptions {
  /** Absolute path of the running copy of capix, without symbolic links. */
  readonly packageRoot: string;
  readonly version: string;
  /** Absolute path of the new project, without symbolic links. */
  readonly projectFolder: string;
}

/**
 * The version that a new project writes beside `"capix"` in its dependencies: the version, where the running copy was
 * installed from a release, else the copy itself: `file:../capix`. A version that was never published, or that is
 * another's, must not be asked of the registry.
 */
export function toCapixDependency({ packageRoot, version, projectFolder }: CapixDependencyOptions): string {
  return isRelease(packageRoot) ? version : toFileDependency(packageRoot, projectFolder);
}

/** `npm publish` leaves a mark in the package that it makes; `npm pack`, a checkout and a link have none. */
function isRelease(packageRoot: string): boolean {
  return /[\\/]node_modules[\\/]/.test(packageRoot) && existsSync(join(packageRoot, 'dist', 'release.json'));
}

function toFileDependency(packageRoot: string, projectFolder: string): string {
  const path = relative(projectFolder, packageRoot);
  return `file:${(isAbsolute(path) ? packageRoot : path).replaceAll('\\', '/')}`;
}
