import { expectCapability } from '../../manifest/expect-capability.ts';
import type { Listed } from '../../manifest/listed.ts';
import type { CallEvents, CallRequest, CallResult } from './call-protocol.ts';
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
