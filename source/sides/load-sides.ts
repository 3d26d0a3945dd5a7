import { join, relative } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { FACTS_VERSION } from '../document/facts.ts';
import { findDocumentFacts, readJobs, readOperations } from '../document/read-operations.ts';
import { expectOtherProject } from '../load/expect-project.ts';
import { toLoadError } from '../load/load-failure.ts';
import { startProjectLoader } from '../load/start-project-loader.ts';
import { findContract, type Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { createRefCopy, expectInRef } from './git/ref-copy.ts';
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
  const signal = AbortSignal.any([stop.signal, ...(options.signal === undefined ? [] : [options.signal])]);
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
  if (readOperations(document).length + readJobs(document).length === 0)
    throw createCliError('EmptySide', { side: label });
  return { label, manifest };
}

async function load(source: SideSource, options: LoadSideOptions): Promise<Manifest> {
  if (source.kind === 'config') return loadCode(expectOtherProject(source.file, options.project.root), options);
  if (source.kind === 'ref') return loadRef(source, options);
  const { label } = source;
  const document =
    source.kind === 'url' ? await readDocumentUrl(source.url) : await readDocumentFile(source.file, label);
  const { version } = findDocumentFacts(document) ?? { version: FACTS_VERSION };
  const toInvalid = (reason: string) => createCliError('InvalidDocument', { side: label, reason });
  if ('capixLock' in document || version !== FACTS_VERSION)
    throw toInvalid('is a lock file that another version of capix wrote: run `capix lock` to write it again');
  if (!isOpenApi(document)) throw toInvalid('is neither an OpenAPI 3 document nor a lock file');
  const project = { name: label, root: '', config: label };
  return { project, document: document as unknown as Manifest['document'], keys: [], problems: [], files: [] };
}

async function loadCode(
  project: Project,
  { toEnvFiles, signal, onOutput }: LoadSideOptions,
  envRoot = project.root,
): Promise<Manifest> {
  signal?.throwIfAborted();
  const loader = startProjectLoader(project, { envFiles: toEnvFiles(envRoot), onOutput, hasProblems: false });
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
  try {
    return await loadCopy(ref, options, false);
  } catch (error) {
    options.signal?.throwIfAborted();
    return loadCopy(ref, options, true).catch(() => {
      options.signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw createCliError('RefFailed', { ref: ref.label, reason }, { cause: error });
    });
  }
}

async function loadCopy({ commit, folder, label }: Ref, options: LoadSideOptions, isWhole: boolean): Promise<Manifest> {
  const { root, entryFile } = options.project;
  const copy = await createRefCopy({ root, commit, folder, isWhole, signal: options.signal });
  try {
    const then = { root: copy.root, name: label, entryFile: join(copy.root, relative(root, entryFile)) };
    return await loadCode(then, options, root);
  } finally {
    await copy.remove();
  }
}
