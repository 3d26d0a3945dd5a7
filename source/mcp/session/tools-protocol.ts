import type { CallingClient } from '../../../server-runtime/capability/context.ts';
import type { CliErrorOptions } from '../../cli/errors/cli-error.ts';
import type { CodeNote } from '../../load/hooks/code-note.ts';
import type { Project } from '../../manifest/project.ts';
import type { Variables } from '../../system/read-variables.ts';
import type { Selection } from '../project/select-operations.ts';

/** Between the process that speaks with clients and one that runs the project's code. The first question is `load`. */
export interface ToolsProtocol {
  readonly order:
    | { readonly kind: 'cancel'; readonly id: number }
    /** No client asks any more: streams that are being read have another second. */
    | { readonly kind: 'finish' }
    /** It ends by itself once everything is answered. */
    | { readonly kind: 'end' };
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
  readonly options: ToolsOptions;
  /** Signs what the client holds between a question to its user and the answer. */
  readonly secret: string;
}

/** The options of the command line that say which tools are served, and to whom. */
export interface ToolsOptions extends Selection {
  /** `name: value` */
  readonly header: readonly string[];
  /** JSON. */
  readonly context?: string | undefined;
}

export type ToolsAnswer =
  | { readonly kind: 'loaded'; readonly offers: LoadedOffers }
  | { readonly kind: 'failed'; readonly error: Omit<CliErrorOptions, 'cause'> };

/** The offers of the code, which clients are told without running it. */
export interface LoadedOffers {
  /** Capabilities of the server, in the words of the protocol. */
  readonly capabilities: object;
  /** The whole list of each method that lists. */
  readonly lists: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
  /** The methods that run code. */
  readonly methods: readonly string[];
}

/** A request of a client, in a form that can be sent to another process. */
export interface ToolsQuestion {
  /** Another one for each request to one process. */
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
  readonly meta: unknown;
  /** The facts that a client says with each request since 2026-07-28. */
  readonly envelope: unknown;
  readonly inputResponses: unknown;
  readonly requestState: unknown;
  readonly client: { readonly capabilities: object | undefined; readonly version: CallingClient | undefined };
  /** Undefined over stdio. */
  readonly http: { readonly headers: Readonly<Record<string, string>>; readonly authInfo: unknown } | undefined;
}

/** A message about a request that is not answered yet. */
export type ToolsNews =
  | { readonly kind: 'notification'; readonly notification: { readonly method: string; readonly params?: object } }
  | { readonly kind: 'log'; readonly level: string; readonly data: unknown; readonly logger: string | undefined };

export type HandlerResult =
  | { readonly kind: 'result'; readonly result: object }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data: unknown };
