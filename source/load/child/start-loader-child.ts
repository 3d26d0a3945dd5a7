import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import { forkChild } from '../../terminal/fork-child.ts';
import { toEndedFailure } from '../load-failure.ts';
import type { LoadAnswer, LoadMilestone, LoadProgress, LoadRequest } from './load-request.ts';

/** A process that runs user code once. */
export interface LoaderChild {
  /** Answers also where the code ends the process, crashes it, or never finishes. */
  readonly load: (request: LoadRequest, onProgress: (progress: LoadProgress) => void) => Promise<ChildAnswer>;
  readonly end: () => void;
}

export type ChildAnswer = LoadAnswer & {
  /** What the code printed while it was loaded, free of escape sequences; the first 64 KiB. */
  readonly output: string;
};

/** How long the code may take to load, milliseconds. Code that waits is given up sooner, by its own process. */
const LOAD_TIMEOUT_MS = 45_000;
/** How long it may take to describe what it declares: work of the tool, which grows with the project. */
const DESCRIBE_TIMEOUT_MS = 120_000;
const MAX_OUTPUT = 64 * 1024;

/** Starts a process that waits for its one load. It ends with this process. */
export function startLoaderChild(): LoaderChild {
  const child = forkChild(join(packageRoot(), 'dist', 'source', 'load', 'child', 'project-loader-child.js'), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < MAX_OUTPUT) output += text.slice(0, MAX_OUTPUT - output.length);
    });
  }
  return {
    load: async (request, onProgress) => {
      const answer = await askChild(child, { request, onProgress });
      // What was printed before the answer is in its pipe by now, and read before the next turn.
      await new Promise((resolve) => void setImmediate(resolve));
      return { ...answer, output: stripControl(output) };
    },
    end: () => void child.kill('SIGKILL'),
  };
}

interface Question {
  readonly request: LoadRequest;
  readonly onProgress: (progress: LoadProgress) => void;
}

function askChild(child: ChildProcess, { request, onProgress }: Question): Promise<LoadAnswer> {
  const { promise, resolve } = withResolver<LoadAnswer>();
  const fail = (reason: string): void => resolve({ kind: 'failed', failure: toEndedFailure(reason) });
  child.on('message', (message) => {
    const answer = message as LoadAnswer | LoadMilestone | LoadProgress;
    if (answer.kind === 'loaded' || answer.kind === 'failed') resolve(answer);
    else if (answer.kind !== 'imported') onProgress(answer);
    else {
      clearTimeout(timer);
      timer = limit(DESCRIBE_TIMEOUT_MS);
    }
  });
  child.once('error', (error) => fail(`could not be run (${error.message})`));
  child.once('exit', (exitCode, signal) => fail(`ended the process with ${signal ?? `exit code ${String(exitCode)}`}`));
  const limit = (timeoutMs: number): NodeJS.Timeout =>
    setTimeout(() => fail(`was not done after ${timeoutMs / 1000} seconds`), timeoutMs);
  let timer = limit(LOAD_TIMEOUT_MS);
  child.send(request, (error) => {
    if (error !== null) fail(`could not be run (${error.message})`);
  });
  return promise.finally(() => clearTimeout(timer));
}

function withResolver<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
