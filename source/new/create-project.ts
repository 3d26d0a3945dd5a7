import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { expectInside } from '../files/expect-inside.ts';
import { toWriteError, writeFiles } from '../files/write-files.ts';
import { packageInfo } from '../package-info.ts';
import { packageRoot } from '../package-root.ts';
import { commitAll, initRepository, installProject } from './package-manager.ts';
import { type ProjectAnswers, readProjectFiles } from './project-files.ts';
import { type ProjectPlace, readOwnNames, refuseOthers, toProjectPlace } from './project-place.ts';
import type { ProjectFile } from './project-templates.ts';

export interface ProjectOptions extends ProjectAnswers {
  /** Absolute path of the folder that the name is from. */
  readonly workingDirectory: string;
  readonly force: boolean;
}

export interface ProjectPlan extends ProjectPlace {
  /** The version of capix in package.json: `'0.1.0'`, `'file:../capix'`. */
  readonly capix: string;
  /** Those that are written, in the order of their paths. */
  readonly files: readonly ProjectFile[];
  /** The paths of those that are there already, and stay as they are. */
  readonly left: readonly string[];
  /** Whether the folder held files of its user, of which some may belong in no commit. */
  readonly hadFiles: boolean;
}

export interface CreatedProject
  extends ProjectPlan,
    Pick<ProjectOptions, 'packageManager' | 'template'> {
  /** Whether it was made a repository. */
  readonly git: boolean;
  /** Why the repository has no commit; undefined where it has one, or is none. */
  readonly uncommitted: string | undefined;
  readonly installed: boolean;
  /** Why it could not be installed; undefined where it was installed, or should not be. */
  readonly problem: string | undefined;
}

/**
 * Writes a new project, makes it a repository, installs it and commits it. A failure to install leaves the project, and
 * is the `problem` of the result. `onProgress` gets lines of text while it installs.
 */
export async function createProject({
  onProgress,
  ...options
}: ProjectOptions & { readonly onProgress: (line: string) => void }): Promise<CreatedProject> {
  const { packageManager, template, install, git } = options;
  const plan = await planProject(options);
  const { folder, files, hadFiles } = plan;
  const written = files.map(({ path, text }) => ({ file: join(folder, path), text }));
  if (existsSync(folder))
    expectInside(
      written.map(({ file }) => file),
      { folder, called: 'the new project' },
    );
  await writeFiles(written).catch((error: unknown) => {
    throw toWriteError(error, {
      from: dirname(folder),
      hint: 'Fix that, or choose another place.',
    });
  });
  const isRepository = git && (await initRepository(folder));
  if (install) onProgress('Installing …');
  const problem = install
    ? await installProject({ packageManager, folder, onProgress })
    : undefined;
  const commit = () => (hadFiles ? 'the folder held other files' : commitAll(folder));
  return {
    ...plan,
    template,
    packageManager,
    git: isRepository,
    uncommitted: isRepository ? await commit() : undefined,
    installed: install && problem === undefined,
    problem,
  };
}

/**
 * Works out where a project will be and what is in it. Writes nothing.
 *
 * @throws CliError `Usage` for a name that will not do, `FolderNotEmpty` unless forced, `FileExists`, `NoAccess`,
 * `LeadsOutside`
 */
export async function planProject(options: ProjectOptions): Promise<ProjectPlan> {
  const { workingDirectory, force } = options;
  const place = toProjectPlace(options.name, workingDirectory);
  const { folder, path } = place;
  expectInside([folder], { folder: workingDirectory, called: 'the current folder' });
  const names = await readOwnNames(folder, force);
  if (!force) refuseOthers(folder, names);
  const projectFolder = join(realpathSync(workingDirectory), path);
  const capix = toCapixDependency({
    packageRoot: packageRoot(),
    version: packageInfo.version,
    projectFolder,
  });
  const files = await readProjectFiles({ ...options, place, capix });
  const hadFiles = names.length > 0;
  return { ...place, capix, hadFiles, ...(await joinProjectFiles(files, { folder, force })) };
}

/**
 * The version beside `"capix"` in the dependencies of a project, where the running copy was installed from a release;
 * else the copy itself, `file:../capix`: the registry does not have its version. Paths without symbolic links.
 */
export function toCapixDependency({
  packageRoot: root,
  version,
  projectFolder,
}: Readonly<Record<'packageRoot' | 'version' | 'projectFolder', string>>): string {
  // `npm publish` leaves a mark in the package that it makes; `npm pack`, a checkout and a link have none.
  const isRelease =
    /[\\/]node_modules[\\/]/.test(root) && existsSync(join(root, 'dist', 'release.json'));
  if (isRelease) return version;
  const path = relative(projectFolder, root);
  return `file:${(isAbsolute(path) ? root : path).replaceAll('\\', '/')}`;
}

interface JoinedFiles {
  readonly files: readonly ProjectFile[];
  /** The paths of the files that stay as they are. */
  readonly left: readonly string[];
}

/**
 * Fits the files of a new project to those that its folder holds: a `.gitignore` gets the lines that it lacks, so that
 * what it hides stays hidden, and every other file stays as it is, or is replaced by `force`.
 */
async function joinProjectFiles(
  files: readonly ProjectFile[],
  { folder, force }: { readonly folder: string; readonly force: boolean },
): Promise<JoinedFiles> {
  const joined = await Promise.all(
    files.map(async ({ path, text }) => {
      const file = join(folder, path);
      if (path === '.gitignore') {
        const before = await readFile(file, 'utf8').catch(() => '');
        return { path, text: addLines(before, text) };
      }
      return { path, text: existsSync(file) && !force ? undefined : text };
    }),
  );
  return {
    files: joined.flatMap(({ path, text }) => (text === undefined ? [] : { path, text })),
    left: joined.flatMap(({ path, text }) => (text === undefined ? path : [])),
  };
}

/** Adds the rules that a `.gitignore` lacks, and those with `!` again, since the last rule that fits counts. */
function addLines(before: string, rules: string): string {
  if (before.trim() === '') return rules;
  const own = new Set(before.split('\n').map((line) => line.trim()));
  const missing = rules.split('\n').filter((line) => line !== '' && !own.has(line));
  if (missing.length === 0) return before;
  const added = rules.split('\n').filter((line) => missing.includes(line) || line.startsWith('!'));
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  return `${before.replace(/\r?\n?$/, end)}${added.join(end)}${end}`;
}
