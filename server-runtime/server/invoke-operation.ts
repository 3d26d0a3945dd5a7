import type { BuilderRequest, CallRequest } from '../capability/context.ts';
import type { CapabilityAt, GroupTree, InputTo } from '../capability/group-tree.ts';
import { isReply, toReplyData } from '../capability/reply.ts';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import { defaultErrors } from '../errors/define-error.ts';
import {
  type Failure,
  failure,
  type MaybePromise,
  type Outcome,
  toFailure,
  toTimeout,
} from '../errors/failure.ts';
import { OperationCall, toRequestId } from '../execution/operation-call.ts';
import { toSafeInput } from '../input/safe-input.ts';
import {
  findItemSource,
  guarded,
  type ItemSource,
  isResponse,
  throughItems,
} from '../resources/item-source.ts';
import type { Application } from './create-server.ts';
import type { Call } from './transport.ts';

export type Invocation = Omit<Call, 'remoteAddress'>;

export type InvocationOf<Tree extends GroupTree, Key extends string> = Pick<
  Call,
  'headers' | 'signal'
> & {
  readonly capability: Key;
} & InvocationInput<CapabilityAt<Tree, Key>>;

/** The input of a capability; it may be left out where `{}` is one. Not distributive, which would work out all. */
export type InvocationInput<One> = [Record<never, never>] extends [InputTo<One>]
  ? { readonly input?: InputTo<One> | undefined }
  : { readonly input: InputTo<One> };

/** Which way a call came in, and what that way does with input and answer. */
interface InvokeOptions
  extends Partial<
    Pick<CallRequest, 'transport' | 'remoteAddress' | 'identity' | 'client' | 'caller'>
  > {
  /** Whether failures that nobody foresaw are logged, because whoever is answered does not see what was thrown. */
  readonly isLogged?: boolean | undefined;
  /** Told when the handler has ended, which may be after the outcome. */
  readonly onEnd?: (() => void) | undefined;
  /** Takes an input, which is safe already, once the guards have passed. @default refuses what is nested too deep */
  readonly checkInput?: ((input: unknown) => MaybePromise<Outcome>) | undefined;
  /** Makes the answer of the handler's value until the signal fires. @default the value, bound to the call's time */
  readonly finish?: ((value: unknown, signal: AbortSignal) => MaybePromise<unknown>) | undefined;
}

/** Runs one capability through context, guards, validation and handler, and tells the hooks. Never rejects. */
export function invokeOperation(
  app: Application,
  invocation: Invocation,
  options: InvokeOptions = {},
): Promise<Outcome> {
  const startedAtMs = performance.now();
  const { hooks } = app;
  const { capability, input, signal } = invocation;
  const { checkInput = (given) => toSafeInput(given ?? {}), finish } = options;
  const call = toInvokedCall(invocation, options);
  const report = (reason: Failure): void => {
    const { cause: error } = reason;
    if (reason.unexpected === true && options.isLogged === true)
      app.logger.error(`[capix] ${capability} failed`, { requestId: call.requestId, error });
    hooks.onError?.({ request: call, capability: call.capability, failure: reason, error });
  };
  hooks.onRequest?.(call);
  return new Promise((resolve) => {
    const operation = app.registry.find(capability);
    call.capability = operation?.key;
    let status = 200;
    /** The stream that the call has given: it outlives the call's time, and its caller may leave it. */
    let stream: ItemSource | undefined;
    // Deadlines do not keep a process alive; a call that is waited for must.
    const alive = setInterval(() => {}, 2 ** 30);
    const done = (outcome: Outcome): void => {
      clearInterval(alive);
      if (stream === undefined) signal?.removeEventListener('abort', leave);
      if (!outcome.ok) {
        ({ status } = outcome.failure);
        report(outcome.failure);
      }
      const durationMs = performance.now() - startedAtMs;
      hooks.onResponse?.({ request: call, capability: call.capability, status, durationMs });
      resolve(outcome);
    };
    const refuse = (reason: Failure): void => done({ ok: false, failure: reason });
    function leave(): void {
      const end = call.isOpen ? refuse : report;
      call.abort(new DOMException('The caller left.', 'AbortError'));
      void stream?.end();
      end({
        ...failure(defaultErrors.ServiceUnavailable, 'The call was cancelled'),
        cause: signal?.reason,
      });
    }
    const onEnd = (_isWhole: boolean, fault?: unknown): void => {
      signal?.removeEventListener('abort', leave);
      if (fault !== undefined && !call.signal.aborted) report(toFailure(fault));
    };
    if (operation === undefined)
      return refuse(failure(defaultErrors.NotFound, `There is no capability '${capability}'.`));
    call.timeoutMs = operation.timeoutMs ?? app.timeoutMs;
    call.onTimeout = () => refuse(toTimeout(call.timeoutMs));
    if (signal?.aborted === true) return leave();
    signal?.addEventListener('abort', leave, { once: true });
    call.readInput = () => checkInput(input);
    call.finish = (value) => {
      status = (isReply(value) || isResponse(value) ? value.status : undefined) ?? 200;
      if (finish !== undefined) return finish(value, call.signal);
      const data = toReplyData(value);
      return (
        throughItems(
          data,
          (source) => (stream = guarded(source, { signal: call.signal, onEnd })),
        ) ?? data
      );
    };
    call.onEnd = options.onEnd;
    app.execute(operation, call, done);
  });
}

/** A call without a route, as context builders and hooks see it; its path is the key as it was asked for. */
export function toInvokedCall(
  { capability: path, headers: given = {} }: Invocation,
  { transport = 'invoke', remoteAddress, caller, identity, client }: InvokeOptions,
): BuilderRequest & CallRequest & OperationCall {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const requestId = toRequestId(headers['x-request-id']);
  const facts = { method: 'INVOKE', path, url: path, headers, transport, remoteAddress, requestId };
  return Object.assign(new OperationCall(), facts, { caller, identity, client });
}

/** Runs one attempt at a job. Fulfils when the handler has ended, also one that outlives its timeout. Never rejects. */
export async function invokeJob(app: Application, invocation: Invocation): Promise<Outcome> {
  let onEnd = (): void => {};
  const ended = new Promise<void>((resolve) => (onEnd = resolve));
  const patient = { ...app, timeoutMs: MAX_TIMEOUT_MS };
  const outcome = await invokeOperation(patient, invocation, {
    transport: 'queue',
    finish: readToEnd,
    onEnd,
  });
  // Of a capability that there is not, nothing ends.
  if (app.registry.find(invocation.capability) !== undefined) await ended;
  return outcome;
}

async function readToEnd(value: unknown, signal: AbortSignal): Promise<void> {
  const source = findItemSource(toReplyData(value));
  const items = source && guarded(source, { signal, onEnd: source.end });
  while (items !== undefined && (await items.next()).done !== true);
}
