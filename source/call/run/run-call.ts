import type { Elicited } from '../../../server-runtime/capability/call-request.ts';
import type { JsonSchema } from '../../../server-runtime/schema/json-schema.ts';
import type { FieldProblem } from '../../../server-runtime/schema/validator.ts';
import type { LoadFailure } from '../../load/load-failure.ts';
import { expectCapability } from '../../manifest/expect-capability.ts';
import type { SourcePlace } from '../../manifest/find-source-place.ts';
import type { Listed } from '../../manifest/listed.ts';
import type { Project } from '../../manifest/project.ts';
import type { Variables } from '../../system/read-variables.ts';
import type { CallInput } from './call-input.ts';
import type { RequestHeaders } from './request-headers.ts';

/** The place where a call is made. */
export type RunTarget =
  /** The project's code, without a server. */
  | { readonly kind: 'here'; readonly call: (request: CallRequest) => Promise<CallResult> }
  | {
      readonly kind: 'server';
      /** Without a slash at its end. */
      readonly url: string;
      /** Sent with every call to it; names in lower case. */
      readonly headers: RequestHeaders;
      readonly routes: readonly Listed[];
    };

export interface RunOptions extends CallRequest {
  /**
   * The longest silence: without an answer, an item or a message. Questions to the user do not count.
   *
   * @default for a server a minute, or the time limit of the capability; the code here has its own
   */
  readonly timeoutMs?: number | undefined;
}

/** A call that said nothing for so long that nobody waits for it any more. */
export class CallTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`it said nothing for ${timeoutMs < 1000 ? `${timeoutMs} ms` : `${timeoutMs / 1000} s`}`);
  }
}

/**
 * Calls a capability: for the screen, for the command line and for saved calls.
 *
 * @throws CallTimeout; what a server that does not answer, or a file that cannot be read, throws
 */
export async function runCall(target: RunTarget, { timeoutMs, ...request }: RunOptions): Promise<CallResult> {
  const capability = target.kind === 'server' ? expectCapability(request.key, target.routes) : undefined;
  const limitMs = timeoutMs ?? (capability && Math.max(SERVER_MS, (capability.facts.timeoutMs ?? 0) + LATE_MS));
  const limit = startLimit(limitMs);
  const signal = request.signal === undefined ? limit.signal : AbortSignal.any([request.signal, limit.signal]);
  const own = { ...request, signal, on: limit.watch(request.on ?? {}) };
  try {
    return await Promise.race([makeCall(target, capability, own), limit.over]);
  } finally {
    limit.stop();
  }
}

/** The default limit of a server, milliseconds. */
const SERVER_MS = 60_000;
/** The time that an answer needs for its way, after the capability's own limit, milliseconds. */
const LATE_MS = 5_000;

/** A call in this process does not load the client of a server. */
async function makeCall(
  target: RunTarget,
  capability: Listed | undefined,
  request: CallRequest & { readonly signal: AbortSignal },
): Promise<CallResult> {
  if (target.kind === 'here' || capability === undefined) return (target as RunTarget & { kind: 'here' }).call(request);
  const { callServer } = await import('./call-server.ts');
  const headers = { ...target.headers, ...request.headers };
  return callServer(capability, { ...request, headers, baseUrl: target.url });
}

/** A limit of time that each sign of the call begins anew. */
function startLimit(timeoutMs: number | undefined) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const begin = (): void => {
    stop();
    if (timeoutMs !== undefined) timer = setTimeout(() => controller.abort(new CallTimeout(timeoutMs)), timeoutMs);
  };
  begin();
  const over = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error));
  });
  over.catch(() => {});
  const watch = ({ onItem, onMessage, ask }: CallEvents): CallEvents => ({
    onItem: (item) => {
      begin();
      onItem?.(item);
    },
    onMessage: (text) => {
      begin();
      onMessage?.(text);
    },
    ask:
      ask &&
      (async (question) => {
        stop();
        return ask(question).finally(begin);
      }),
  });
  return { signal: controller.signal, over, watch, stop };
}

export interface CallQuestion {
  readonly key: string;
  readonly input: CallInput;
}

export interface CallRequest extends CallQuestion {
  readonly headers: RequestHeaders;
  /** Ends the call, and leaves a stream. */
  readonly signal?: AbortSignal | undefined;
  /** Told what happens while the call runs. */
  readonly on?: CallEvents | undefined;
}

export interface CallEvents {
  /** An item of a stream, as JSON has it. */
  readonly onItem?: ((item: unknown) => void) | undefined;
  /** A message of `ctx.progress` or `ctx.log`, in one line. */
  readonly onMessage?: ((text: string) => void) | undefined;
  /** Asks the user what the capability wants to know. @default questions are refused */
  readonly ask?: AskUser | undefined;
}

/** A question of a capability to its user, to be answered with a form. */
export interface AskedQuestion {
  readonly message: string;
  readonly schema: JsonSchema;
  /** The answer of before, where that did not fit; `problems` say why. */
  readonly content?: unknown;
  readonly problems: readonly FieldProblem[];
}

/** Asks the user, who may decline or cancel. */
export type AskUser = (question: AskedQuestion) => Promise<Elicited>;

/** The end of a call. */
export interface CallResult {
  /** The HTTP status. */
  readonly status: number;
  readonly durationMs: number;
  /** The answer that a caller over HTTP gets. The items of a stream are a list in `data`. */
  readonly body: unknown;
  /** The facts that only an answer over HTTP has. */
  readonly http?: HttpResponse | undefined;
  /** The facts that only the code in this process has of a call that failed. */
  readonly failure?: CallFailure | undefined;
}

export interface HttpResponse {
  /** In their order; one name may come more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The size of the body as it came. */
  readonly bytes: number;
}

/** The context that a call ran with: the stub, that of the project, or the one of `--context`. */
export type ContextKind = 'stub' | 'project' | 'given';

export interface CallFailure {
  readonly context: ContextKind;
  /** Whether the capabilities file exports a context that headers would build. */
  readonly hasContext: boolean;
  readonly refusedBy?: { readonly name: string; readonly sawInput?: boolean | undefined } | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The value that nobody foresaw, which a caller is not told. */
  readonly thrown?: { readonly message: string; readonly stack: string } | undefined;
  /** The place in the source that threw it, with the lines around it. */
  readonly frame?: string | undefined;
  readonly place?: SourcePlace | undefined;
}

/** Between the screen and the process that runs the project's code. The first question is `load`. */
export interface CallProtocol {
  /** The answer of the user to the question of that number. */
  readonly order: { readonly id: number; readonly answer: Elicited };
  readonly note: never;
  readonly questions: {
    readonly load: { readonly question: LoadCode; readonly progress: never; readonly answer: LoadFailure | undefined };
    readonly validate: {
      readonly question: CallQuestion;
      readonly progress: never;
      readonly answer: readonly FieldProblem[];
    };
    /** It is refused where the capability is not called. */
    readonly call: {
      readonly question: CallQuestion & {
        readonly headers: RequestHeaders;
        /** Whether somebody is there to answer what the capability asks. */
        readonly canAsk: boolean;
      };
      readonly progress: CallProgress;
      readonly answer: CallResult;
    };
  };
}

export type CallProgress =
  | { readonly kind: 'question'; readonly id: number; readonly question: AskedQuestion }
  | { readonly kind: 'items'; readonly items: readonly unknown[] }
  | { readonly kind: 'message'; readonly text: string };

export interface LoadCode {
  readonly project: Project;
  /** Added to the environment. */
  readonly variables: Variables;
}
