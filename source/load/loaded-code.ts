import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Project } from '../manifest/project.ts';
import { type SeenChange, toSeenChange } from '../system/gather-changes.ts';
import { type Environment, readVariables, type Variables } from '../system/read-variables.ts';
import {
  type CodeInputs,
  findInstallTimes,
  isInstalled,
  type MissingImport,
  noInputs,
  toInputs,
} from './code-inputs.ts';
import { type CodeNote, isAsRead, type ReadFile, readCode } from './hooks/code-note.ts';
import { compileFile } from './hooks/compile.ts';
import { forgetSettings } from './hooks/compiler-options.ts';
import { findImported, forgetPackages, isCompiled } from './hooks/own-file.ts';

/** Facts about the code that was loaded last, in another process. */
export interface LoadedCode {
  readonly inputs: () => CodeInputs;
  /** The URLs of the packages that it imports, by the names that it imports them by. */
  readonly packages: () => ReadonlyMap<string, string>;
  /** It is loaded once more. Gives the variables of its env files. */
  readonly begin: () => Variables;
  /**
   * Takes what the hooks tell. After the load, gives the files that have changed since they were read: the system may
   * have told of that before.
   */
  readonly take: (notes: readonly CodeNote[]) => readonly SeenChange[];
  /** It was loaded, or not as a whole. Gives whether everything is still as it was read. */
  readonly end: (isWhole: boolean) => boolean;
  /** The last load came to no end, so that no code is the same. */
  readonly forget: () => void;
  /** Whether the files, packages and variables are now as in the last load. */
  readonly isSame: () => boolean;
  /** @throws CompileError of a file that was changed since the last call and cannot be compiled */
  readonly expectSound: () => void;
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

export function createLoadedCode(options: LoadedCodeOptions): LoadedCode {
  const { root, entryFile } = options.project;
  const none: CodeInputs = { ...noInputs, files: new Set([entryFile]) };
  const contents = createContents();
  /** The hashes of files that can be compiled. */
  const sound = new Map<string, string>();
  let inputs = none;
  let before = none;
  let settings = '';
  let packages = new Map<string, string>();
  let read = new Map<string, ReadFile>();
  let notes: CodeNote[] = [];
  let besides = '';
  let last: string | undefined;
  let isLoading = false;
  const toHash = (): string => contents.toHash(inputs) + besides;
  return {
    inputs: () => inputs,
    packages: () => packages,
    begin: () => {
      isLoading = true;
      const { variables, text } = readBesides(options, contents.of);
      besides = text;
      before = toInputs([], root, inputs);
      settings = contents.toSettingsHash(before);
      packages = new Map();
      read = new Map();
      notes = [];
      return variables;
    },
    take: (more) => {
      notes.push(...more);
      for (const note of more) {
        if (note.kind === 'file') read.set(note.file, contents.add(note));
        if (note.kind === 'package') packages.set(note.name, note.url);
      }
      inputs = toInputs(more, root, inputs);
      const stale = isLoading ? [] : more.filter((note) => note.kind === 'file').filter((note) => !isAsRead(note));
      if (stale.length > 0) last = undefined;
      return stale.map(({ file }) => toSeenChange(file));
    },
    end: (isWhole) => {
      isLoading = false;
      inputs = toInputs(notes, root, isWhole ? none : before);
      if (isWhole) for (const [file, { hash }] of read) sound.set(file, hash);
      const isAsItWas = contents.toSettingsHash(before) === settings && [...read.values()].every(isAsRead);
      last = isAsItWas && inputs.missing.every((each) => toFound(each) === '') ? toHash() : undefined;
      return last !== undefined;
    },
    forget: () => {
      last = undefined;
    },
    isSame: () => {
      besides = readBesides(options, contents.of).text;
      return toHash() === last;
    },
    expectSound: () => expectSound(inputs.files, sound, contents.of),
  };
}

/** The variables, and a text that is the same while they and the files that the code reads besides are. */
function readBesides(
  { envFiles, environment, others = new Set() }: LoadedCodeOptions,
  toHash: (file: string) => string,
): { readonly variables: Variables; readonly text: string } {
  const variables = readVariables(envFiles, environment);
  return { variables, text: JSON.stringify([variables, ...Array.from(others, (file) => [file, toHash(file)])]) };
}

/** `sound`: the hashes of files that can be compiled. */
function expectSound(files: ReadonlySet<string>, sound: Map<string, string>, toHash: (file: string) => string): void {
  forgetSettings();
  forgetPackages();
  for (const file of files) {
    if (!isCompiled(file) || sound.get(file) === toHash(file)) continue;
    const { read, text } = readCode(file);
    // The compiler ends its process where it has to draw an error so far to the right: that may be another one only.
    if (text.split('\n').some(({ length }) => length > LONG)) continue;
    compileFile(file, text);
    sound.set(file, read.hash);
  }
}

/** The number of characters of a line that is not drawn. */
const LONG = 50_000;

/** The hashes of files, each read again only where it has changed. */
function createContents() {
  const known = new Map<string, ReadFile>();
  const add = (read: ReadFile): ReadFile => {
    known.set(read.file, read);
    return read;
  };
  const of = (file: string): string => {
    const last = known.get(file);
    return (last !== undefined && isAsRead(last) ? last : add(readCode(file).read)).hash;
  };
  /** The hash of the files that say how code is compiled, and which packages there are. */
  const toSettingsHash = (inputs: CodeInputs): string => {
    const times = findInstallTimes(inputs).join(' ');
    return [...inputs.settings].map((file) => (isInstalled(file) ? times : `${file} ${of(file)}`)).join('\n');
  };
  const toHash = (inputs: CodeInputs): string => {
    const hash = createHash('sha1').update(toSettingsHash(inputs));
    for (const file of [...inputs.files].toSorted()) hash.update(`${file} ${of(file)}\n`);
    for (const each of inputs.missing) hash.update(`${toFound(each)}\n`);
    return hash.digest('base64');
  };
  return { add, of, toSettingsHash, toHash };
}

/** The file that an import would mean now; empty where there is still none. */
function toFound({ text, folder }: MissingImport): string {
  return findImported(text, join(folder, 'index.ts')) ?? '';
}
