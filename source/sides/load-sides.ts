import { existsSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { FACTS_VERSION } from '../document/facts.ts';
import { findDocumentFacts, readJobs, readOperations } from '../document/read-operations.ts';
import type { SchemaJson } from '../document/schema-json.ts';
import { expectOtherProject } from '../load/expect-project.ts';
import { LoadError } from '../load/load-failure.ts';
import { startProjectLoader } from '../load/start-project-loader.ts';
import { findContract, type Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { findStats } from '../system/paths.ts';
import { expectRef, type Ref } from './git/find-commit.ts';
import { createRefCopy } from './git/ref-copy.ts';
import { isOpenApi, readDocumentFile, readDocumentUrl } from './read-document.ts';

export interface ContractSide {
  readonly label: string;
  /** A side that is read and not run has its contract, and nothing of a project. */
  readonly manifest: Manifest;
}

export interface LoadSideOptions {
  /** The project that is compared; a ref is read as its history. */
  readonly project: Project;
  /** Absolute path that files are relative to. */
  readonly workingDirectory: string;
  /** The env files of a project at an absolute path, as absolute paths. */
  readonly toEnvFiles: (root: string) => readonly string[];
  /** Aborted when the user wants no answer any more: the processes are ended. */
  readonly signal?: AbortSignal | undefined;
  /** Gets what code printed while it was loaded, free of escape sequences. @default nobody */
  readonly onOutput?: ((output: string) => void) | undefined;
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
 * Loads a side of a comparison by its name: a URL, a file, a git ref, or a folder of a ref, as `main:services/api`. A
 * document is read, and code runs in a process of its own. A folder that is called as a branch is passed over.
 *
 * @throws CliError `UnknownSide`, `InvalidDocument`, `NoDocument`, `RefFailed`, `InvalidRoutes`, and what
 * keeps code from loading
 */
export async function loadSide(label: string, options: LoadSideOptions): Promise<ContractSide> {
  const manifest = await load(label, options);
  const document = findContract(manifest);
  if (document === undefined)
    throw createCliError('InvalidRoutes', { reason: `The routes of ${label} clash.` });
  if (readOperations(document).length + readJobs(document).length === 0)
    throw createCliError('InvalidDocument', {
      side: label,
      reason: 'has no capabilities to compare',
    });
  return { label, manifest };
}

async function load(label: string, options: LoadSideOptions): Promise<Manifest> {
  if (/^https?:\/\//i.test(label)) return toManifest(await readDocumentUrl(label), label);
  const { root } = options.project;
  const file = resolve(options.workingDirectory, label);
  if (findStats(file)?.isFile() !== true)
    return loadRef(await expectRef(label, root, existsSync(file)), options);
  if (!/\.(json|ya?ml)$/i.test(file)) return loadCode(expectOtherProject(file, root), options);
  return toManifest(await readDocumentFile(file, label), label);
}

function toManifest(document: SchemaJson, label: string): Manifest {
  const { version } = findDocumentFacts(document) ?? { version: FACTS_VERSION };
  const toInvalid = (reason: string) => createCliError('InvalidDocument', { side: label, reason });
  if ('capixLock' in document || version !== FACTS_VERSION)
    throw toInvalid(
      'is a lock file that another version of capix wrote: run `capix lock` to write it again',
    );
  if (!isOpenApi(document)) throw toInvalid('is neither an OpenAPI 3 document nor a lock file');
  const project = { name: label, root: '', config: label };
  return {
    project,
    document: document as unknown as Manifest['document'],
    keys: [],
    problems: [],
    files: [],
  };
}

async function loadCode(
  project: Project,
  { toEnvFiles, signal, onOutput }: LoadSideOptions,
  envRoot = project.root,
): Promise<Manifest> {
  signal?.throwIfAborted();
  const loader = startProjectLoader(project, {
    envFiles: toEnvFiles(envRoot),
    onOutput,
    hasProblems: false,
  });
  signal?.addEventListener('abort', loader.close, { once: true });
  try {
    const answer = await loader.load();
    signal?.throwIfAborted();
    if (answer.kind === 'failed') throw new LoadError(answer.failure);
    return answer.manifest;
  } finally {
    signal?.removeEventListener('abort', loader.close);
    loader.close();
  }
}

async function loadRef(ref: Ref, options: LoadSideOptions): Promise<Manifest> {
  const { root, entryFile } = options.project;
  const file = relative(root, entryFile).replaceAll('\\', '/');
  const copy = await createRefCopy({ ...ref, root, signal: options.signal });
  try {
    const then = { root: copy.root, name: ref.label, entryFile: join(copy.root, file) };
    if (existsSync(then.entryFile)) return await loadCode(then, options, root);
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw createCliError('RefFailed', { ref: ref.label, reason }, { cause: error });
  } finally {
    await copy.remove();
  }
  const reason = `there is no ${posix.join(copy.prefix, file)}.`;
  const hint = 'Where the project was in another folder, name that too: `main:services/api`.';
  throw createCliError('RefFailed', { ref: ref.label, reason }, { hint });
}
