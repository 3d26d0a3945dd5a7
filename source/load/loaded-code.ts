import { basename, resolve } from 'node:path';
import type { Project } from '../manifest/project.ts';
import { findStats } from '../system/paths.ts';
import { type Environment, readVariables, type Variables } from '../system/read-variables.ts';
import { INSTALLED, isBuildSetting } from '../system/watched-places.ts';
import { findBuildSettings, type MissingImport, mayBeImported } from './code-inputs.ts';
import { type CodeNote, isAsRead, type ReadFile, readCode } from './hooks/code-note.ts';
import { compileFile } from './hooks/compile.ts';
import { forgetSettings } from './hooks/compiler-options.ts';
import { forgetPackages, isCompiled } from './hooks/own-file.ts';

/** Facts about the code that was loaded last, in another process. All files are absolute paths. */
export interface LoadedCode {
  /** The files that it was made of; those of a load that failed, and those before. */
  readonly files: () => ReadonlySet<string>;
  /** All that it depends on, for the watcher; what could not be found by a path has no extension yet. */
  readonly paths: () => readonly string[];
  /** The URLs of the packages that it imports, by the names that it imports them by. */
  readonly packages: () => ReadonlyMap<string, string>;
  /** Whether a change of a file may make it other code. */
  readonly counts: (file: string) => boolean;
  /** Whether a file says how the code is compiled, or which packages it finds. */
  readonly isSetting: (file: string) => boolean;
  /** Whether a file is as it was read, so that its change is known, or was made by the code without another content. */
  readonly isSeen: (file: string) => boolean;
  /** The files that have changed since they were read. */
  readonly findStale: () => readonly string[];
  /** It is loaded once more. Gives the variables of its env files. */
  readonly begin: () => Variables;
  /** Takes what the hooks tell. Gives the files that have changed already, where no load goes on. */
  readonly take: (notes: readonly CodeNote[]) => readonly string[];
  /** It was loaded, or not as a whole. */
  readonly end: (isWhole: boolean) => void;
  /** The last load came to no end. */
  readonly forget: () => void;
  /** A process with it ends until then, and may write. */
  readonly watchEnd: (ended: Promise<unknown>) => void;
  /** These files have changed. @throws CompileError of one that cannot be compiled, now or since an earlier call */
  readonly expectSound: (changes: readonly string[]) => void;
}

export interface LoadedCodeOptions {
  readonly project: Pick<Project, 'root' | 'entryFile'>;
  /** Absolute paths, the last one first. */
  readonly envFiles: readonly string[];
  /** @default that of this process */
  readonly environment?: Environment | undefined;
  /** Absolute paths of files that the code reads besides. */
  readonly others?: ReadonlySet<string>;
}

export function createLoadedCode({ project, envFiles, environment, others }: LoadedCodeOptions): LoadedCode {
  const { root, entryFile } = project;
  const { read, see, endLoad, ...known } = createReadings();
  const compile = createCheck();
  const packages = new Map<string, string>();
  let files = new Set([entryFile]);
  let missing: MissingImport[] = [];
  let settings = new Set<string>();
  let isLoading = false;
  let beganAt = 0;

  const findSettings = (): void => {
    settings = new Set(findBuildSettings(files, root));
    for (const file of settings) if (!read.has(file) && toTimeMs(file) < beganAt) see(file);
  };
  const isSetting = (file: string): boolean => isBuildSetting(file) || settings.has(file);
  const isMissing = (file: string): boolean => missing.some((each) => mayBeImported(file, each));
  return {
    ...known,
    files: () => files,
    paths: () => {
      const places = missing.flatMap(({ text, folder }) => (/^[./]/.test(text) ? resolve(folder, text) : []));
      return [...files, ...settings, ...envFiles, ...places];
    },
    packages: () => packages,
    counts: (file) => files.has(file) || isSetting(file) || envFiles.includes(file) || isMissing(file),
    isSetting,
    begin: () => {
      isLoading = true;
      beganAt = Date.now();
      read.clear();
      packages.clear();
      findSettings();
      missing = [];
      for (const file of [...envFiles, ...(others ?? [])]) see(file);
      return readVariables(envFiles, environment);
    },
    take: (notes) => {
      for (const note of notes) {
        if (note.kind === 'file') read.set(note.file, note);
        if (note.kind === 'file') files.add(note.file);
        if (note.kind === 'package') packages.set(note.name, note.url);
        if (note.kind === 'missing') missing.push(note);
      }
      if (isLoading) return [];
      findSettings();
      return notes.flatMap((note) => (note.kind === 'file' && !isAsRead(note) ? note.file : []));
    },
    end: (isWhole) => {
      isLoading = false;
      endLoad();
      if (isWhole) files = new Set([entryFile, ...[...read.keys()].filter((file) => files.has(file))]);
      findSettings();
    },
    forget: () => read.clear(),
    expectSound: (changes) => {
      for (const file of changes) if (files.has(file) || read.has(file)) see(file);
      compile(changes.filter((file) => files.has(file)));
    },
  };
}

/** All that the last load was made of, as it was then. */
function createReadings() {
  const read = new Map<string, ReadFile>();
  let endedAt = 0;
  let endings = 0;
  const see = (file: string): void => {
    const { mtimeMs = 0, size = 0 } = findStats(file) ?? {};
    // What a package manager writes is large, and its time says enough.
    const isInstalled = INSTALLED.some((name) => name === basename(file));
    const state = isInstalled ? { kind: 'file' as const, file, mtimeMs, size, hash: '', isYoung: false } : undefined;
    read.set(file, state ?? readCode(file).read);
  };
  return {
    read,
    see,
    isSeen: (file: string): boolean => {
      const before = read.get(file);
      if (before === undefined || !isAsRead(before)) return false;
      // Who saves a file as it is wants the code to run again.
      return endings > 0 || toTimeMs(file) <= Math.max(before.mtimeMs, endedAt);
    },
    findStale: (): readonly string[] => [...read.values()].filter((each) => !isAsRead(each)).map(({ file }) => file),
    endLoad: (): void => {
      endedAt = Date.now();
    },
    watchEnd: (ended: Promise<unknown>): void => {
      endings += 1;
      void ended.then(() => (endings -= 1));
    },
  };
}

/** Gives a function that compiles files, and those that it could not compile before, until one cannot be compiled. */
function createCheck(): (files: readonly string[]) => void {
  const broken = new Set<string>();
  return (files) => {
    forgetSettings();
    forgetPackages();
    for (const file of new Set([...broken, ...files])) {
      broken.delete(file);
      const { text } = readCode(file);
      // The compiler ends its process where it has to draw an error so far to the right.
      if (!isCompiled(file) || text.split('\n').some(({ length }) => length > LONG)) continue;
      broken.add(file);
      compileFile(file, text);
      broken.delete(file);
    }
  };
}

/** When a file was changed, milliseconds since 1970. */
function toTimeMs(file: string): number {
  return findStats(file)?.mtimeMs ?? 0;
}

/** The number of characters of a line that is not drawn. */
const LONG = 50_000;
