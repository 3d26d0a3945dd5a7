import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import type { CheckedOptions } from '../rules/load-checked-manifest.ts';
import { isHeapKeptSmall } from '../terminal/keep-heap-small.ts';
import type { CodeInputs } from './code-inputs.ts';
import type { LoadFailure } from './load-failure.ts';
import { createLoadedCode } from './loaded-code.ts';
import { type LoaderChild, startLoaderChild } from './start-loader-child.ts';

export interface LoaderOptions extends CheckedOptions {
  /** Absolute paths of env files, read anew for each load. */
  readonly envFiles?: readonly string[] | undefined;
}

/** The time that a screen has to draw what was loaded, before the next load is prepared, milliseconds. */
const DRAWN_MS = 100;

/** Loads one project again and again, each time in a fresh process. */
export interface ProjectLoader {
  /**
   * Loads the files as they are now; of a large project the routes are there before the rest when it is first loaded.
   * What has not changed since the load before is the same object. One load at a time. Never rejects for what user code
   * does.
   */
  readonly load: (onOutline?: OnOutline) => Promise<LoadResult>;
  /** As `load`, but code that was loaded last is not loaded again: then the result is undefined. */
  readonly loadOther: (onOutline?: OnOutline) => Promise<LoadResult | undefined>;
  /** The files that the last load depends on, also where it failed. */
  readonly inputs: () => CodeInputs;
  /** Ends the processes; a load that runs is answered as failed. */
  readonly close: () => Promise<void>;
}

export type OnOutline = (manifest: Manifest) => void;

export type LoadResult = (
  | { readonly kind: 'loaded'; readonly manifest: Manifest }
  | { readonly kind: 'failed'; readonly failure: LoadFailure }
) & {
  /** The output of the code while it was loaded, free of escape sequences; the first 64 KiB. */
  readonly output: string;
};

/**
 * Starts a loader for a command that stays open. The next process waits with the compiler, and what it has compiled, so
 * that a load takes little more than the user's own code. No stale module, no leak, no output and no crash of user code
 * reaches this process.
 */
export function startProjectLoader(project: Project, { envFiles = [], ...options }: LoaderOptions = {}): ProjectLoader {
  const loaded = createLoadedCode({ project, envFiles });
  let child: LoaderChild | undefined = startLoaderChild(loaded.take);
  let isClosed = false;
  let manifest: Manifest | undefined;
  let preparing: NodeJS.Timeout | undefined;

  async function load(onOutline?: OnOutline): Promise<LoadResult> {
    clearTimeout(preparing);
    const { inputs } = loaded;
    const variables = loaded.begin();
    child ??= startLoaderChild(loaded.take);
    const answer = await child.load({ project, variables, isFirst: manifest === undefined, ...options }, (progress) => {
      if (progress.kind === 'outlined') onOutline?.(progress.manifest);
    });
    loaded.end(answer.kind === 'loaded');
    child.end();
    child = undefined;
    if (isClosed) return answer;
    if (!isHeapKeptSmall()) {
      const next = startLoaderChild(loaded.take);
      child = next;
      preparing = setTimeout(() => next.prepare({ files: [...inputs().files] }), DRAWN_MS).unref();
    }
    if (answer.kind === 'failed') return answer;
    manifest = keepEqual(manifest, answer.manifest);
    return { ...answer, manifest };
  }

  return {
    load,
    loadOther: async (onOutline) => (loaded.isSame() ? undefined : load(onOutline)),
    inputs: loaded.inputs,
    close: async () => {
      isClosed = true;
      clearTimeout(preparing);
      child?.end();
    },
  };
}

/** A manifest in which every part that is as in the one before is the same object: a path, a problem, a document. */
function keepEqual(before: Manifest | undefined, after: Manifest): Manifest {
  if (before === undefined) return after;
  return {
    ...after,
    document: keepDocument(before.document, after.document),
    keys: keepParts(before.keys, after.keys),
    problems: keepParts(before.problems, after.problems),
    published: after.published && keepDocument(before.published, after.published),
  };
}

type Document = Manifest['document'];

function keepDocument(before: Document | undefined, after: Document): Document {
  return before === undefined ? after : keepParts(before, { ...after, paths: keepParts(before.paths, after.paths) });
}

/** The parts of a list or an object. */
function keepParts<Whole extends object>(before: Whole, after: Whole): Whole {
  const known = new Map(Object.entries(before).map(([name, part]) => [name, part as unknown]));
  const parts = Object.entries(after).map(([name, part]: [string, unknown]) => {
    const same = known.get(name);
    return [name, same === part || JSON.stringify(same) === JSON.stringify(part) ? same : part] as const;
  });
  if (parts.length === known.size && parts.every(([name, part]) => part === known.get(name))) return before;
  return Array.isArray(after) ? (parts.map(([, part]) => part) as never) : (Object.fromEntries(parts) as Whole);
}
