import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Project } from '../manifest/project.ts';
import { type Environment, readVariables, type Variables } from '../system/read-variables.ts';
import { INSTALLED, isBuildSetting } from '../system/watched-places.ts';
import { type CodeNote, isAsRead, type ReadFile, readCode } from './hooks/code-note.ts';
import { compileFile, forgetCompiler } from './hooks/compile.ts';
import { findSettingsFiles, forgetSettings } from './hooks/compiler-options.ts';
import { forgetPackages, isCompiled, isOfPackage } from './hooks/own-file.ts';

export interface LoadedCodeOptions {
  readonly project: Pick<Project, 'root' | 'entryFile'>;
  /** Absolute paths, the last one first. */
  readonly envFiles: readonly string[];
  /** @default that of this process */
  readonly environment?: Environment | undefined;
  /** Absolute paths of files that the code reads besides. */
  readonly others?: ReadonlySet<string>;
}

/** The end of a load. Of a start that was abandoned no file counts as seen. */
interface LoadEnd {
  readonly kind: 'loaded' | 'ready' | 'failed' | 'abandoned';
}

type MissingImport = Extract<CodeNote, { readonly kind: 'missing' }>;

/** The number of characters of a line from which on the compiler would end its process where it draws an error. */
const LONG = 50_000;

/** Facts about the code that was loaded last, in another process. All files are absolute paths. */
export class LoadedCode {
  readonly #options: LoadedCodeOptions;
  /** The files of the last load, as they were read. */
  readonly #read = new Map<string, ReadFile>();
  readonly #packages = new Map<string, string>();
  #files: Set<string>;
  #missing: MissingImport[] = [];
  #settings = new Set<string>();
  #isLoading = false;

