import type { FieldProblem } from '../../../server-runtime/schema/validator.ts';
import type { Project } from '../../manifest/project.ts';
import { compiledFile } from '../../package-root.ts';
import type { ChildChannel } from '../../system/child/child-channel.ts';
import { ChildEnded } from '../../system/child/child-channel.ts';
import { startChild } from '../../system/child/start-child.ts';
import { readLines } from '../../system/read-lines.ts';
import { readVariables } from '../../system/read-variables.ts';
import type { CallInput } from './call-input.ts';
import type { CallProtocol, CallRequest, CallResult, LoadCode } from './call-protocol.ts';

/** One state of the project's code, in a process of its own. */
export interface CallSession {
  /** Rejects where the code cannot be loaded, or its process ends. */
  readonly validate: (key: string, input: CallInput) => Promise<readonly FieldProblem[]>;
  /** With headers the context is the project's own, where it exports one. The signal does not end it. */
  readonly call: (request: CallRequest) => Promise<CallResult>;
  readonly end: () => void;
}

export interface CallSessionOptions {
  readonly project: Project;
  /** Absolute paths of files whose variables are added to the environment. */
  readonly envFiles: readonly string[];
  readonly onExit: () => void;
  /** The output of its code, and what it leaves uncaught. */
  readonly onOutput: (lines: readonly PrintedLine[]) => void;
}

/** A line that code has printed, to stdout or to stderr. */
export interface PrintedLine {
  readonly text: string;
  readonly isError: boolean;
}

/** Starts the process and loads the project in it. */
export function startCallSession({ project, envFiles, onExit, onOutput }: CallSessionOptions): CallSession {
  const { channel, process: child } = startChild<CallProtocol>(compiledFile('call/run/call-child.js'), {
    output: 'pipe',
    cwd: project.root,
  });
  const print = (isError: boolean) => (lines: readonly string[]) => onOutput(lines.map((text) => ({ text, isError })));
  if (child.stdout) readLines(child.stdout, print(false));
  if (child.stderr) readLines(child.stderr, print(true));
  let isEnded = false;
  void channel.exited.then(onExit);
  const loading = load(channel, { project, variables: readVariables(envFiles) });
  // Whoever asks gets the reason.
  loading.catch(() => {});

  const whenLoaded = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    await loading;
    return ask().catch((error: unknown) => {
      if (!(error instanceof ChildEnded)) throw error;
      throw new Error(isEnded ? 'The code changed before it answered.' : 'The code ended the process.');
    });
  };
  return {
    validate: (key, input) => whenLoaded(() => channel.ask('validate', { key, input })),
    call: ({ key, input, headers, on = {} }) => {
      const question = { key, input, headers, canAsk: on.ask !== undefined };
      return whenLoaded(() =>
        channel.ask('call', question, {
          onProgress: (progress) => {
            if (progress.kind === 'message') return on.onMessage?.(progress.text);
            if (progress.kind === 'items') return progress.items.forEach((item) => on.onItem?.(item));
            void on.ask?.(progress.question).then((answer) => channel.send({ id: progress.id, answer }));
          },
        }),
      );
    },
    end: () => {
      isEnded = true;
      channel.kill();
    },
  };
}

async function load(channel: ChildChannel<CallProtocol>, code: LoadCode): Promise<void> {
  const failure = await channel.ask('load', code).catch((error: unknown) => {
    throw error instanceof ChildEnded ? new Error('The code ended the process while it was loaded.') : error;
  });
  if (failure !== undefined) throw new Error(failure.message);
}
