import { existsSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { looksSecret } from '../../server-runtime/schema/received.ts';
import { createCliError } from '../cli/cli-error.ts';
import { LoadError } from '../load/load-failure.ts';
import { type LoaderOptions, startProjectLoader } from '../load/start-project-loader.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { hasPlugAndPlay } from '../system/own-process-id.ts';
import { findVariables } from '../system/read-variables.ts';
import { terminal } from '../terminal/terminal.ts';
import { toFirstNames } from '../values/count.ts';
import type { Ref } from './git/find-commit.ts';
import { createRefCopy, type RefCopy } from './git/ref-copy.ts';
import type { Unread } from './references/unread.ts';
import type { LoadedSide, LoadSideOptions } from './side-options.ts';

interface KnownRef extends Ref {
  /** Whether its commit is not in the history of what is checked out. */
  readonly isElsewhere: boolean;
}

/**
 * Runs the code of a commit with the packages that are installed now. A commit in the history of HEAD has run here
 * before, so its code gets the env files and the environment. The code of another commit may be a stranger's, and gets
 * neither env files nor secrets.
 *
 * @throws CliError `RefFailed`, and the reason of `signal` once it is aborted
 */
export async function loadRef(ref: KnownRef, options: LoadSideOptions): Promise<LoadedSide> {
  const { root, entryFile } = options.project;
  const file = relative(root, entryFile).replaceAll('\\', '/');
  const isTrusted = options.givesEnv === true || !ref.isElsewhere;
  const surroundings = toSurroundings(options.toEnvFiles(root), isTrusted);
  const copy = await createRefCopy({ ...ref, root, signal: options.signal });
  try {
    const project = { root: copy.root, name: ref.label, entryFile: join(copy.root, file) };
    if (existsSync(project.entryFile)) {
      const manifest = await loadCode(project, options, {
        ...surroundings,
        copied: hasPlugAndPlay ? copy.folders : undefined,
      });
      return { manifest, notes: copy.notes, unread: copy.builds.map(toUnreadBuild) };
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const hint = toHint(copy, surroundings.withheld);
    throw createCliError('RefFailed', { ref: ref.label, reason }, { hint, cause: error });
  } finally {
    await copy.remove();
  }
  const reason = `there is no ${posix.join(copy.prefix, file)}.`;
  const hint = 'Where the project was in another folder, name that too: `main:services/api`.';
  throw createCliError('RefFailed', { ref: ref.label, reason }, { hint });
}

function toUnreadBuild(place: string): Unread {
  const reason = 'git does not have it, so that the present one is read';
  return { place, keyword: 'build', count: 1, reason };
}

interface Surroundings {
  readonly envFiles: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The names of variables that the code did not get. */
  readonly withheld: readonly string[];
}

/**
 * The env files and variables for the code. A stranger's gets no env file, and no variable whose name looks like a
 * secret's.
 */
function toSurroundings(envFiles: readonly string[], isTrusted: boolean): Surroundings {
  const { environment } = terminal;
  if (isTrusted) return { envFiles, environment, withheld: [] };
  const ofFiles = envFiles.flatMap((file) => Object.keys(findVariables(file) ?? {}));
  const entries = Object.entries(environment);
  const secrets = entries.flatMap(([name]) => (isWithheld(name) ? name : []));
  return {
    envFiles: [],
    environment: Object.fromEntries(entries.filter(([name]) => !isWithheld(name))),
    withheld: [...new Set([...ofFiles, ...secrets])],
  };
}

/** `PWD`, the working directory, looks like a password. */
function isWithheld(name: string): boolean {
  return looksSecret(name) && !/^(OLD)?PWD$/.test(name);
}

/** The most names of variables that a hint lists. */
const MAX_NAMES = 5;

function toHint({ notes }: RefCopy, withheld: readonly string[]): string {
  const lines = [...notes, 'The code of a ref is loaded with the present packages.'];
  if (withheld.length === 0) return lines.join('\n');
  return [
    ...lines,
    'HEAD does not have this commit in its history, so its code got neither env files nor secrets ' +
      `(${toFirstNames(withheld, MAX_NAMES)}): --env gives them, if you trust it.`,
  ].join('\n');
}

/**
 * Loads the code of a project in a process of its own.
 *
 * @throws LoadError, and the reason of `signal` once it is aborted
 */
export async function loadCode(
  project: Project,
  { signal, onOutput }: Pick<LoadSideOptions, 'signal' | 'onOutput'>,
  options: Pick<LoaderOptions, 'envFiles' | 'environment' | 'copied'>,
): Promise<Manifest> {
  signal?.throwIfAborted();
  const loader = startProjectLoader(project, { ...options, onOutput, hasProblems: false });
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
