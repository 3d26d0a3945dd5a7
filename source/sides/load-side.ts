import { join, relative } from 'node:path';
import { CliError, createCliError } from '../cli/errors/cli-error.ts';
import { expectOtherProject, readProjectName } from '../load/expect-project.ts';
import { loadProjectRegistry } from '../load/load-registry.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { expectCapabilities } from './expect-capabilities.ts';
import { createRefCopy } from './git/ref-copy.ts';
import { loadDocumentSide } from './load-document-side.ts';
import type { SideSource } from './side-source.ts';

/** One of two contracts that are compared. */
export interface ContractSide {
  /** As it was named. */
  readonly label: string;
  readonly manifest: Manifest;
  /** Whether it says no more than an OpenAPI document can. */
  readonly isDocument: boolean;
}

export interface LoadSideOptions {
  /** The project that is compared; a ref is read as its history. */
  readonly project: Project;
  /** The env files of a project at an absolute path, as absolute paths. */
  readonly toEnvFiles: (root: string) => readonly string[];
  /** Aborted when the user wants no answer any more. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a project is loaded with its OpenAPI document, which a comparison with another document needs. @default false */
  readonly withDocument?: boolean;
}

/**
 * Loads two sides of a comparison. Documents are read first: only a comparison with one needs the document of a project.
 *
 * @throws CliError as `loadSide` does
 */
export async function loadSides(
  [before, after]: readonly [SideSource, SideSource],
  options: Omit<LoadSideOptions, 'withDocument'>,
): Promise<readonly [ContractSide, ContractSide]> {
  const isProject = ({ kind }: SideSource): boolean => kind === 'config' || kind === 'ref';
  if (isProject(before) && !isProject(after)) {
    const second = await loadSide(after, options);
    return [await loadSide(before, { ...options, withDocument: second.isDocument }), second];
  }
  const first = await loadSide(before, options);
  return [first, await loadSide(after, { ...options, withDocument: first.isDocument })];
}

/**
 * Loads a side of a comparison.
 *
 * @throws CliError `EmptySide` where it has no capabilities, and what loading it throws
 */
export async function loadSide(source: SideSource, options: LoadSideOptions): Promise<ContractSide> {
  const side = await load(source, options);
  expectCapabilities(side.manifest, source.label);
  return side;
}

async function load(source: SideSource, options: LoadSideOptions): Promise<ContractSide> {
  const { label } = source;
  switch (source.kind) {
    case 'config': {
      const project = expectOtherProject(source.file, options.project.root);
      const envFiles = options.toEnvFiles(project.root);
      return { label, manifest: await loadProject(project, envFiles, options), isDocument: false };
    }
    case 'file':
    case 'url':
      return loadDocumentSide(source);
    case 'ref':
      return { label, manifest: await loadRef(source, options), isDocument: false };
  }
}

async function loadProject(
  project: Project,
  envFiles: readonly string[],
  { withDocument = false }: LoadSideOptions,
): Promise<Manifest> {
  const registry = await loadProjectRegistry(project, envFiles, { withFaults: true });
  return loadManifest(registry, { detail: 'contract', ...(withDocument ? { document: {} } : {}) });
}

type Ref = Extract<SideSource, { readonly kind: 'ref' }>;

/** A project that imports from beside itself is read once more, with all of its repository. */
async function loadRef(ref: Ref, options: LoadSideOptions): Promise<Manifest> {
  try {
    return await loadCopy(ref, options, false);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    try {
      return await loadCopy(ref, options, true);
    } catch {
      throw createCliError('RefFailed', { ref: ref.label, reason: error.message }, { cause: error });
    }
  }
}

async function loadCopy({ commit }: Ref, options: LoadSideOptions, isWhole: boolean): Promise<Manifest> {
  const { project, signal } = options;
  const copy = await createRefCopy({ root: project.root, commit, isWhole, signal });
  try {
    // A load that was begun here would go on without its files, and end the process with their absence.
    signal?.throwIfAborted();
    const entryFile = join(copy.root, relative(project.root, project.entryFile));
    const then = { root: copy.root, name: readProjectName(copy.root), entryFile };
    return await untilAborted(loadProject(then, options.toEnvFiles(project.root), options), signal);
  } finally {
    await copy.remove();
  }
}

/** Rejects as soon as the signal is aborted, whatever still runs. The signal is not aborted yet. */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, aborted]);
}
