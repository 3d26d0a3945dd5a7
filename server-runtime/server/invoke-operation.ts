import type { EndOfCall } from '../capability/after-success.ts';
import type { CallerTools, CallRequest } from '../capability/call-request.ts';
import type { BuilderRequest, CallingClient } from '../capability/context.ts';
import type { CapabilityAt, GroupTree, InputTo } from '../capability/group-tree.ts';
import { isReply, toReplyData } from '../capability/reply.ts';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure, type MaybePromise, type Outcome, toFailure, toTimeout } from '../errors/failure.ts';
import { findRequestId, type RequestScope, resourcesOf } from '../execution/request-scope.ts';
import { toSafeInput } from '../input/safe-input.ts';
import { findItemSource, isResponse, untilAborted } from '../resources/item-source.ts';
import type { Application } from './application.ts';
import { toBoundedValue } from './bounded-value.ts';

/** A call of one capability from inside the process, whatever its input. */
export interface InvocationTo<Key extends string> {
  /** Key: `users.getUser`. */
  readonly capability: Key;
  /** Given to the context builder; names in any case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the call when it fires, and a stream that the call gave. */
  readonly signal?: AbortSignal | undefined;
}

/** A call from inside the process. */
export interface Invocation extends InvocationTo<string> {
  /** Validated as it is: nothing is coerced. Plain objects and arrays may be nested 64 levels deep. @default {} */
  readonly input?: unknown;
}

/** A call of the capability with this key, with its input. */
export type InvocationOf<Tree extends GroupTree, Key extends string> = InvocationTo<Key> &
  InvocationInput<CapabilityAt<Tree, Key>>;

// Not distributive: the compiler would work out the input of every capability to know that of one.
/** The input of a capability; it may be left out where `{}` is one. */
export type InvocationInput<One> = [Record<never, never>] extends [InputTo<One>]
  ? { readonly input?: InputTo<One> | undefined }
  : { readonly input: InputTo<One> };

/** Which way a call came in. */
export interface Door {
  /** Told to contexts and hooks. @default 'invoke' */
  readonly transport?: string | undefined;
  readonly remoteAddress?: string | undefined;
  /** Reaches the caller while the call runs. */
  readonly caller?: CallerTools | undefined;
  /** The caller as the application knows it, told to contexts. */
  readonly identity?: unknown;
  /** The program that calls, told to contexts. */
  readonly client?: CallingClient | undefined;
  /** The timeout in place of the server's, for a capability that declares none, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Whether the input has been walked for its depth and unsafe keys. @default false */
  readonly isSafe?: boolean | undefined;
  /** Told when the handler has ended, which may be after the outcome. */
  readonly onEnd?: (() => void) | undefined;
  /** Looks at the input once the guards have passed, before it is validated, and gives it back or refuses it. */
  readonly checkInput?: ((input: unknown) => MaybePromise<Outcome>) | undefined;
  /**
   * Makes the answer of the handler's value within the time of the call; the signal fires when that is over. By default
   * the value is the answer, and a stream ends with the time and the caller of the call.
   */
  readonly finish?: ((value: unknown, signal: AbortSignal) => MaybePromise<unknown>) | undefined;
}

/** Runs one capability through context, guards, validation and handler, and tells the hooks. Never rejects. */
export function invokeOperation(app: Application, invocation: Invocation, door: Door = {}): Promise<Outcome> {
  const { onRequest, onResponse } = app.hooks;
  const startedAtMs = onResponse === undefined ? 0 : performance.now();
  const { transport = 'invoke', remoteAddress, caller, identity, client } = door;
  const { capability, headers } = invocation;
  const { newRequestId } = app;
  const told = { transport, remoteAddress, caller, identity, client };
  const request = new InvokedRequest({ capability, headers, newRequestId, ...told });
  onRequest?.(request);
  return new Promise((resolve) => {
    const end = (outcome: Outcome, status: number): void => {
      onResponse?.({ request, capability: request.capability, status, durationMs: performance.now() - startedAtMs });
      resolve(outcome);
    };
    const refuse = (reason: Failure): void => {
      report(app, request, reason);
      end({ ok: false, failure: reason }, reason.status);
    };
    run({ app, invocation, door, request }, { succeed: (value, status) => end({ ok: true, value }, status), refuse });
  });
}

interface Run {
  readonly app: Application;
  readonly invocation: Invocation;
  readonly door: Door;
  readonly request: InvokedRequest;
}

interface Ends {
  readonly succeed: (value: unknown, status: number) => void;
  readonly refuse: (reason: Failure) => void;
}

