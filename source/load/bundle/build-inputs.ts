import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import type { BuildFailure, Message } from 'esbuild';
import { findStats } from '../../system/watch/find-stats.ts';
import { INSTALLED, isBuildSetting } from '../../system/watch/is-build-setting.ts';
import { toCompiledName } from '../modules/imports/to-compiled-name.ts';
import { findBuildSettings } from './find-build-settings.ts';
import { isOfPattern } from './patterns/with-found-imports.ts';

/** The inputs of a build: a change of one may make the next build another. */
export interface BuildInputs {
  /** Absolute paths of the files that were read. */
  readonly files: ReadonlySet<string>;
  /** Absolute paths of what says how they are built; it need not be there. */
  readonly settings: ReadonlySet<string>;
  /** The imports that were not found, or may mean other files, too. */
  readonly missing: readonly MissingImport[];
}

export interface MissingImport {
  /** As it is written: `./text.ts`, `@/lib/text`. A computed path is one with a pattern, as esbuild says it: `./texts/` and stars. */
  readonly text: string;
  /** Absolute path of the folder of the file that says it. */
  readonly folder: string;
}

export const noInputs: BuildInputs = { files: new Set(), settings: new Set(), missing: [] };

export interface FailedBuild {
  /** Absolute path of the project. */
  readonly root: string;
  /** Absolute path of the file that was to be built. */
  readonly entry: string;
  /** Absolute paths of the files that were read before it failed. */
  readonly read: ReadonlySet<string>;
}

/** The inputs of a build that threw esbuild's `BuildFailure`. */
export function toFailedInputs(thrown: unknown, { root, entry, read }: FailedBuild): BuildInputs {
  const errors = (thrown as Partial<BuildFailure>).errors ?? [];
  const places = errors.flatMap(({ location }) => (location === null ? [] : resolve(root, location.file)));
  const files = new Set([entry, ...read, ...places]);
  return {
    files,
    settings: new Set(findBuildSettings(files, root)),
    missing: errors.flatMap((error) => toMissingImport(error, root)),
  };
}

/** Whether a change of a file may make the next build another; `isOther`: whether it does for another reason, as the env file. */
export function isBuildInput(
  file: string,
  { files, settings, missing }: BuildInputs,
  isOther: (file: string) => boolean = () => false,
): boolean {
  return (
    files.has(file) ||
    settings.has(file) ||
    isBuildSetting(file) ||
    isOther(file) ||
    missing.some((each) => mayBeImported(file, each))
  );
}

/** The times of the last installations of packages, milliseconds since 1970. The code is the same after one, and what it imports is not. */
export function findInstallTimes({ settings }: BuildInputs): readonly number[] {
  const notes = [...settings].filter((file) => INSTALLED.some((installed) => installed === basename(file)));
  return notes.map((file) => findStats(file)?.mtimeMs ?? 0);
}

/** The places where an import that was not found is looked for, as absolute paths without what may stand at their end; those of an alias are not known. */
export function toMissingPaths({ missing }: BuildInputs): readonly string[] {
  return missing.flatMap(({ text, folder }) => (isPath(text) ? resolve(folder, text.replace(/[^/]*\*.*$/, '')) : []));
}

function toMissingImport({ text, location }: Message, root: string): readonly MissingImport[] {
  const missing = /^Could not resolve "(.+)"$/.exec(text)?.[1];
  if (missing === undefined) return [];
  return [{ text: missing, folder: location === null ? root : dirname(resolve(root, location.file)) }];
}

const CODE = /\.(?:[cm]?[jt]sx?|json)$/;

/** Whether an import could mean this file. An alias may stand for any folder, so that only its last part says something. */
export function mayBeImported(file: string, { text, folder }: MissingImport): boolean {
  if (text.includes('*')) {
    return CODE.test(file) && [file, toCompiledName(file)].some((name) => isOfPattern(name, { text, folder }));
  }
  if (isPath(text)) {
    const wanted = resolve(folder, text);
    return (
      file === wanted || (CODE.test(file) && toNames(file).some((name) => name === wanted || name === toStem(wanted)))
    );
  }
  return CODE.test(file) && toNames(file).some((name) => basename(name) === toStem(basename(text)));
}

/** The name that imports have for a file: without its extension, and an index by its folder. */
function toNames(file: string): readonly string[] {
  const stem = toStem(file);
  return basename(stem) === 'index' ? [stem, dirname(stem)] : [stem];
}

function toStem(path: string): string {
  return CODE.test(path) ? join(dirname(path), basename(path, extname(path))) : path;
}

function isPath(text: string): boolean {
  return isAbsolute(text) || /^\.{1,2}(?:[\\/]|$)/.test(text);
}
