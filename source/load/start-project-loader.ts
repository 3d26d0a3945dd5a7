import type { CheckedOptions } from '../check/rules/load-checked-manifest.ts';
import { withCompileCache } from '../cli/enable-compile-cache.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { compiledFile } from '../package-root.ts';
import { type ChildChannel, ChildEnded, startChild } from '../system/child-channel.ts';
import type { Environment, Variables } from '../system/read-variables.ts';
import { findLoadLimitMs } from '../system/run-user-code.ts';
import { isHeapSmall } from '../terminal/keep-heap-small.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { terminal } from '../terminal/terminal.ts';
import type { CodeNote, HooksOrder } from './hooks/code-note.ts';
import type { CopiedFolders } from './hooks/copied-tree.ts';
import { type LoadFailure, toEndedFailure } from './load-failure.ts';
import { LoadedCode } from './loaded-code.ts';

export interface LoaderOptions extends CheckedOptions {
  /** What is known of the code, where it is watched. */
  readonly code?: LoadedCode | undefined;
  /** Absolute paths of env files, read anew for each load. */
  readonly envFiles?: readonly string[] | undefined;
  /** The variables of the process that runs the code. @default those of this process */
  readonly environment?: Environment | undefined;
  /** The copy of a repository that the project lies in, where packages are not found in folders. */
  readonly copied?: CopiedFolders | undefined;
  /** Gets what the code prints, free of escape sequences. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

export type LoadResult =
  | { readonly kind: 'loaded'; readonly manifest: Manifest }
  | { readonly kind: 'failed'; readonly failure: LoadFailure };

/** The time that code which computes has beyond that of code which waits, milliseconds. */
const EXTRA_MS = 15_000;
/** The time that a screen has to draw what was loaded, before the next load is prepared, milliseconds. */
const DRAWN_MS = 100;

/**
 * Loads a project again and again, each time in a fresh process. The next one waits with what it has compiled. No stale
 * module, leak, output or crash of user code reaches this process. Parts that have not changed are the same objects.
 */
export function startProjectLoader(
  project: Project,
  {
    envFiles = [],
    environment = terminal.environment,
    code = new LoadedCode({ project, envFiles, environment }),
    onOutput,
    ...options
  }: LoaderOptions = {},
) {
  const startLoader = (): ChildChannel<LoaderProtocol> => {
    const { channel, process } = startChild<LoaderProtocol>(
      compiledFile('load/project-loader-child.js'),
      {
        output: onOutput === undefined ? 'ignore' : 'pipe',
        env: withCompileCache(environment),
        // On Node 24 a load of 1,000 capabilities takes 225 MB without it, and no less time.
        execArgv: isHeapSmall() ? ['--max-semi-space-size=2'] : [],
        onNote: (notes) => void code.take(notes),
      },
    );
    for (const stream of [process.stdout, process.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => onOutput?.(stripControl(text)));
    return channel;
  };
  let child: ChildChannel<LoaderProtocol> | undefined = startLoader();
  let isClosed = false;
  let manifest: Manifest | undefined;
  let preparing: NodeJS.Timeout | undefined;
  const prepare = (): void => {
    child = startLoader();
    void child.send({ files: [...code.files()] });
  };
  const loadOnce = async (variables: Variables): Promise<LoadResult> => {
    clearTimeout(preparing);
    child ??= startLoader();
    const current = child;
    const limitMs = findLoadLimitMs() + EXTRA_MS;
    try {
      return await current.ask('load', { project, variables, ...options }, { limitMs });
    } catch (error) {
      if (!(error instanceof ChildEnded)) throw error;
      return { kind: 'failed', failure: toEndedFailure(error.reason) };
    } finally {
      // What was printed before the answer is in its pipe by now, and read before the next turn.
      await new Promise((resolve) => void setImmediate(resolve));
      current.kill();
      child = undefined;
    }
  };
  return {
    /** Loads the files as they are now. One load at a time. Never rejects for what user code does. */
    load: async (): Promise<LoadResult> => {
      const answer = await code.load(loadOnce);
      if (isClosed) return answer;
      if (!isHeapSmall()) preparing = setTimeout(prepare, DRAWN_MS).unref();
      if (answer.kind === 'failed') return answer;
      manifest = keepEqual(manifest, answer.manifest);
      return { kind: 'loaded', manifest };
    },
    close: (): void => {
      isClosed = true;
      clearTimeout(preparing);
      child?.kill();
    },
  };
}

export interface LoadRequest extends CheckedOptions {
  readonly copied?: CopiedFolders | undefined;
  readonly project: Project;
  readonly variables: Variables;
}

/** One question, which the child is ended after. */
export interface LoaderProtocol {
  /** The code that the next load will probably need, too. */
  readonly order: HooksOrder;
  readonly note: readonly CodeNote[];
  readonly questions: {
    readonly load: {
      readonly question: LoadRequest;
      readonly progress: never;
      readonly answer: LoadResult;
    };
  };
}

/** A manifest in which every part that is as in the one before is the same object. */
function keepEqual(before: Manifest | undefined, after: Manifest): Manifest {
  const known = new Map<string, unknown>(Object.entries(before ?? {}));
  const parts = Object.entries(after).map(([name, part]: [string, unknown]) => {
    const same = known.get(name);
    return [name, JSON.stringify(same) === JSON.stringify(part) ? same : part] as const;
  });
  return { ...after, ...Object.fromEntries(parts) };
}
