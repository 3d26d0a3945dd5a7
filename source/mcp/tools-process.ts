import { callerOf, toSignal } from '../../server-runtime/mcp/caller.ts';
import type { List, McpMethods, Message } from '../../server-runtime/mcp/handlers.ts';
import type { CliErrorOptions } from '../cli/cli-error.ts';
import type { CodeNote } from '../load/hooks/code-note.ts';
import { toEndedFailure } from '../load/load-failure.ts';
import type { Project } from '../manifest/project.ts';
import { compiledFile } from '../package-root.ts';
import { type ChildChannel, ChildEnded, startChild } from '../system/child-channel.ts';
import type { Variables } from '../system/read-variables.ts';
import { findLoadLimitMs } from '../system/run-user-code.ts';
import type { McpCommandOptions } from './mcp-command.ts';

/** The time that loading may take beside what the code itself may, milliseconds. */
const EXTRA_MS = 15_000;

/** A process that runs one state of the project's code. It ends with this process. */
export class ToolsProcess {
  /** Resolves when it is gone, with how that came: `ended the process with SIGSEGV`. */
  readonly gone: Promise<string>;
  readonly #channel: ChildChannel<ToolsProtocol>;
  #lastId = 0;

  /** `onNotes` is told of the code that it loads. */
  constructor(onNotes: (notes: readonly CodeNote[]) => void) {
    const file = compiledFile('mcp/tools-child.js');
    this.#channel = startChild<ToolsProtocol>(file, { output: 'stderr', onNote: onNotes }).channel;
    this.gone = this.#channel.exited.then(
      ({ exitCode = 1, signalName }) => `ended the process with ${signalName ?? `exit code ${exitCode}`}`,
    );
  }

  /** Answers also where the code ends the process, crashes it, or never finishes. */
  load(code: LoadTools): Promise<ToolsAnswer> {
    return this.#channel.ask('load', code, { limitMs: findLoadLimitMs() + EXTRA_MS }).catch((error: unknown) => {
      const reason = error instanceof ChildEnded ? error.reason : `could not be run (${String(error)})`;
      return { kind: 'failed', error: toEndedFailure(reason) };
    });
  }

  /** Rejects with `ChildEnded` where the process ends before it answers. */
  async handle(method: string, params: unknown, [context, client]: Message): Promise<HandlerResult> {
    const id = ++this.#lastId;
    const signal = toSignal(context, client);
    const { mcpReq, http } = context;
    const { _meta, envelope, inputResponses } = mcpReq;
    const question: ToolsQuestion = {
      id,
      method,
      params,
      request: { _meta, envelope, inputResponses },
      requestState: mcpReq.requestState(),
      client: { capabilities: client.getClientCapabilities(), version: client.getClientVersion() },
      http: http && { headers: callerOf(context).headers, authInfo: http.authInfo },
    };
    // Nobody waits for what is sent beside the answer, and what is lost of it is lost.
    const onProgress = ([name, values]: ToolsNews): void =>
      void (mcpReq[name] as (...values: readonly unknown[]) => Promise<void>)(...values).catch(() => {});
    const answer = this.#channel.ask('handle', question, { onProgress });
    const cancel = (): void => void this.#channel.send({ kind: 'cancel', id });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return answer.finally(() => signal.removeEventListener('abort', cancel));
  }

  /** Ends it once it has answered everything. */
  end(): void {
    this.#channel.send({ kind: 'end' });
  }

  kill(): void {
    this.#channel.kill();
  }
}

/** Between the process that speaks with clients and one that runs the project's code. The first question is `load`. */
export interface ToolsProtocol {
  /** Cancels a question, or ends the process once everything is answered. */
  readonly order: { readonly kind: 'cancel'; readonly id: number } | { readonly kind: 'end' };
  /** The code that it loads. */
  readonly note: readonly CodeNote[];
  readonly questions: {
    readonly load: { readonly question: LoadTools; readonly progress: never; readonly answer: ToolsAnswer };
    readonly handle: { readonly question: ToolsQuestion; readonly progress: ToolsNews; readonly answer: HandlerResult };
  };
}

export interface LoadTools {
  readonly project: Project;
  /** Added to the environment. */
  readonly variables: Variables;
  /** Which tools are served, and to whom. */
  readonly options: Pick<McpCommandOptions, 'only' | 'readOnly' | 'header' | 'context'>;
  /** Signs what the client holds between a question to its user and the answer. */
  readonly secret: string;
}

export type ToolsAnswer =
  | { readonly kind: 'loaded'; readonly offers: LoadedOffers }
  | { readonly kind: 'failed'; readonly error: Omit<CliErrorOptions, 'cause'> };

/** The offers of the code, which clients are told without running it. */
export interface LoadedOffers extends Pick<McpMethods, 'capabilities'> {
  /** The whole list of each method that lists. */
  readonly lists: Readonly<Record<string, List>>;
  /** The methods that run code. */
  readonly methods: readonly string[];
}

/** A request of a client, in a form that can be sent to another process. */
export interface ToolsQuestion {
  /** Another one for each request to one process. */
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
  /** The facts of the request as the SDK has them. */
  readonly request: object;
  readonly requestState: unknown;
  readonly client: { readonly capabilities: unknown; readonly version: unknown };
  /** Undefined over stdio. */
  readonly http: { readonly headers: Readonly<Record<string, string>>; readonly authInfo: unknown } | undefined;
}

/** A message about a request that is not answered yet: the function of the SDK that sends it, and its arguments. */
export type ToolsNews = readonly ['notify' | 'log', readonly unknown[]];

export type HandlerResult =
  | { readonly kind: 'result'; readonly result: object }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data: unknown };
