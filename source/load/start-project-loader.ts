import { withCompileCache } from '../cli/enable-compile-cache.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { compiledFile } from '../package-root.ts';
import type { CheckedOptions } from '../rules/load-checked-manifest.ts';
import { type ChildChannel, ChildEnded, startChild } from '../system/child-channel.ts';
import type { Variables } from '../system/read-variables.ts';
import { isHeapKeptSmall } from '../terminal/keep-heap-small.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { terminal } from '../terminal/terminal.ts';
import type { CodeNote, HooksOrder } from './hooks/code-note.ts';
import { type LoadFailure, toEndedFailure } from './load-failure.ts';
import { createLoadedCode, type LoadedCode } from './loaded-code.ts';

export interface LoaderOptions extends CheckedOptions {
  /** Absolute paths of env files, read anew for each load. */
  readonly envFiles?: readonly string[] | undefined;
  /** Gets what the code prints, free of escape sequences. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** Loads one project again and again, each time in a fresh process. */
export interface ProjectLoader {
  /**
   * Loads the files as they are now; of a large project the routes are there before the rest when it is first loaded.
   * What has not changed since the load before is the same object. One load at a time. Never rejects for what user code
   * does.
   */
  readonly load: (onOutline?: (manifest: Manifest) => void) => Promise<LoadResult>;
  /** The facts about the last load. */
  readonly code: LoadedCode;
  /** Ends the processes; a load that runs is answered as failed. */
  readonly close: () => void;
}

export type LoadResult =
  | { readonly kind: 'loaded'; readonly manifest: Manifest }
  | { readonly kind: 'failed'; readonly failure: LoadFailure };

/** The time that a load may take, milliseconds. Code that waits is given up sooner, by its own process. */
const LOAD_TIMEOUT_MS = 45_000;
/** The time that a screen has to draw what was loaded, before the next load is prepared, milliseconds. */
const DRAWN_MS = 100;

/**
 * Starts a loader for a command that stays open. The next process waits with the compiler, and what it has compiled, so
 * that a load takes little more than the user's own code. No stale module, no leak, no output and no crash of user code
 * reaches this process.
 */
export function startProjectLoader(
  project: Project,
  { envFiles = [], onOutput, ...options }: LoaderOptions = {},
): ProjectLoader {
  const code = createLoadedCode({ project, envFiles });
  const startLoader = (): ChildChannel<LoaderProtocol> => {
    const { channel, process } = startChild<LoaderProtocol>(compiledFile('load/project-loader-child.js'), {
      output: onOutput === undefined ? 'ignore' : 'pipe',
      env: withCompileCache(terminal.environment),
      onNote: code.take,
    });
    for (const stream of [process.stdout, process.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => onOutput?.(stripControl(text)));
    return channel;
  };
  let child: ChildChannel<LoaderProtocol> | undefined = startLoader();
  let isClosed = false;
  let manifest: Manifest | undefined;
  let preparing: NodeJS.Timeout | undefined;
  return {
    code,
    load: async (onOutline = () => {}) => {
      clearTimeout(preparing);
      const variables = code.begin();
      const request = { project, variables, isFirst: manifest === undefined, ...options };
      child ??= startLoader();
      const answer = await askToLoad(child, request, onOutline);
      // What was printed before the answer is in its pipe by now, and read before the next turn.
      await new Promise((resolve) => void setImmediate(resolve));
      code.end(answer.kind === 'loaded');
      child.kill();
      child = undefined;
      if (isClosed) return answer;
      if (!isHeapKeptSmall()) {
        const next = startLoader();
        child = next;
        preparing = setTimeout(() => void next.send({ files: [...code.files()] }), DRAWN_MS).unref();
      }
      if (answer.kind === 'failed') return answer;
      manifest = keepEqual(manifest, answer.manifest);
      return { kind: 'loaded', manifest };
    },
    close: () => {
      isClosed = true;
      clearTimeout(preparing);
      child?.kill();
    },
  };
}

/** Answers also where the code ends the process, crashes it, or never finishes. */
async function askToLoad(
  channel: ChildChannel<LoaderProtocol>,
  request: LoadRequest,
  onOutline: (manifest: Manifest) => void,
): Promise<LoadResult> {
  try {
    return await channel.ask('load', request, { limitMs: LOAD_TIMEOUT_MS, onProgress: onOutline });
  } catch (error) {
    if (!(error instanceof ChildEnded)) throw error;
    return { kind: 'failed', failure: toEndedFailure(error.reason) };
  }
}

/** Asks the loader child to run the code of a project and to say what it declares. */
export interface LoadRequest extends CheckedOptions {
  readonly project: Project;
  /** Added to the environment. */
  readonly variables: Variables;
  /** Whether the routes of a large project are to come before the rest. */
  readonly isFirst: boolean;
}

/** One question, which the child is ended after. */
export interface LoaderProtocol {
  /** The code that the next load will probably need, too. */
  readonly order: HooksOrder;
  /** The code that is loaded. */
  readonly note: readonly CodeNote[];
  readonly questions: {
    /** The progress is the routes of a large project, without schemas and places. */
    readonly load: { readonly question: LoadRequest; readonly progress: Manifest; readonly answer: LoadResult };
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
