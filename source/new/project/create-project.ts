import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expectInside } from '../../files/expect-inside.ts';
import { toHostConfig, toServerName } from '../../files/host-config.ts';
import { packageInfo } from '../../package-info.ts';
import { packageRoot } from '../../package-root.ts';
import { nodeBinary } from '../../terminal/node-binary.ts';
import { toCapixDependency } from './capix-dependency.ts';
import { commitAll, type Installation, initRepository, installProject, readVersion } from './install-project.ts';
import { toManagedFiles } from './managed-files.ts';
import { type PackageManager, packageManagerCommands } from './package-manager.ts';
import { type ProjectFeature, projectFeatures, selectFiles } from './project-features.ts';
import { type ProjectFile, type ProjectLanguage, readProjectFiles } from './project-file.ts';
import type { ProjectPlace } from './project-place.ts';
import { writeProject } from './write-project.ts';

export interface CreateProjectOptions {
  readonly place: ProjectPlace;
  /** Absolute path of the folder that the place was named from. */
  readonly workingDirectory: string;
  readonly packageManager: PackageManager;
  readonly language: ProjectLanguage;
  /** Whether files of the project may replace files that are there. */
  readonly force: boolean;
  readonly install: boolean;
  readonly git: boolean;
  /** @default all */
  readonly features?: readonly ProjectFeature[];
  readonly onStep: (step: CreateStep) => void;
}

/** Is told what happens, while it happens. */
export type CreateStep =
  | { readonly kind: 'written'; readonly files: readonly string[] }
  | { readonly kind: 'installing' }
  | { readonly kind: 'output'; readonly line: string };

export interface CreatedProject {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
  /** The path from the working directory; `.` for itself. */
  readonly path: string;
  /** The paths from the project's folder, in order. */
  readonly files: readonly string[];
  /** The version of capix in package.json: `'0.1.0'`, `'file:../capix'`. */
  readonly capix: string;
  readonly packageManager: PackageManager;
  /** Whether a git repository was made. */
  readonly git: boolean;
  readonly installation: Installation;
}

/**
 * Writes a new project, makes it a repository, installs it and commits it. A failure to write leaves nothing; a failure to install leaves the project and
 * is told in `installation`.
 */
export async function createProject(options: CreateProjectOptions): Promise<CreatedProject> {
  const { place, workingDirectory, packageManager, language, force, install, git, features, onStep } = options;
  expectInside([place.folder], { folder: workingDirectory, called: 'the current folder' });
  const { run, exec, ci } = packageManagerCommands[packageManager];
  const capix = toCapixDependency({
    packageRoot: packageRoot(),
    version: packageInfo.version,
    projectFolder: await readRealPath(place.folder),
  });
  const templates = await readProjectFiles({ name: place.packageName, capix, run, exec, install: ci }, language);
  const all = [toAgentConfig(place, language), ...templates];
  const version = packageManager === 'pnpm' ? await readVersion(packageManager, workingDirectory) : undefined;
  const files = toManagedFiles(
    selectFiles(
      all.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      features ?? projectFeatures,
    ),
    { packageManager, folder: place.folder, version },
  );
  await writeProject(place.folder, files, { force });
  const paths = files.map((file) => file.path);
  onStep({ kind: 'written', files: paths });
  const isRepository = git && (await initRepository(place.folder));
  const installation: Installation = install ? await installNew(options) : { kind: 'skipped' };
  if (isRepository) await commitAll(place.folder);
  return {
    name: place.packageName,
    folder: place.folder,
    path: place.path,
    files: paths,
    capix,
    packageManager,
    git: isRepository,
    installation,
  };
}

/** The way in which an agent's host starts the tools, from any folder: absolute paths are of this machine, and so git leaves the file alone. */
function toAgentConfig({ folder, packageName }: ProjectPlace, language: ProjectLanguage): ProjectFile {
  const args = [
    join(folder, 'node_modules', 'capix', 'dist', 'cli.cjs'),
    'mcp',
    '--config',
    join(folder, 'src', language === 'typescript' ? 'capabilities.ts' : 'capabilities.js'),
  ];
  return {
    path: '.mcp.json',
    text: toHostConfig('claude', { name: toServerName(packageName), command: nodeBinary(), args }),
  };
}

async function installNew({ place, packageManager, onStep }: CreateProjectOptions): Promise<Installation> {
  onStep({ kind: 'installing' });
  return installProject({
    packageManager,
    folder: place.folder,
    onOutput: (line) => onStep({ kind: 'output', line }),
  });
}

/** The path without symbolic links of a folder that may not be there yet. */
async function readRealPath(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return join(await readRealPath(dirname(folder)), folder.slice(dirname(folder).length));
  }
}
