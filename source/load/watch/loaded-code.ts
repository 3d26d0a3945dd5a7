import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SeenChange } from '../../system/watch/gather-changes.ts';
import { type CodeNote, isAsRead, type ReadFile, readCode } from '../hooks/code-note.ts';
import { compileFile } from '../hooks/compile.ts';
import { forgetSettings } from '../hooks/compiler-options.ts';
import { findImported } from '../hooks/find-file.ts';
import { forgetPackages, isCompiled } from '../hooks/own-file.ts';
import {
  type CodeInputs,
  findInstallTimes,
  isInstalled,
  type MissingImport,
  noInputs,
  toInputs,
} from './code-inputs.ts';

/** Facts about the code that was loaded last, in another process. */
export interface LoadedCode {
  readonly inputs: () => CodeInputs;
  /** The URLs of the packages that it imports, by the names that it imports them by. */
  readonly packages: () => ReadonlyMap<string, string>;
  /** It is loaded once more. */
  readonly begin: () => void;
  /** Takes what the hooks tell. */
  readonly take: (notes: readonly CodeNote[]) => void;
  /** It was loaded, or not as a whole. */
  readonly end: (isWhole: boolean) => void;
  /** The same while its files and packages, as they are now, are the same. */
  readonly toHash: () => string;
  /** As `toHash`, of the files as read; undefined where one has changed since, or an import would be found now. */
  readonly toReadHash: () => string | undefined;
  /** @throws CompileError of a file that was changed since the last call and cannot be compiled */
  readonly expectSound: () => void;
}

/** `entry`: the absolute path of the file that is loaded. */
export function createLoadedCode(root: string, entry: string): LoadedCode {
  const none: CodeInputs = { ...noInputs, files: new Set([entry]) };
  const contents = createContents();
  /** The hashes of files that can be compiled. */
  const sound = new Map<string, string>();
  let inputs = none;
  let before = none;
  let settings = '';
  let packages = new Map<string, string>();
  let read = new Map<string, ReadFile>();
  let notes: CodeNote[] = [];
  return {
    inputs: () => inputs,
    packages: () => packages,
    begin: () => {
      before = toInputs([], root, inputs);
      settings = contents.toSettingsHash(before);
      packages = new Map();
      read = new Map();
      notes = [];
    },
    take: (more) => {
      notes.push(...more);
      for (const note of more) {
        if (note.kind === 'file') read.set(note.file, contents.add(note));
        if (note.kind === 'package') packages.set(note.name, note.url);
      }
      inputs = toInputs(more, root, inputs);
    },
    end: (isWhole) => {
      inputs = toInputs(notes, root, isWhole ? none : before);
      if (isWhole) for (const [file, { hash }] of read) sound.set(file, hash);
    },
    toHash: () => contents.toHash(inputs),
    toReadHash: () => {
      const isSame = contents.toSettingsHash(before) === settings && [...read.values()].every(isAsRead);
      return isSame && inputs.missing.every((each) => toFound(each) === '') ? contents.toHash(inputs) : undefined;
    },
    expectSound: () => {
      forgetSettings();
      forgetPackages();
      for (const file of inputs.files) {
        if (!isCompiled(file) || sound.get(file) === contents.of(file)) continue;
        const { read: found, text } = readCode(file);
        // The compiler ends its process where it has to draw an error so far to the right: that may be another one
        // only.
        if (text.split('\n').some(({ length }) => length > LONG)) continue;
        compileFile(file, text);
        sound.set(file, found.hash);
      }
    },
  };
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

/** The files that have changed since they were read: the system may have told of that before the hooks did. */
export function toStaleChanges(notes: readonly CodeNote[]): readonly SeenChange[] {
  return notes.flatMap((note) =>
    note.kind === 'file' && !isAsRead(note) ? { file: note.file, at: performance.now(), changedAt: undefined } : [],
  );
}
