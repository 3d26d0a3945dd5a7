import type { Elicited } from '../../server-runtime/capability/context.ts';
import type { JsonSchema } from '../../server-runtime/schema/json-schema.ts';
import type { FieldProblem } from '../../server-runtime/schema/received.ts';
import { createCliError } from '../cli/cli-error.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import type { SourcePlace } from '../manifest/find-source-place.ts';
import type { Listed } from '../manifest/manifest.ts';
import type { Marks } from '../record/call-marks.ts';
import type { CallInput } from './call-input.ts';
import { toNoAnswer } from './no-answer.ts';

/** Names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

export type RunTarget =
  /** The project's code, without a server. */
  | { readonly kind: 'here'; readonly call: (request: CallRequest) => Promise<CallResult> }
  /** `url`: without a slash at its end. `headers`: sent with every call to it. */
  | {
      readonly kind: 'server';
      readonly url: string;
      readonly headers: RequestHeaders;
      readonly routes: readonly Listed[];
      /** The path of its WebSockets, where calls go over one. */
      readonly socketPath?: string | undefined;
      /** Absolute path of the project: a `capix dev` of it at that address says why a call failed. */
      readonly root: string;
    };

export interface CallQuestion {
  readonly key: string;
  readonly input: CallInput;
}

export interface CallRequest extends CallQuestion {
  readonly headers: RequestHeaders;
  /** Whether to wait until a `capix dev` of the project has written down the `marks`. @default false */
  readonly wantsMarks?: boolean | undefined;
  /** Ends the call, and leaves a stream. */
  readonly signal?: AbortSignal | undefined;
  readonly on?: CallEvents | undefined;
}

export interface CallEvents {
  /** An item of a stream, as JSON has it. */
  readonly onItem?: ((item: unknown) => void) | undefined;
  readonly onLine?: ((line: LoggedLine) => void) | undefined;
  /** Asks the user what the capability wants to know. @default questions are refused */
  readonly ask?: AskUser | undefined;
}

/**
 * A message of `ctx.progress` or `ctx.log`. Where the code runs in a process of its own, it is also what that prints,
 * perhaps after the end of the call.
 */
export interface LoggedLine {
  readonly text: string;
  readonly isError: boolean;
}

/** A question of a capability to its user, to be answered with a form. */
export interface UserQuestion {
  readonly message: string;
  readonly schema: JsonSchema;
  /** The answer of before, where that did not fit; `problems` say why. */
  readonly content?: unknown;
  readonly problems: readonly FieldProblem[];
}

export type AskUser = (question: UserQuestion) => Promise<Elicited>;

export interface CallResult {
  readonly status: number;
  readonly durationMs: number;
  /** The answer that a caller over HTTP gets. The items of a stream are a list in `data`. */
  readonly body: unknown;
  /** The headers of an answer over HTTP, in their order, where one name may occur more than once, and its size. */
  readonly http?:
    | { readonly headers: readonly (readonly [string, string])[]; readonly bytes: number }
    | undefined;
  /** Whether something on the way, as a proxy or a sign-in page, answers that the address is another one. */
  readonly isRedirected?: boolean | undefined;
  /** Where its time went, of a call in a process of the tool, or of one to `capix dev` that `wantsMarks`. */
  readonly marks?: Marks | undefined;
  /** Why a call failed in this process or under `capix dev`, which no caller over HTTP would get. */
  readonly failure?: CallFailure | undefined;
}

export interface CallFailure {
  /** The next steps of the user, a sentence or two each. */
  readonly hints: readonly string[];
  /** The value that nobody foresaw. */
  readonly thrown?: { readonly message: string; readonly stack: string } | undefined;
  /** The place in the source that threw it, and the lines around it. */
  readonly place?: SourcePlace | undefined;
  readonly frame?: string | undefined;
}

/** Whether an answer says that the call did not succeed: by its status, or as somebody else's redirect. */
export function hasFailed({ status, isRedirected = false }: CallResult): boolean {
  return status >= 400 || isRedirected;
}

/**
 * Calls a capability: for the screen, for the command line and for saved calls. `timeoutMs`: the longest silence,
 * without an answer, an item or a line; by default for a server a minute, or the time limit of the capability. The code
 * here has its own. Questions to the user do not count.
 *
 * @throws CliError `NoAnswer` after it, or of a server that gives none; MissingFile
 */
export async function performCall(
  target: RunTarget,
  { timeoutMs, ...request }: CallRequest & { readonly timeoutMs?: number | undefined },
): Promise<CallResult> {
  const capability =
    target.kind === 'server' ? expectCapability(request.key, target.routes) : undefined;
  const limitMs =
    timeoutMs ?? (capability && Math.max(SERVER_MS, (capability.facts.timeoutMs ?? 0) + LATE_MS));
  const limit = new AbortController();
  const signal = AbortSignal.any([
    limit.signal,
    ...(request.signal === undefined ? [] : [request.signal]),
  ]);
  const over = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error));
  });
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    clearTimeout(timer);
    if (limitMs !== undefined)
      timer = setTimeout(() => limit.abort(toTimeout(target, limitMs)), limitMs);
  };
  const { onItem, onLine, ask } = request.on ?? {};
  const on: CallEvents = {
    onItem: (item) => {
      begin();
      onItem?.(item);
    },
    onLine: (line) => {
      begin();
      onLine?.(line);
    },
    ask:
      ask &&
      ((question) => {
        clearTimeout(timer);
        return ask(question).finally(begin);
      }),
  };
  begin();
  try {
    const sent = { ...request, signal, on };
    if (target.kind === 'here') return await Promise.race([target.call(sent), over]);
    const headers = { ...target.headers, ...request.headers };
    const answer = callTarget(target, { ...sent, headers }).catch((thrown: unknown) => {
      throw toNoAnswer(target.url, thrown);
    });
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** A call in this process does not load the clients of a server. */
async function callTarget(
  { url: baseUrl, routes, socketPath: path, root }: RunTarget & { readonly kind: 'server' },
  request: CallRequest,
): Promise<CallResult> {
  if (path !== undefined) {
    const { callSocket } = await import('./call-socket.ts');
    return callSocket({ ...request, baseUrl, path });
  }
  const { callServer } = await import('./call-server.ts');
  const result = await callServer(expectCapability(request.key, routes), { ...request, baseUrl });
  const { wantsMarks = false, on } = request;
  if (result.status < 500 && !wantsMarks) return result;
  const { findDevFailure, findDevMarks } = await import('./dev-record.ts');
  const call = { root, url: baseUrl, result, on };
  const failure = await findDevFailure(call);
  return { ...result, failure, marks: wantsMarks ? await findDevMarks(call) : undefined };
}

const SERVER_MS = 60_000;
/** The time that an answer needs for its way, after the capability's own limit, milliseconds. */
const LATE_MS = 5_000;

function toTimeout(target: RunTarget, limitMs: number): Error {
  const reason = `it said nothing for ${limitMs < 1000 ? `${limitMs} ms` : `${limitMs / 1000} s`}`;
  const url = target.kind === 'server' ? target.url : 'the code in this process';
  return createCliError('NoAnswer', { url, reason }, { hint: 'Give it longer with --timeout.' });
}
