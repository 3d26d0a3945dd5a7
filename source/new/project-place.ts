import { readdir } from 'node:fs/promises';
import nodePath, { type PlatformPath } from 'node:path';
import validatePackageName from 'validate-npm-package-name';
import { createCliError, usageError } from '../cli/cli-error.ts';
import { toAccessReason } from '../cli/report-failure.ts';
import { findNameProblem, toShortName } from '../files/find-name-problem.ts';
import { isInside } from '../system/paths.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toFirstNames } from '../values/count.ts';

export interface ProjectPlace {
  readonly folder: string;
  /** The folder from the working directory, with forward slashes; `.` for the working directory itself. */
  readonly path: string;
  readonly packageName: string;
}

/**
 * Reads the name of a new project: `shop`, `apps/shop`, `@acme/shop` (folder `shop`) or `.` (the working directory,
 * named after its folder).
 *
 * @throws CliError `Usage` for a place outside the working directory, a folder that not every system can have, and for
 * what npm takes for no name
 */
export function toProjectPlace(
  name: string,
  workingDirectory: string,
  flavour: PlatformPath = nodePath,
): ProjectPlace {
  const { basename, relative, resolve, sep } = flavour;
  const isScoped = /^@[^/\\]+[/\\][^/\\]+$/.test(name);
  const folder = resolve(workingDirectory, isScoped ? basename(name) : name);
  const path = relative(workingDirectory, folder);
  const refuse = (wrong: string, reason: string, hint: string): Error =>
    usageError(`'${stripControl(toShortName(wrong))}' ${reason}.`, hint);
  if (!isInside(folder, workingDirectory, flavour))
    throw refuse(
      name,
      'is outside the current folder',
      'Give a name such as `my-api`, or change to the folder first.',
    );
  const folderName = path === '' ? toPackageName(basename(folder)) : basename(folder);
  const packageName = isScoped ? name.replace('\\', '/') : folderName;
  const reasons = findPackageProblems(packageName);
  if (reasons !== '')
    throw refuse(
      packageName,
      `cannot be the name of a package: ${reasons}`,
      'Use small letters, digits and hyphens, for example `my-api`.',
    );
  for (const part of path.split(sep)) {
    const problem = findNameProblem(part);
    if (problem !== undefined)
      throw refuse(
        part,
        `cannot be the name of a folder: ${problem}`,
        'Choose another name, for example `my-api`.',
      );
  }
  return { folder, path: path.replaceAll('\\', '/') || '.', packageName };
}

/** The name of a folder that is there already, made fit: `My Shop` is `my-shop`. */
function toPackageName(folderName: string): string {
  const name = folderName.toLowerCase().replace(/[^a-z0-9~.-]+/g, '-');
  return name.replace(/^[.-]+|-+$/g, '') || 'capix-app';
}

/** Why npm would not take a name, as it follows a colon; `''` where it would. */
function findPackageProblems(name: string): string {
  // A project that is named like its dependency cannot install it.
  if (name === 'capix' || name === 'zod') return `name is that of the package ${name}`;
  const { errors = [], warnings = [] } = validatePackageName(name);
  return [...errors, ...warnings].join(', ');
}

/** What GitHub, an editor or a shell puts into a folder before there is a project, by names in small letters. */
const before = [
  /^(?:readme|licen[cs]e|copying|notice|code_of_conduct|contributing|security)(?:\.\w+)?$/,
  /^\.(?:git(?:ignore|attributes|hub)|idea|vscode|zed|devcontainer|editorconfig)$/,
  /^(?:\.nvmrc|\.node-version|\.tool-versions|\.envrc|mise\.toml|flake\.(?:nix|lock))$/,
];

/** @throws CliError `FolderNotEmpty` where a folder that holds `names` is in use, with what is there */
export function refuseOthers(folder: string, names: readonly string[]): void {
  const found = names.filter((name) => !before.some((each) => each.test(name.toLowerCase())));
  if (found.length === 0) return;
  throw createCliError('FolderNotEmpty', { path: folder, names: toFirstNames(found, 8) });
}

/**
 * The names of what its user has in a folder; none where it is missing, also where a file is in its way that `force`
 * leaves to the writer.
 *
 * @throws CliError `FileExists`, `NoAccess`
 */
export async function readOwnNames(folder: string, force: boolean): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name !== '.git' && name !== '.DS_Store').toSorted();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || force) return [];
    const other = { hint: 'Choose another name.', cause: error };
    if (code === 'ENOTDIR')
      throw createCliError('FileExists', { path: folder, detail: ', and is a file' }, other);
    const reason = toAccessReason(error);
    throw createCliError('NoAccess', { path: folder, reason }, other);
  }
}
