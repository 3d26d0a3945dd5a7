import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { packageInfo } from '../../../package-info.ts';
import { isOwnFile } from '../../../system/paths/is-own-file.ts';
import { replaceFile } from '../../../system/paths/replace-file.ts';
import type { BundledUserCode } from '../bundle-user-code.ts';
import { findModulesFolder } from '../find-modules-folder.ts';
import { type Evidence, isUnchangedSince, toEvidenceDigest } from './evidence.ts';
import type { ProgramPlace } from './find-evidence.ts';

/** A bundle that was made earlier, and would be made the same now. */
export interface KeptProgram extends Omit<BundledUserCode, 'outFile'> {
  /** The code of its modules by the names of their files, that of the entry first; by `ONLY` where it is one module. */
  readonly modules: ReadonlyMap<string, Uint8Array>;
}

/** The name of a module that lies where bundles do. Programs of several have a folder there. */
export const ONLY = '';

/** The place of the bundle of an entry, `<node_modules>/.cache/capix/programs/<hash>`, and who may use it. */
export interface KeptFile {
  /** Absolute path. */
  readonly path: string;
  /** The same for the same tool, the same entry and the same place of the bundle. */
  readonly key: string;
}

interface Note extends Omit<BundledUserCode, 'outFile'> {
  readonly key: string;
  readonly evidence: readonly Evidence[];
  readonly digest: string;
  /** The names of the modules, and the numbers of their bytes, which follow the note in this order. */
  readonly sizes: readonly (readonly [name: string, size: number])[];
}

/** Programs that were saved so shortly before a build, in milliseconds, may have been saved during it: file systems count in steps, of up to 2 s. */
const SETTLED_MS = 2_000;

/**
 * Finds the file for the bundle of an entry: one beside the packages of the project, so that it goes with them. Undefined where there are none, or they are
 * those of another project, which would keep a bundle of each copy of this one. `folder`: absolute path of the folder that bundles lie in.
 */
export function findKeptFile({ entry, root }: ProgramPlace, folder: string): KeptFile | undefined {
  const modules = findModulesFolder(root);
  if (modules === undefined) return undefined;
  try {
    const real = realpathSync(modules);
    if (!realpathSync(entry).startsWith(`${dirname(real)}${sep}`) || !folder.startsWith(`${real}${sep}`))
      return undefined;
    const name = createHash('sha256').update(entry).digest('hex').slice(0, 16);
    const built = statSync(import.meta.filename).mtimeMs;
    const key = [packageInfo.version, built, entry, root, folder].join('\n');
    return { path: join(real, '.cache', 'capix', 'programs', name), key };
  } catch {
    return undefined;
  }
}

/** Undefined where none was kept, or something has changed since. */
export function readKept({ path, key }: KeptFile): KeptProgram | undefined {
  try {
    // What is kept is run: it must be of this user.
    if (!isOwnFile(path)) return undefined;
    const content = readFileSync(path);
    const end = content.indexOf('\n');
    const note = JSON.parse(content.toString('utf8', 0, end)) as Note;
    if (note.key !== key || note.digest !== toEvidenceDigest(note.evidence)) return undefined;
    const modules = toModules(content.subarray(end + 1), note);
    return modules && { modules, files: note.files, isCommonJs: note.isCommonJs };
  } catch {
    return undefined;
  }
}

/** Undefined where a part is missing. */
function toModules(content: Buffer, { sizes }: Note): KeptProgram['modules'] | undefined {
  let end = 0;
  const modules = new Map(
    sizes.map(([name, size]) => {
      const start = end;
      end += size;
      return [name, content.subarray(start, end)];
    }),
  );
  return end === content.length ? modules : undefined;
}

export interface ProgramToKeep extends KeptProgram {
  readonly evidence: readonly Evidence[];
  /** Before the build began, milliseconds since 1970 by the clock of the file system. */
  readonly begunAt: number;
}

/** Keeps a bundle in place of the one before. Not where something changed shortly before the build, or during it: the bundle may be of what was there before. */
export async function keepProgram(
  { path, key }: KeptFile,
  { modules, evidence, begunAt, ...bundle }: ProgramToKeep,
): Promise<void> {
  const draft = `${path}-${randomUUID()}`;
  try {
    const digest = toEvidenceDigest(evidence);
    if (!isUnchangedSince(evidence, begunAt - SETTLED_MS)) return;
    const sizes = [...modules].map(([name, code]) => [name, code.length] as const);
    const note: Note = { key, evidence, digest, sizes, ...bundle };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, Buffer.concat([Buffer.from(`${JSON.stringify(note)}\n`), ...modules.values()]));
    await replaceFile(draft, path);
  } catch {
    // It is built again next time. A part of it would keep a full disk full.
    rmSync(draft, { force: true });
  }
}