function run({ app, invocation, door, request }: Run, { succeed, refuse }: Ends): void {
  const operation = app.registry.find(invocation.capability);
  if (operation === undefined)
    return refuse(failure(defaultErrors.NotFound, `There is no capability '${invocation.capability}'.`));
  request.capability = operation.key;
  // Deadlines do not keep a process alive; a call that is waited for must.
  const alive = setInterval(() => {}, 2 ** 30);
  const stop = (): void => {
    clearInterval(alive);
    invocation.signal?.removeEventListener('abort', leave);
  };
  const scope: RequestScope = app.openScope(operation.timeoutMs ?? door.timeoutMs, () => {
    stop();
    refuse(toTimeout(scope.timeoutMs));
  });
  request.scope = scope;
  const leave = (): void => {
    if (!scope.open) return;
    scope.abort(new DOMException('The caller left.', 'AbortError'));
    stop();
    refuse(toCancelled(invocation.signal));
  };
  if (invocation.signal?.aborted === true) return leave();
  invocation.signal?.addEventListener('abort', leave, { once: true });
  let status = 200;
  const finish = (value: unknown): MaybePromise<unknown> => {
    status = toStatus(value);
    return door.finish === undefined
      ? bound(value, { app, request, scope, invocation })
      : door.finish(value, scope.signal);
  };
  const source = { readInput: () => readInput(invocation, door) };
  const { onEnd } = door;
  app.execute({ operation, request, scope, source, finish, onEnd }, (outcome) => {
    stop();
    if (outcome.ok) succeed(outcome.value, status);
    else refuse(outcome.failure);
  });
}

function readInput({ input = {} }: Invocation, { checkInput, isSafe = false }: Door): MaybePromise<Outcome> {
  const safe = isSafe ? ({ ok: true, value: input } as const) : toSafeInput(input ?? {});
  return safe.ok && checkInput !== undefined ? checkInput(safe.value) : safe;
}

interface Handing extends Omit<Run, 'door'> {
  readonly scope: RequestScope;
}

function bound(value: unknown, { app, request, scope, invocation: { signal } }: Handing): unknown {
  return toBoundedValue(toReplyData(value), {
    scope,
    caller: signal,
    onEnd: (isTimeout) => {
      const reason = isTimeout ? toTimeout(scope.timeoutMs) : toCancelled(signal);
      report(app, request, reason);
      return reason;
    },
    onFault: (thrown) => report(app, request, toFailure(thrown)),
  });
}

/** The status that the answer would have over HTTP. */
function toStatus(value: unknown): number {
  if (isReply(value)) return value.status ?? 200;
  return typeof value === 'object' && value !== null && isResponse(value) ? value.status : 200;
}

function toCancelled(signal: AbortSignal | undefined): Failure {
  return { ...failure(defaultErrors.ServiceUnavailable, 'The call was cancelled'), cause: signal?.reason };
}

function report({ hooks }: Application, request: InvokedRequest, reason: Failure): void {
  hooks.onError?.({ request, capability: request.capability, failure: reason, error: reason.cause });
}

export interface InvokedRequestOptions {
  /** Key as it was asked for. */
  readonly capability: string;
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly transport: string;
  readonly remoteAddress: string | undefined;
  readonly caller: CallerTools | undefined;
  readonly identity: unknown;
  readonly client?: CallingClient | undefined;
  readonly newRequestId: () => string;
}

/** A call without a route, as context builders and hooks see it. */
export class InvokedRequest implements BuilderRequest, CallRequest {
  readonly method = 'INVOKE';
  readonly path: string;
  readonly url: string;
  readonly headers: BuilderRequest['headers'];
  readonly transport: string;
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
  readonly caller: CallerTools | undefined;
  readonly identity: unknown;
  readonly client: CallingClient | undefined;
  /** Key of the capability; undefined where there is none of this key. */
  capability: string | undefined = undefined;
  endOfCall: EndOfCall | undefined = undefined;
  /** Set once the capability is found. */
  scope: RequestScope | undefined = undefined;

  constructor({ capability, headers = {}, newRequestId, ...door }: InvokedRequestOptions) {
    this.path = capability;
    this.url = capability;
    this.headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    this.transport = door.transport;
    this.remoteAddress = door.remoteAddress;
    this.caller = door.caller;
    this.identity = door.identity;
    this.client = door.client;
    this.requestId = findRequestId(this.headers['x-request-id']) ?? newRequestId();
  }

  /** Without a capability, a signal that never fires; a new one each time, so that no listeners gather. */
  get signal(): AbortSignal {
    return this.scope?.signal ?? new AbortController().signal;
  }

  /** @throws Error before the capability is found */
  get resources(): BuilderRequest['resources'] {
    return resourcesOf(this.scope);
  }
}

/**
 * Runs one attempt at a job as a call, without a time limit unless its capability declares one. A stream is read to its
 * end. Fulfils when the handler has ended, also one that outlives its timeout. Never rejects.
 */
export async function invokeJob(app: Application, invocation: Invocation): Promise<Outcome> {
  let onEnd = (): void => {};
  const ended = new Promise<void>((resolve) => (onEnd = resolve));
  const door = { transport: 'queue', timeoutMs: MAX_TIMEOUT_MS, finish: readToEnd, onEnd };
  const outcome = await invokeOperation(app, invocation, door);
  await ended;
  return outcome;
}

async function readToEnd(value: unknown, signal: AbortSignal): Promise<void> {
  const source = findItemSource(toReplyData(value));
  if (source === undefined) return;
  try {
    while ((await untilAborted(source.next(), signal)).done !== true);
  } finally {
    await source.end();
  }
}
