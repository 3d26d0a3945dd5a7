import type { ContextRequest } from '../capability/context.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure } from '../errors/failure.ts';
import type { Outcome } from '../errors/outcome.ts';
import { findRequestId } from '../execution/request-id.ts';
import type { RequestScope } from '../execution/request-scope.ts';
import { isTooDeep, tooDeepMessage } from '../input/input-depth.ts';
import type { Application } from './transport.ts';

/** A call from inside the process. */
export interface Invocation {
  /** Key: `users.getUser`. */
  readonly capability: string;
  /** Validated as it is: nothing is coerced. Plain objects and arrays may be nested 64 levels deep. @default {} */
  readonly input?: unknown;
  /** Given to the context builder; names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call when it fires. */
  readonly signal?: AbortSignal;
}

/** Runs one capability through context, guards, validation and handler. Never rejects. */
export function invokeOperation(app: Application, invocation: Invocation): Promise<Outcome> {
  const operation = app.registry.find(invocation.capability);
  if (operation === undefined) {
    return Promise.resolve({
      ok: false,
      failure: failure(defaultErrors.NotFound, `There is no capability '${invocation.capability}'.`),
    });
  }
  return new Promise((resolve) => {
    // Deadlines do not keep a process alive; a call that is waited for must.
    const alive = setInterval(() => {}, 2 ** 30);
    const end = (outcome: Outcome): void => {
      clearInterval(alive);
      invocation.signal?.removeEventListener('abort', leave);
      if (!outcome.ok) report(outcome.failure);
      resolve(outcome);
    };
    const scope = app.openScope(operation.timeoutMs, () => end({ ok: false, failure: failure(defaultErrors.Timeout) }));
    const leave = (): void => {
      if (!scope.open) return;
      scope.abort(new DOMException('The caller left.', 'AbortError'));
      end({
        ok: false,
        failure: {
          ...failure(defaultErrors.ServiceUnavailable, 'The call was cancelled'),
          cause: invocation.signal?.reason,
        },
      });
    };
    const request = toRequest(app, invocation, scope);
    const report = (reason: Failure): void =>
      app.hooks.onError?.({ request, capability: operation.key, failure: reason, error: reason.cause });
    if (invocation.signal?.aborted === true) return leave();
    invocation.signal?.addEventListener('abort', leave, { once: true });
    app.execute({ operation, request, scope, source: { readInput: () => readInput(invocation) } }, end);
  });
}

function readInput({ input }: Invocation): Outcome {
  if (isTooDeep(input)) return { ok: false, failure: failure(defaultErrors.BadRequest, tooDeepMessage('The input')) };
  return { ok: true, value: input ?? {} };
}

function toRequest(app: Application, invocation: Invocation, scope: RequestScope): ContextRequest {
  const headers = Object.fromEntries(
    Object.entries(invocation.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    method: 'INVOKE',
    path: invocation.capability,
    url: invocation.capability,
    headers,
    remoteAddress: undefined,
    requestId: findRequestId(headers['x-request-id']) ?? app.newRequestId(),
    get signal() {
      return scope.signal;
    },
  };
}
