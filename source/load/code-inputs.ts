import { existsSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { readSourceText } from '../manifest/code-frame.ts';
import { findStats } from '../system/paths.ts';
import { INSTALLED, isBuildSetting } from '../system/watched-places.ts';
import type { CodeNote } from './hooks/code-note.ts';

/** The inputs of code that was loaded: a change of one may make it other code. */
export interface CodeInputs {
  /** Absolute paths of the files that were read. */
  readonly files: ReadonlySet<string>;
  /** Absolute paths of what says how they are compiled; it need not be there. */
  readonly settings: ReadonlySet<string>;
  /** The imports that were not found. */
  readonly missing: readonly MissingImport[];
}

export interface MissingImport {
  /** As it is written: `./text.ts`, `@/lib/text`. */
  readonly text: string;
  /** Absolute path of the folder of the file that says it. */
  readonly folder: string;
}

export const noInputs: CodeInputs = { files: new Set(), settings: new Set(), missing: [] };

/** The inputs as the hooks have told of them. Code that failed may have missed some of those `before`. */
export function toInputs(notes: readonly CodeNote[], root: string, before: CodeInputs = noInputs): CodeInputs {
  const read = notes.flatMap((note) => (note.kind === 'file' ? note.file : []));
  const files = new Set([...before.files, ...read]);
  const missing = notes.flatMap((note) => (note.kind === 'missing' ? { text: note.text, folder: note.folder } : []));
  return { files, settings: new Set(findBuildSettings(files, root)), missing: [...before.missing, ...missing] };
}

/** Whether a change of a file may make it other code; `isOther`: whether for another reason, as the env file. */
export function isBuildInput(
  file: string,
  { files, settings, missing }: CodeInputs,
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

/** The times of the last installations, milliseconds since 1970: the same code imports other packages. */
export function findInstallTimes({ settings }: CodeInputs): readonly number[] {
  return [...settings].filter(isInstalled).map((file) => findStats(file)?.mtimeMs ?? 0);
}

/** Whether a package manager writes a file last. */
export function isInstalled(file: string): boolean {
  return INSTALLED.some((installed) => installed === basename(file));
}

/**
 * Absolute paths of all inputs, with the places where an import that was not found is looked for, without what may
 * stand at their end; those of an alias are not known.
 */
export function toInputPaths({ files, settings, missing }: CodeInputs): readonly string[] {
  return [...files, ...settings, ...missing.flatMap(({ text, folder }) => (isPath(text) ? resolve(folder, text) : []))];
}

const CODE = /\.(?:[cm]?[jt]sx?|json)$/;

/** Whether an import could mean this file. An alias may stand for any folder: only its end is compared. */
export function mayBeImported(file: string, { text, folder }: MissingImport): boolean {
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

/**
 * The files that a build depends on besides those that it read, as absolute paths: the package.json and tsconfig.json
 * around each of them, also in other packages of the workspace, all that these extend, and what says which packages are
 * installed. It need not be there.
 */
function findBuildSettings(files: Iterable<string>, root: string): readonly string[] {
  const folders = new Set<string>([root]);
  for (const file of files) {
    for (let at = dirname(file); !folders.has(at); at = dirname(at)) {
      folders.add(at);
      if (dirname(at) === at || existsSync(join(at, '.git'))) break;
    }
  }
  const settings = [...folders].flatMap((folder) =>
    ['package.json', 'tsconfig.json'].map((name) => join(folder, name)),
  );
  const there = settings.filter((file) => existsSync(file));
  const extended = there
    .filter((file) => file.endsWith('tsconfig.json'))
    .flatMap((file) => findExtended(file, new Set()));
  return [...new Set([...there, ...extended, ...toInstalled(root)])];
}

/** Beside the packages of the project and, in a workspace, those of the folders around it. */
function toInstalled(root: string): readonly string[] {
  const folders: string[] = [];
  for (let at = root; ; at = dirname(at)) {
    if (at === root || existsSync(join(at, 'node_modules'))) folders.push(join(at, 'node_modules'));
    if (dirname(at) === at || existsSync(join(at, '.git'))) break;
  }
  return folders.flatMap((folder) => INSTALLED.map((name) => join(folder, name)));
}

/** A tsconfig.json has comments, so that it is not parsed; packages that are extended do not change. */
function findExtended(file: string, seen: Set<string>): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const [, list = ''] = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(readSourceText(file)) ?? [];
  const own = [...list.matchAll(/"(\.[^"]*)"/g)].map(([, path = '']) => toFile(resolve(dirname(file), path)));
  return own.flatMap((each) => [each, ...findExtended(each, seen)]);
}

function toFile(path: string): string {
  return path.endsWith('.json') || existsSync(path) ? path : `${path}.json`;
}
