import { join, relative } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { FACTS_VERSION } from '../document/facts.ts';
import { findDocumentFacts, readJobs, readOperations } from '../document/read-operations.ts';
import type { SchemaJson } from '../document/schema-json.ts';
import { expectOtherProject } from '../load/expect-project.ts';
import { toLoadError } from '../load/load-failure.ts';
import { startProjectLoader } from '../load/start-project-loader.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { findContract } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { createRefCopy, expectInRef } from './git/ref-copy.ts';
import { isOldLock } from './lock-file.ts';
import { isOpenApi, readDocumentFile, readDocumentUrl } from './read-document.ts';
import type { SideSource } from './side-source.ts';

/** One of two contracts that are compared. */
export interface ContractSide {
  /** As it was named. */
  readonly label: string;
  /** A side that is read and not run has its contract, and nothing of a project. */
  readonly manifest: Manifest;
}

export interface LoadSideOptions {
  /** The project that is compared; a ref is read as its history. */
  readonly project: Project;
  /** The env files of a project at an absolute path, as absolute paths. */
  readonly toEnvFiles: (root: string) => readonly string[];
  /** Aborted when the user wants no answer any more: the processes are ended. */
  readonly signal?: AbortSignal | undefined;
  /** Gets what code printed while it was loaded, free of escape sequences. @default nobody */
  readonly onOutput?: ((output: string) => void) | undefined;
}

/**
 * Loads sides of a comparison at the same time. Documents are read, and code runs in processes of its own.
 *
 * @throws CliError as `loadSide` does, of the first that fails
 */
export async function loadSides(
  sources: readonly SideSource[],
  options: LoadSideOptions,
): Promise<readonly ContractSide[]> {
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const loads = sources.map((source) => loadSide(source, { ...options, signal }));
  try {
    return await Promise.all(loads);
  } catch (error) {
    stop.abort();
    await Promise.allSettled(loads);
    throw error;
  }
}

/**
 * Loads a side of a comparison.
 *
 * @throws CliError `EmptySide`, `InvalidDocument`, `NoDocument`, `NoProject`, `RefFailed`, `InvalidRoutes`, and what
 * keeps code from loading
 */
export async function loadSide(source: SideSource, options: LoadSideOptions): Promise<ContractSide> {
  const { label } = source;
  const manifest = await load(source, options);
  const document = findContract(manifest);
  if (document === undefined) throw createCliError('InvalidRoutes', { reason: `The routes of ${label} clash.` });
  const count = readOperations(document).length + readJobs(document).length;
  if (count === 0) throw createCliError('EmptySide', { side: label });
  return { label, manifest };
}

async function load(source: SideSource, options: LoadSideOptions): Promise<Manifest> {
  switch (source.kind) {
    case 'file':
      return toManifest(expectDocument(await readDocumentFile(source.file, source.label), source.label), source.label);
    case 'url':
      return toManifest(await readDocumentUrl(source.url), source.label);
    case 'config': {
      const project = expectOtherProject(source.file, options.project.root);
      return loadCode(project, options.toEnvFiles(project.root), options);
    }
    case 'ref':
      return loadRef(source, options);
  }
}

function toManifest(document: SchemaJson, label: string): Manifest {
  const project = { name: label, root: '', config: label };
  return { project, document: document as unknown as Manifest['document'], keys: [], problems: [], files: [] };
}

function expectDocument(document: SchemaJson, side: string): SchemaJson {
  const { version } = findDocumentFacts(document) ?? { version: FACTS_VERSION };
  if (isOldLock(document) || version !== FACTS_VERSION) {
    const reason = 'is a lock file that another version of capix wrote: run `capix lock` to write it again';
    throw createCliError('InvalidDocument', { side, reason });
  }
  if (isOpenApi(document)) return document;
  throw createCliError('InvalidDocument', { side, reason: 'is neither an OpenAPI 3 document nor a lock file' });
}

async function loadCode(
  project: Project,
  envFiles: readonly string[],
  { signal, onOutput }: LoadSideOptions,
): Promise<Manifest> {
  signal?.throwIfAborted();
  const loader = startProjectLoader(project, { envFiles, onOutput, hasProblems: false });
  signal?.addEventListener('abort', loader.close, { once: true });
  try {
    const answer = await loader.load();
    signal?.throwIfAborted();
    if (answer.kind === 'failed') throw toLoadError(answer.failure);
    return answer.manifest;
  } finally {
    signal?.removeEventListener('abort', loader.close);
    loader.close();
  }
}

type Ref = Extract<SideSource, { readonly kind: 'ref' }>;

/** A project that imports from beside itself is read once more, with all of its repository. */
async function loadRef(ref: Ref, options: LoadSideOptions): Promise<Manifest> {
  await expectInRef(ref, options.project);
  let failed: unknown;
  for (const isWhole of [false, true]) {
    try {
      return await loadCopy(ref, options, isWhole);
    } catch (error) {
      options.signal?.throwIfAborted();
      failed ??= error;
    }
  }
  const reason = failed instanceof Error ? failed.message : String(failed);
  throw createCliError('RefFailed', { ref: ref.label, reason }, { cause: failed });
}

async function loadCopy({ commit, folder, label }: Ref, options: LoadSideOptions, isWhole: boolean): Promise<Manifest> {
  const { project, signal } = options;
  const copy = await createRefCopy({ root: project.root, commit, folder, isWhole, signal });
  try {
    const entryFile = join(copy.root, relative(project.root, project.entryFile));
    const then = { root: copy.root, name: label, entryFile };
    return await loadCode(then, options.toEnvFiles(project.root), options);
  } finally {
    await copy.remove();
  }
}
