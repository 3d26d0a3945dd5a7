import { withCompileCache } from '../cli/enable-compile-cache.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { compiledFile } from '../package-root.ts';
import type { CheckedOptions } from '../rules/load-checked-manifest.ts';
import { type ChildChannel, ChildEnded, startChild } from '../system/child-channel.ts';
import type { Variables } from '../system/read-variables.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { terminal } from '../terminal/terminal.ts';
import type { CodeNote, HooksOrder } from './hooks/code-note.ts';
import { type LoadFailure, toEndedFailure } from './load-failure.ts';

/** A process that runs user code once. */
export interface LoaderChild {
  /** Lets it compile files while it waits. */
  readonly prepare: (order: HooksOrder) => void;
  /** Answers also where the code ends the process, crashes it, or never finishes. */
  readonly load: (request: LoadRequest, onProgress: (progress: LoadProgress) => void) => Promise<ChildAnswer>;
  readonly end: () => void;
}

export type ChildAnswer = LoadAnswer & {
  /** The output of the code while it was loaded, free of escape sequences; the first 64 KiB. */
  readonly output: string;
};

/** The time that the code may take to load, milliseconds. Code that waits is given up sooner, by its own process. */
const LOAD_TIMEOUT_MS = 45_000;
/** The time that it may take to describe what it declares: work of the tool, which grows with the project. */
const DESCRIBE_TIMEOUT_MS = 120_000;
const MAX_OUTPUT = 64 * 1024;

/** Starts a process that waits for its one load and ends with this one. `onNotes` is told what it loads. */
export function startLoaderChild(onNotes: (notes: readonly CodeNote[]) => void): LoaderChild {
  const { channel, process } = startChild<LoaderProtocol>(compiledFile('load/project-loader-child.js'), {
    output: 'pipe',
    env: withCompileCache(terminal.environment),
    onNote: onNotes,
  });
  let output = '';
  for (const stream of [process.stdout, process.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < MAX_OUTPUT) output += text.slice(0, MAX_OUTPUT - output.length);
    });
  }
  return {
    prepare: (order) => void channel.send(order),
    load: async (request, onProgress) => {
      const answer = await askToLoad(channel, request, onProgress);
      // What was printed before the answer is in its pipe by now, and read before the next turn.
      await new Promise((resolve) => void setImmediate(resolve));
      return { ...answer, output: stripControl(output) };
    },
    end: channel.kill,
  };
}

async function askToLoad(
  channel: ChildChannel<LoaderProtocol>,
  request: LoadRequest,
  onProgress: (progress: LoadProgress) => void,
): Promise<LoadAnswer> {
  try {
    return await channel.ask('load', request, {
      limitMs: LOAD_TIMEOUT_MS,
      onProgress: (progress, limit) => {
        if (progress.kind === 'imported') limit(DESCRIBE_TIMEOUT_MS);
        onProgress(progress);
      },
    });
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

/**
 * A note of the loader child before its answer: the project's own code is done, and what follows is the tool's work.
 * Then of a large project the routes, without schemas and places.
 */
export type LoadProgress = { readonly kind: 'imported' } | { readonly kind: 'outlined'; readonly manifest: Manifest };

export type LoadAnswer =
  | { readonly kind: 'loaded'; readonly manifest: Manifest }
  | { readonly kind: 'failed'; readonly failure: LoadFailure };

/** One question, which the child is ended after. */
export interface LoaderProtocol {
  /** The code that the next load will probably need, too. */
  readonly order: HooksOrder;
  /** The code that is loaded. */
  readonly note: readonly CodeNote[];
  readonly questions: {
    readonly load: { readonly question: LoadRequest; readonly progress: LoadProgress; readonly answer: LoadAnswer };
  };
}
