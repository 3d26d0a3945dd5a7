import type { FieldProblem } from '../../../server-runtime/schema/validator.ts';
import type { Project } from '../../manifest/project.ts';
import { compiledFile } from '../../package-root.ts';
import { type ChildChannel, ChildEnded, startChild } from '../../system/child-channel.ts';
import { readLines } from '../../system/read-lines.ts';
import { readVariables } from '../../system/read-variables.ts';
import type { CallProtocol, CallQuestion, CallRequest, CallResult, LoadCode } from './run-call.ts';

/** The project's code as it is now, in a process that starts with the first question, and again where it has ended. */
export interface CallSession {
  /** Rejects where the code cannot be loaded, or its process ends. */
  readonly validate: (question: CallQuestion) => Promise<readonly FieldProblem[]>;
  /** With headers the context is the project's own, where it exports one. The signal does not end it. */
  readonly call: (request: CallRequest) => Promise<CallResult>;
  /** Calls `onOutput` with what the code prints, until the returned function is called. */
  readonly watchOutput: (onOutput: OnOutput) => () => void;
  /** Ends what it does, whatever that is. */
  readonly end: () => void;
}

type OnOutput = (lines: readonly PrintedLine[]) => void;

/** A line that code has printed, to stdout or to stderr. */
export interface PrintedLine {
  readonly text: string;
  readonly isError: boolean;
}

interface RunningCode {
  readonly channel: ChildChannel<CallProtocol>;
  readonly loading: Promise<void>;
  isEnded: boolean;
}

/** `envFiles`: absolute paths of files whose variables are added to the environment. */
export function createCallSession(project: Project, envFiles: readonly string[]): CallSession {
  let running: RunningCode | undefined;
  const watchers = new Set<OnOutput>();
  const start = (): RunningCode => {
    const { channel, process: child } = startChild<CallProtocol>(compiledFile('call/run/call-child.js'), {
      output: 'pipe',
      cwd: project.root,
    });
    const print = (isError: boolean) => (lines: readonly string[]) => {
      const printed = lines.map((text) => ({ text, isError }));
      watchers.forEach((watcher) => watcher(printed));
    };
    if (child.stdout) readLines(child.stdout, print(false));
    if (child.stderr) readLines(child.stderr, print(true));
    const loading = load(channel, { project, variables: readVariables(envFiles) });
    // Whoever asks gets the reason.
    loading.catch(() => {});
    const started = { channel, loading, isEnded: false };
    void channel.exited.then(() => {
      if (running === started) running = undefined;
    });
    return started;
  };
  const ask = async <Answer>(toAnswer: (channel: RunningCode['channel']) => Promise<Answer>): Promise<Answer> => {
    const asked = (running ??= start());
    await asked.loading;
    return toAnswer(asked.channel).catch((error: unknown) => {
      if (!(error instanceof ChildEnded)) throw error;
      throw new Error(asked.isEnded ? 'The code changed before it answered.' : 'The code ended the process.');
    });
  };
  return {
    validate: (question) => ask((channel) => channel.ask('validate', question)),
    call: ({ key, input, headers, on = {} }) =>
      ask((channel) =>
        channel.ask(
          'call',
          { key, input, headers, canAsk: on.ask !== undefined },
          {
            onProgress: (progress) => {
              if (progress.kind === 'message') return on.onMessage?.(progress.text);
              if (progress.kind === 'items') return progress.items.forEach((item) => on.onItem?.(item));
              void on.ask?.(progress.question).then((answer) => channel.send({ id: progress.id, answer }));
            },
          },
        ),
      ),
    watchOutput: (onOutput) => {
      watchers.add(onOutput);
      return () => void watchers.delete(onOutput);
    },
    end: () => {
      if (running === undefined) return;
      running.isEnded = true;
      running.channel.kill();
      running = undefined;
    },
  };
}

async function load(channel: RunningCode['channel'], code: LoadCode): Promise<void> {
  const failure = await channel.ask('load', code).catch((error: unknown) => {
    throw error instanceof ChildEnded ? new Error('The code ended the process while it was loaded.') : error;
  });
  if (failure !== undefined) throw new Error(failure.message);
}
