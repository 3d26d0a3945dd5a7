import type { McpMethods, Message } from '../../server-runtime/mcp/server-maker.ts';
import type { CliErrorOptions } from '../cli/cli-error.ts';
import type { McpValues } from '../flags/mcp-flags.ts';
import type { CodeNote } from '../load/hooks/code-note.ts';
import { toEndedFailure } from '../load/load-failure.ts';
import type { Project } from '../manifest/project.ts';
import { compiledFile } from '../package-root.ts';
import { ChildEnded, startChild } from '../system/child-channel.ts';
import type { Variables } from '../system/read-variables.ts';
import { findLoadLimitMs } from '../system/run-user-code.ts';
import type { Question } from '../values/protocol.ts';

/** Between the process that speaks with clients and one that runs the project's code. The first question is `load`. */
export interface ToolsProtocol {
  /** Cancels a question, or ends the process once everything is answered. */
  readonly order: { readonly kind: 'cancel'; readonly id: number } | { readonly kind: 'end' };
  readonly note: readonly CodeNote[];
  readonly questions: {
    readonly load: Question<LoadTools, ToolsAnswer>;
    readonly handle: Question<ToolsQuestion, HandlerResult, ToolsReport>;
  };
}

export interface LoadTools {
  readonly project: Project;
  readonly variables: Variables;
  /** Which tools are served, and to whom. */
  readonly options: Pick<McpValues, 'only' | 'readOnly' | 'header' | 'context'>;
  /** Signs what the client holds between a question to its user and the answer. */
  readonly secret: string;
}

export type ToolsAnswer =
  | { readonly kind: 'loaded'; readonly offers: LoadedOffers }
  | { readonly kind: 'failed'; readonly error: Omit<CliErrorOptions, 'cause'> };

/** The offers of the code, which clients can list without running it. */
export interface LoadedOffers extends Pick<McpMethods, 'capabilities'> {
  /** The whole list of each method that lists. */
  readonly lists: Readonly<Record<string, object>>;
  readonly methods: readonly string[];
}

/** A message about a request that is not answered yet: the function of the SDK that sends it, and its arguments. */
export type ToolsReport = readonly ['notify' | 'log', readonly unknown[]];

export type HandlerResult =
  | { readonly kind: 'result'; readonly result: object }
  | {
      readonly kind: 'error';
      readonly code: number;
      readonly message: string;
      readonly data: unknown;
    };

export type ToolsProcess = ReturnType<typeof startToolsProcess>;

/** The time that loading may take beside what the code itself may, milliseconds. */
const EXTRA_MS = 15_000;

/** Starts a process that runs one state of the project's code. It ends with this process. */
export function startToolsProcess(onNote: (notes: readonly CodeNote[]) => void) {
  const file = compiledFile('mcp/tools-child.js');
  const { channel } = startChild<ToolsProtocol>(file, { output: 'stderr', onNote });
  let lastId = 0;
  return {
    /** Resolves when the process has ended, with the way in which it did: `ended the process with SIGSEGV`. */
    exited: channel.exited.then(
      ({ exitCode = 1, signalName }) =>
        `ended the process with ${signalName ?? `exit code ${exitCode}`}`,
    ),
    /** Answers also where the code ends the process, crashes it, or never finishes. */
    load: (code: LoadTools): Promise<ToolsAnswer> =>
      channel
        .ask('load', code, { limitMs: findLoadLimitMs() + EXTRA_MS })
        .catch((error: unknown) => {
          const reason =
            error instanceof ChildEnded ? error.reason : `could not be run (${String(error)})`;
          return { kind: 'failed', error: toEndedFailure(reason) };
        }),
    /** Rejects with `ChildEnded` where the process ends before it answers. */
    handle: async (method: string, params: unknown, message: Message): Promise<HandlerResult> => {
      const id = ++lastId;
      const { signal, notify, log, ...facts } = message;
      const ways = { notify, log };
      // Nobody waits for what is sent beside the answer, and what is lost of it is lost.
      const onProgress = ([name, values]: ToolsReport): void =>
        void (ways[name] as (...parameters: readonly unknown[]) => Promise<void>)(...values).catch(
          () => {},
        );
      const answer = channel.ask('handle', { id, method, params, facts }, { onProgress });
      const cancel = (): void => void channel.send({ kind: 'cancel', id });
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
      return answer.finally(() => signal.removeEventListener('abort', cancel));
    },
    /** Ends it once it has answered everything. */
    end: (): void => void channel.send({ kind: 'end' }),
    kill: channel.kill,
  };
}

/** A request of a client, and its number among those to one process. */
export interface ToolsQuestion {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
  readonly facts: Omit<Message, 'signal' | 'notify' | 'log'>;
}
