import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { FieldProblem } from '../../../server-runtime/schema/validator.ts';
import type { Project } from '../../manifest/project.ts';
import { packageRoot } from '../../package-root.ts';
import { readVariables } from '../../system/read-variables.ts';
import { forkChild } from '../../terminal/fork-child.ts';
import type { CallInput } from './call-input.ts';
import type { CallAnswer, CallRequest, CallResult } from './call-request.ts';
import type { RequestHeaders } from './request-headers.ts';

/** One state of the project's code, in a process of its own. */
export interface CallSession {
  /** Rejects where the code cannot be loaded, or its process ends. */
  readonly validate: (key: string, input: CallInput) => Promise<readonly FieldProblem[]>;
  /** With headers the context is the project's own, where it exports one. */
  readonly call: (key: string, input: CallInput, headers: RequestHeaders) => Promise<CallResult>;
  readonly end: () => void;
}

export interface CallSessionOptions {
  readonly project: Project;
  /** Absolute paths of files whose variables are added to the environment. */
  readonly envFiles: readonly string[];
  readonly onExit: () => void;
}

interface Waiting {
  readonly resolve: (answer: CallAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Starts the process and loads the project in it. What its code prints is thrown away: the screen has no place for it. */
export function startCallSession({ project, envFiles, onExit }: CallSessionOptions): CallSession {
  const child = forkChild(join(packageRoot(), 'dist', 'source', 'call', 'run', 'call-child.js'), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    cwd: project.root,
  });
  const waiting = new Map<number, Waiting>();
  const loading = waitForLoad(child, { kind: 'load', project, variables: readVariables(envFiles) });
  // Whoever asks gets the reason.
  loading.catch(() => {});
  let lastId = 0;
  let isEnded = false;

  child.on('message', (message) => {
    const answer = message as CallAnswer;
    if (!('id' in answer)) return;
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  child.once('error', onExit);
  child.once('exit', () => {
    onExit();
    const reason = isEnded ? 'The code changed before it answered.' : 'The code ended the process.';
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  });

  const ask = async (request: CallRequest & { readonly id: number }): Promise<CallAnswer> => {
    await loading;
    return new Promise((resolve, reject) => {
      waiting.set(request.id, { resolve, reject });
      child.send(request, (error) => {
        if (error !== null) reject(error);
      });
    });
  };
  return {
    validate: async (key, input) => {
      const answer = await ask({ kind: 'validate', id: ++lastId, key, input });
      return answer.kind === 'validated' ? answer.fields : [];
    },
    call: async (key, input, headers) => {
      const answer = await ask({ kind: 'call', id: ++lastId, key, input, headers });
      if (answer.kind === 'answered') return answer.result;
      throw new Error(answer.kind === 'refused' ? answer.message : 'The call was not answered.');
    },
    end: () => {
      isEnded = true;
      child.kill('SIGKILL');
    },
  };
}

function waitForLoad(child: ChildProcess, request: CallRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error('The code ended the process while it was loaded.')));
    child.on('message', (message) => {
      const answer = message as CallAnswer;
      if (answer.kind === 'loaded') resolve();
      if (answer.kind === 'failed') reject(new Error(answer.failure.message));
    });
    child.send(request);
  });
}
