import type { CallerTools, CallRequest } from '../capability/call-request.ts';
import type { BuilderRequest, ContextRequest } from '../capability/context.ts';
import type { CapabilityAt, GroupTree, InputTo } from '../capability/group-tree.ts';
import { isReply, toReplyData } from '../capability/reply.ts';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import {
  type Failure,
  failure,
  type MaybePromise,
  type Outcome,
  toError,
  toFailure,
  toTimeout,
} from '../errors/failure.ts';
import { CallOfRequest, findRequestId, type RequestScope } from '../execution/request-scope.ts';
import { toSafeInput } from '../input/safe-input.ts';
import {
  findItemSource,
  guarded,
  type ItemSource,
  isResponse,
  throughItems,
  untilAborted,
} from '../resources/item-source.ts';
import type { Application } from './create-application.ts';
import type { Call } from './transport.ts';

export interface InvocationTo<Key extends string> extends Pick<Call, 'headers' | 'signal'> {
  /** Key: `users.getUser`. */
  readonly capability: Key;
}

/** A call from inside the process. */
export type Invocation = Omit<Call, 'remoteAddress'>;

export type InvocationOf<Tree extends GroupTree, Key extends string> = InvocationTo<Key> &
  InvocationInput<CapabilityAt<Tree, Key>>;

/** The input of a capability; it may be left out where `{}` is one. Not distributive, which would work out all. */
export type InvocationInput<One> = [Record<never, never>] extends [InputTo<One>]
  ? { readonly input?: InputTo<One> | undefined }
  : { readonly input: InputTo<One> };

/** Which way a call came in. */
export interface Door extends Partial<Pick<ContextRequest, 'transport' | 'remoteAddress' | 'identity' | 'client'>> {
  /** Reaches the caller while the call runs. */
  readonly caller?: CallerTools | undefined;
  /** The timeout in place of the server's, for a capability that declares none, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Whether the input has been walked for its depth and unsafe keys. @default false */
  readonly isSafe?: boolean | undefined;
  /** Told when the handler has ended, which may be after the outcome. */
  readonly onEnd?: (() => void) | undefined;
  /** Looks at the input once the guards have passed, before it is validated, and gives it back or refuses it. */
  readonly checkInput?: ((input: unknown) => MaybePromise<Outcome>) | undefined;
  /** Makes the answer of the handler's value until the signal fires. @default the value, bound to the call's time */
  readonly finish?: ((value: unknown, signal: AbortSignal) => MaybePromise<unknown>) | undefined;
}

/** Runs one capability through context, guards, validation and handler, and tells the hooks. Never rejects. */
export function invokeOperation(app: Application, invocation: Invocation, door: Door = {}): Promise<Outcome> {
  const startedAtMs = performance.now();
  const { hooks } = app;
  const { capability, signal } = invocation;
  const request = new InvokedRequest(invocation, door, app.newRequestId);
  hooks.onRequest?.(request);
  return new Promise((resolve) => {
    const operation = app.registry.find(capability);
    request.capability = operation?.key;
    let status = 200;
    // Deadlines do not keep a process alive; a call that is waited for must.
    const alive = setInterval(() => {}, 2 ** 30);
    const done = (outcome: Outcome): void => {
      clearInterval(alive);
      signal?.removeEventListener('abort', leave);
      if (!outcome.ok) {
        ({ status } = outcome.failure);
        report(app, request, outcome.failure);
      }
      const durationMs = performance.now() - startedAtMs;
      hooks.onResponse?.({ request, capability: request.capability, status, durationMs });
      resolve(outcome);
    };
    const refuse = (reason: Failure): void => done({ ok: false, failure: reason });
    if (operation === undefined)
      return refuse(failure(defaultErrors.NotFound, `There is no capability '${capability}'.`));
    const scope: RequestScope = app.openScope(operation.timeoutMs ?? door.timeoutMs, () =>
      refuse(toTimeout(scope.timeoutMs)),
    );
    request.scope = scope;
    function leave(): void {
      if (!scope.open) return;
      scope.abort(new DOMException('The caller left.', 'AbortError'));
      refuse(toCancelled(signal));
    }
    if (signal?.aborted === true) return leave();
    signal?.addEventListener('abort', leave, { once: true });
    const finish = (value: unknown): MaybePromise<unknown> => {
      status = toStatus(value);
      if (door.finish !== undefined) return door.finish(value, scope.signal);
      const data = toReplyData(value);
      if (typeof data !== 'object' || data === null) return data;
      return throughItems(data, (items) => toBoundedSource(items, { app, request, scope, signal })) ?? data;
    };
    const source = { readInput: () => readInput(invocation, door) };
    app.execute({ operation, request, scope, source, finish, onEnd: door.onEnd }, done);
  });
}

function readInput({ input = {} }: Invocation, { checkInput, isSafe = false }: Door): MaybePromise<Outcome> {
  const safe = isSafe ? ({ ok: true, value: input } as const) : toSafeInput(input ?? {});
  return safe.ok && checkInput !== undefined ? checkInput(safe.value) : safe;
}

interface Bounds {
  readonly app: Application;
  readonly request: InvokedRequest;
  readonly scope: RequestScope;
  readonly signal: AbortSignal | undefined;
}

/** A stream ends with an error when the time of its call is over, or its caller leaves. */
function toBoundedSource(source: ItemSource, { app, request, scope, signal: caller }: Bounds): ItemSource {
  const controller = new AbortController();
  const stop = (): void => {
    clearTimeout(timer);
    caller?.removeEventListener('abort', leave);
  };
  const end = (reason: Failure, name: string): void => {
    // Until it is answered, the call ends itself.
    if (scope.open) return;
    stop();
    scope.abort(new DOMException(reason.message, name));
    report(app, request, reason);
    controller.abort(toError(reason));
    void source.end();
  };
  const leave = (): void => end(toCancelled(caller), 'AbortError');
  const timer = setTimeout(() => end(toTimeout(scope.timeoutMs), 'TimeoutError'), scope.leftMs).unref();
  caller?.addEventListener('abort', leave, { once: true });
  return guarded(source, {
    signal: controller.signal,
    // While somebody waits for an item the process stays alive.
    run: (step) => {
      timer.ref();
      return step().finally(() => timer.unref());
    },
    onEnd: (_isWhole, fault) => {
      stop();
      if (fault !== undefined && !controller.signal.aborted) report(app, request, toFailure(fault));
    },
  });
}

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

/** A call without a route, as context builders and hooks see it; its path is the key as it was asked for. */
export class InvokedRequest extends CallOfRequest implements BuilderRequest, CallRequest {
  readonly method = 'INVOKE';
  readonly path: string;
  readonly url: string;
  readonly headers: BuilderRequest['headers'];
  readonly transport: string;
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
  readonly caller: CallerTools | undefined;
  readonly identity: unknown;
  readonly client: ContextRequest['client'];

  constructor({ capability, headers = {} }: InvocationTo<string>, door: Door, newRequestId: () => string) {
    super();
    this.path = capability;
    this.url = capability;
    this.headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    this.transport = door.transport ?? 'invoke';
    this.remoteAddress = door.remoteAddress;
    this.caller = door.caller;
    this.identity = door.identity;
    this.client = door.client;
    this.requestId = findRequestId(this.headers['x-request-id']) ?? newRequestId();
  }
}

/** Runs one attempt at a job. Fulfils when the handler has ended, also one that outlives its timeout. Never rejects. */
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
