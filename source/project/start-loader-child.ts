import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { LoadAnswer, LoadProgress, LoadRequest } from './loader-messages.ts';
import type { Manifest, ManifestCapability } from './manifest.ts';

/** A process that runs user code once. */
export interface LoaderChild {
  /** Answers also where the code ends the process, crashes it, or never finishes. */
  readonly load: (request: LoadRequest, onOutline?: (manifest: Manifest) => void) => Promise<ChildAnswer>;
  readonly end: () => void;
}

export type ChildAnswer = LoadAnswer & {
  /** What the code printed while it was loaded, free of escape sequences; the first 64 KiB. */
  readonly output: string;
  /** Of a loaded manifest, one for each capability: differs where the capability does, but for its place. */
  readonly fingerprints?: readonly string[];
};

/** How long the code may take to load, milliseconds. */
const LOAD_TIMEOUT_MS = 15_000;
const MAX_OUTPUT = 64 * 1024;

/** Starts a process that waits for its one load. It ends with this process. */
export function startLoaderChild(): LoaderChild {
  const child = fork(join(packageRoot(), 'dist', 'source', 'project', 'project-loader-child.js'), [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < MAX_OUTPUT) output += text.slice(0, MAX_OUTPUT - output.length);
    });
  }
  return {
    load: async (request, onOutline = () => {}) => {
      const answer = await askChild(child, { request, onOutline });
      // What was printed before the answer is in its pipe by now, and read before the next turn.
      await new Promise((resolve) => void setImmediate(resolve));
      return { ...answer, output: stripControl(output) };
    },
    end: () => void child.kill('SIGKILL'),
  };
}

interface Question {
  readonly request: LoadRequest;
  readonly onOutline: (manifest: Manifest) => void;
}

type Answer = Omit<ChildAnswer, 'output'> & LoadAnswer;

function askChild(child: ChildProcess, { request, onOutline }: Question): Promise<Answer> {
  const { promise, resolve } = withResolver<Answer>();
  const capabilities: ManifestCapability[] = [];
  const fingerprints: string[] = [];
  const fail = (reason: string): void => {
    const message = `The project's code ${reason} while it was loaded.`;
    resolve({
      kind: 'failed',
      failure: { code: 'ImportFailed', message, hint: 'Keep such code out of what declares capabilities.' },
    });
  };
  child.on('message', (message) => {
    const answer = message as LoadAnswer | LoadProgress;
    switch (answer.kind) {
      case 'outlined':
        return onOutline(answer.manifest);
      case 'capabilities':
        capabilities.push(...answer.capabilities);
        fingerprints.push(...answer.fingerprints);
        return;
      case 'loaded':
        return resolve({ kind: 'loaded', manifest: { ...answer.manifest, capabilities }, fingerprints });
      case 'failed':
        return resolve(answer);
    }
  });
  child.once('error', (error) => fail(`could not be run (${error.message})`));
  child.once('exit', (exitCode, signal) => fail(`ended the process with ${signal ?? `exit code ${String(exitCode)}`}`));
  const timer = setTimeout(() => fail(`was not done after ${LOAD_TIMEOUT_MS / 1000} seconds`), LOAD_TIMEOUT_MS);
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
