import type { Elicited } from '../../server-runtime/capability/context.ts';
import type { FieldProblem } from '../../server-runtime/schema/received.ts';
import type { Environment } from '../cli/caller-values.ts';
import type { Project } from '../manifest/project.ts';
import { compiledFile } from '../package-root.ts';
import { type ChildChannel, ChildEnded, startChild } from '../system/child-channel.ts';
import { readLines } from '../system/read-lines.ts';
import type {
  CallEvents,
  CallQuestion,
  CallRequest,
  CallResult,
  LoggedLine,
  UserQuestion,
} from './perform-call.ts';

/** Between the screen and the process that runs the project's code. Questions are refused where it does not load. */
export interface CallProtocol {
  readonly order: Elicited;
  readonly note: never;
  readonly questions: {
    readonly validate: {
      readonly question: CallQuestion;
      readonly progress: never;
      readonly answer: readonly FieldProblem[];
    };
    readonly call: {
      /** `canAsk`: whether somebody is there to answer what the capability asks. */
      readonly question: Omit<CallRequest, 'on' | 'signal'> & { readonly canAsk: boolean };
      readonly progress: CallProgress;
      readonly answer: CallResult;
    };
  };
}

export type CallProgress =
  | { readonly question: UserQuestion }
  | { readonly item: unknown }
  | { readonly line: LoggedLine };

/** The project's code as it is now, in a process that starts with the first question, and again where it has ended. */
export type CallSession = ReturnType<typeof createCallSession>;

/** `toEnvironment`: gives the variables of the process. */
export function createCallSession(project: Project, toEnvironment: () => Environment) {
  let running: { readonly channel: ChildChannel<CallProtocol>; isEnded: boolean } | undefined;
  let onLine: CallEvents['onLine'];
  const start = () => {
    const { channel, process: child } = startChild<CallProtocol>(
      compiledFile('invoke/call-child.js'),
      {
        output: 'pipe',
        cwd: project.root,
        env: toEnvironment(),
        arguments: [JSON.stringify(project)],
      },
    );
    const print = (isError: boolean) => (lines: readonly string[]) =>
      lines.forEach((text) => onLine?.({ text, isError }));
    if (child.stdout) readLines(child.stdout, print(false));
    if (child.stderr) readLines(child.stderr, print(true));
    const started = { channel, isEnded: false };
    void channel.exited.then(() => {
      if (running === started) running = undefined;
    });
    return started;
  };
  const ask = async <Answer>(
    toAnswer: (channel: ChildChannel<CallProtocol>) => Promise<Answer>,
  ): Promise<Answer> => {
    running ??= start();
    const current = running;
    return toAnswer(current.channel).catch((error: unknown) => {
      if (!(error instanceof ChildEnded)) throw error;
      throw new Error(
        current.isEnded ? 'The code changed before it answered.' : 'The code ended the process.',
      );
    });
  };
  return {
    /** Rejects where the code cannot be loaded, or its process ends. */
    validate: (question: CallQuestion): Promise<readonly FieldProblem[]> =>
      ask((channel) => channel.ask('validate', question)),
    /** With headers the context is the project's own, where it exports one. The signal does not end it. */
    call: ({ key, input, headers, on = {} }: CallRequest): Promise<CallResult> => {
      ({ onLine } = on);
      const onProgress = (channel: ChildChannel<CallProtocol>) => (progress: CallProgress) => {
        if ('line' in progress) on.onLine?.(progress.line);
        else if ('item' in progress) on.onItem?.(progress.item);
        else void on.ask?.(progress.question).then((answer) => channel.send(answer));
      };
      const question = { key, input, headers, canAsk: on.ask !== undefined };
      return ask((channel) => channel.ask('call', question, { onProgress: onProgress(channel) }));
    },
    end: (): void => {
      if (running === undefined) return;
      running.isEnded = true;
      running.channel.kill();
      running = undefined;
    },
  };
}
