import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { readJobs, readOperations } from '../document/operations/read-operations.ts';
import { expectOtherProject, findProjectRoot } from '../load/expect-project.ts';
import { findContract, type Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { findStats, isInside } from '../system/paths.ts';
import { findBlob } from './git/find-blob.ts';
import { expectRef, isInHistory, type Ref } from './git/find-commit.ts';
import { loadCode, loadRef } from './load-ref.ts';
import { type LockedDocument, readLock, readLockOfRef } from './locked-side.ts';
import { readDocumentBlob, readDocumentFile, readDocumentUrl } from './read-document.ts';
import type { WholeDocument } from './references/follow-references.ts';
import type { LoadedSide, LoadSideOptions } from './side-options.ts';

export interface ContractSide extends LoadedSide {
  readonly label: string;
}

/** Loads sides of a comparison at the same time; the first that fails ends the others. Throws as `loadSide` does. */
export async function loadSides(
  labels: readonly string[],
  options: LoadSideOptions,
): Promise<readonly ContractSide[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([
    stop.signal,
    ...(options.signal === undefined ? [] : [options.signal]),
  ]);
  const loads = labels.map((label) => loadSide(label, { ...options, signal }));
  try {
    return await Promise.all(loads);
  } catch (error) {
    stop.abort();
    await Promise.allSettled(loads);
    throw error;
  }
}

/**
 * Loads a side of a comparison by its name: a URL, a file, a git ref, a folder of a ref, as `main:services/api`, or a
 * document of one, as `main:openapi.json`. A document is read, and code runs in a process of its own. Where a folder
 * has the name of a branch, the branch is meant.
 *
 * @throws CliError `UnknownSide`, `InvalidDocument`, `NoDocument`, `NoLock`, `RefFailed`, `InvalidRoutes`, and what
 * keeps code from loading
 */
export async function loadSide(label: string, options: LoadSideOptions): Promise<ContractSide> {
  const side = await load(label, options);
  const document = findContract(side.manifest);
  if (document === undefined) throw createClashError(label);
  if (readOperations(document).length + readJobs(document).length === 0)
    throw createCliError('InvalidDocument', {
      side: label,
      reason: 'has no capabilities to compare',
    });
  return { label, ...side };
}

/** No server starts with the routes of a side, so it has no contract to compare. */
export function createClashError(label: string): Error {
  return createCliError('InvalidRoutes', { reason: `The routes of ${label} clash.` });
}

/** A file of this name is code, and every other one a document, whatever it is called. */
const CODE = /\.[cm]?[jt]sx?$/i;

async function load(label: string, options: LoadSideOptions): Promise<LoadedSide> {
  if (/^https?:\/\//i.test(label)) return toSide(await readDocumentUrl(label, options), label);
  const file = resolve(options.workingDirectory, label);
  const stats = findStats(file);
  // A shell's `<(…)` is not a regular file.
  if (stats !== undefined && !stats.isDirectory())
    return CODE.test(file)
      ? loadCodeFile(file, label, options)
      : toSide(await readDocumentFile(file, label, options), label);
  const { root } = options.project;
  return loadCommit(await expectRef(label, root, existsSync(file)), options);
}

async function loadCodeFile(
  file: string,
  label: string,
  options: LoadSideOptions,
): Promise<LoadedSide> {
  if (options.runsCode === false) {
    const root = findProjectRoot(dirname(file)) ?? options.project.root;
    return toSide(await readLock(root, label, options), label);
  }
  const project = toComparedProject(file, options.project.root);
  const manifest = await loadCode(project, options, {
    envFiles: options.toEnvFiles(project.root),
  });
  return { manifest, notes: [], unread: [] };
}

/**
 * The project of a file of code. Sources without a package.json of their own belong to the project that compares them,
 * and their files are named from there: a copy in `old/src` has other names than those in `src`.
 */
function toComparedProject(file: string, comparing: string): Project {
  const project = expectOtherProject(file, comparing);
  const isPackage = existsSync(join(project.root, 'package.json'));
  return isPackage || !isInside(project.root, comparing)
    ? project
    : { ...project, root: comparing };
}

async function loadCommit(ref: Ref, options: LoadSideOptions): Promise<LoadedSide> {
  const blob = await findBlob(ref, options);
  if (blob !== undefined) {
    if (!CODE.test(ref.folder ?? ''))
      return toSide(await readDocumentBlob(blob, ref.label, options), ref.label);
    const reason = 'is a file of code: name the folder of its project, `main:services/api`';
    throw createCliError('InvalidDocument', { side: ref.label, reason });
  }
  const isElsewhere = !(await isInHistory(ref.commit, options.project.root));
  const side =
    options.runsCode === false
      ? toSide(await readLockOfRef(ref, options), ref.label)
      : await loadRef({ ...ref, isElsewhere }, options);
  return { ...side, isElsewhere };
}

function toSide(
  { document, unread, notes = [] }: WholeDocument & Partial<LockedDocument>,
  label: string,
): LoadedSide {
  const project = { name: label, root: '', config: label };
  const manifest: Manifest = {
    project,
    // A document of others may lack parts of it: whoever reads one looks at what is there.
    document: document as unknown as Manifest['document'],
    keys: [],
    problems: [],
    files: [],
  };
  return { manifest, notes, unread };
}