  constructor(options: LoadedCodeOptions) {
    this.#options = options;
    this.#files = new Set([options.project.entryFile]);
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** The files that it was made of; those of a load that failed, and those before. */
  files(): ReadonlySet<string> {
    return this.#files;
  }

  /** All that it depends on, for the watcher; what could not be found by a path has no extension yet. */
  paths(): readonly string[] {
    const places = this.#missing.flatMap(({ text, folder }) =>
      /^[./]/.test(text) ? resolve(folder, text) : [],
    );
    return [...this.#files, ...this.#settings, ...this.#options.envFiles, ...places];
  }

  /** The URLs of the packages that it imports, by the names that it imports them by. */
  packages(): ReadonlyMap<string, string> {
    return this.#packages;
  }

  counts(file: string): boolean {
    if (this.#files.has(file) || this.isSetting(file) || this.#options.envFiles.includes(file))
      return true;
    // An alias may stand for any folder, so that only names are compared.
    return this.#missing.some(({ text, folder }) => toStem(resolve(folder, text)) === toStem(file));
  }

  isSetting(file: string): boolean {
    return isBuildSetting(file) || this.#settings.has(file);
  }

  isSeen(file: string): boolean {
    const before = this.#read.get(file);
    return before !== undefined && isAsRead(before);
  }

  findStale(): readonly string[] {
    return [...this.#read.values()].filter((each) => !isAsRead(each)).map(({ file }) => file);
  }

  /** Has it loaded once more by `run`, which gets the variables of its env files. One load at a time. */
  async load<End extends LoadEnd>(run: (variables: Variables) => Promise<End>): Promise<End> {
    const { envFiles, environment } = this.#options;
    this.#begin();
    let kind: LoadEnd['kind'] = 'failed';
    try {
      const end = await run(readVariables(envFiles, environment));
      ({ kind } = end);
      return end;
    } finally {
      this.#end(kind === 'loaded' || kind === 'ready');
      if (kind === 'abandoned') this.#read.clear();
    }
  }

  /** Takes what the hooks tell. Gives the files that have changed already, where no load goes on. */
  take(notes: readonly CodeNote[]): readonly string[] {
    for (const note of notes) {
      if (note.kind === 'package') this.#packages.set(note.name, note.url);
      else if (note.kind === 'missing') this.#missing.push(note);
      else {
        this.#read.set(note.file, note);
        this.#files.add(note.file);
      }
    }
    if (this.#isLoading) return [];
    this.#findSettings();
    return notes.flatMap((note) => (note.kind === 'file' && !isAsRead(note) ? note.file : []));
  }

  /** These files have changed. @throws CompileError of one that cannot be compiled */
  expectSound(changes: readonly string[]): void {
    for (const file of changes) if (this.#files.has(file) || this.#read.has(file)) this.#see(file);
    if (changes.some((file) => this.isSetting(file))) {
      forgetSettings();
      forgetPackages();
      forgetCompiler();
    }
    for (const file of changes) {
      const { text } = readCode(file);
      const isShort = text.split('\n').every(({ length }) => length <= LONG);
      if (this.#files.has(file) && isCompiled(file) && isShort) compileFile(file, text);
    }
  }

  #begin(): void {
    const { envFiles, others = [] } = this.#options;
    this.#isLoading = true;
    if ([...this.#settings].some((file) => !this.isSeen(file))) forgetSettings();
    this.#read.clear();
    this.#packages.clear();
    this.#missing = [];
    this.#findSettings();
    for (const file of [...envFiles, ...others, ...this.#settings]) this.#see(file);
  }

  #end(isWhole: boolean): void {
    const { entryFile } = this.#options.project;
    this.#isLoading = false;
    if (isWhole)
      this.#files = new Set([
        entryFile,
        ...[...this.#read.keys()].filter((file) => this.#files.has(file)),
      ]);
    this.#findSettings();
  }

  #findSettings(): void {
    this.#settings = new Set(findBuildSettings(this.#files, this.#options.project.root));
  }

  #see(file: string): void {
    this.#read.set(file, readCode(file).read);
  }
}

/** The name of a file or an import without its extension; of an index that of its folder. */
function toStem(path: string): string {
  return basename(path.replace(/\.(?:[cm]?[jt]sx?|json)$/, '').replace(/[\\/]index$/, ''));
}

/**
 * Each package.json around the files, also in other packages of the workspace, each tsconfig.json with all that it
 * extends, and what says which packages are installed.
 */
function findBuildSettings(files: Iterable<string>, root: string): readonly string[] {
  const folders = new Set<string>();
  const settings = new Set<string>();
  for (const file of [join(root, 'package.json'), ...files]) {
    if (!folders.has(dirname(file))) for (const each of findSettingsFiles(file)) settings.add(each);
    for (let at = dirname(file); !folders.has(at); at = dirname(at)) {
      folders.add(at);
      if (dirname(at) === at || existsSync(join(at, '.git'))) break;
    }
  }
  const installed = INSTALLED.map((name) => join('node_modules', name));
  const around = [...folders].flatMap((folder) =>
    ['package.json', ...installed].map((name) => join(folder, name)),
  );
  const ofRoot = installed.map((name) => join(root, name));
  return [...new Set([...around.filter((file) => existsSync(file)), ...ofRoot, ...settings])];
}

/** Names of packages that are there for what they do when they are loaded, which has its place among the code. */
const ACTS =
  /^(?:auto|config|dotenv|env|init(?:ialize)?|instrument(?:ation)?|preload|register|setup|tracing)$/i;

/** The packages that may be loaded before the code, of those that it imports: URLs by their names. */
export function toPreloaded(packages: ReadonlyMap<string, string>): readonly string[] {
  return [...packages].flatMap(([name, url]) => {
    const isTried = name === 'capix' || name === 'zod';
    if (isTried || name.split(/[/._-]/).some((word) => ACTS.test(word)) || !url.startsWith('file:'))
      return [];
    const file = fileURLToPath(url);
    return isOfPackage(file) && !isCompiled(file) ? [url] : [];
  });
}
