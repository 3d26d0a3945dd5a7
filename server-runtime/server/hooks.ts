import type { CallRequest, ContextRequest } from '../capability/context.ts';
import { toTraceId } from '../capability/trace-parent.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import type { Failure } from '../errors/failure.ts';
import { isPromise } from '../errors/maybe-promise.ts';
import { type AccessLogOptions, type Logger, type SafeLogger, toLinePart } from './logger.ts';

export interface AnsweredRequest {
  readonly request: ContextRequest;
  /** Undefined when no route matched. */
  readonly capability: string | undefined;
  /** 499 where the caller has left before there was an answer. */
  readonly status: number;
  /** The time from its first byte to its response, milliseconds. */
  readonly durationMs: number;
}

export interface FailedRequest extends Pick<AnsweredRequest, 'request' | 'capability'> {
  readonly failure: Failure;
  /** The thrown value; undefined where the framework itself refused. */
  readonly error: unknown;
}

export interface GivenUpJob {
  readonly capability: string;
  readonly jobId: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly failure: Failure;
}

/** Looks on; cannot change anything. An error inside a hook is logged. */
export interface Hooks {
  /** A request has arrived. */
  readonly onRequest?: ((request: ContextRequest) => void | Promise<void>) | undefined;
  /** A request has its answer, whatever it is, or its caller has left: status 499. */
  readonly onResponse?: ((answered: AnsweredRequest) => void | Promise<void>) | undefined;
  /** A request did not succeed; before `onResponse`. */
  readonly onError?: ((failed: FailedRequest) => void | Promise<void>) | undefined;
  /** A job is not tried again. */
  readonly onJobGivenUp?: ((job: GivenUpJob) => void | Promise<void>) | undefined;
  /**
   * The server has started, or is about to stop and still serves. A hook that informs a load balancer reports it there.
   */
  readonly onReadiness?: ((readiness: Readiness) => void | Promise<void>) | undefined;
}

export interface Readiness {
  /** Whether a balancer may send requests. */
  readonly isReady: boolean;
}

export const hookNames: OptionNames<Hooks> = {
  onRequest: true,
  onResponse: true,
  onError: true,
  onJobGivenUp: true,
  onReadiness: true,
};

/** All hooks of one kind as one function that never throws; undefined where there are none. */
export type CompiledHooks = {
  readonly [Name in keyof Hooks]-?:
    | ((event: Parameters<NonNullable<Hooks[Name]>>[0]) => void)
    | undefined;
};

type Hook = (event: unknown) => unknown;

export function compileHooks(all: readonly Hooks[], logger: Logger): CompiledHooks {
  const compile = <Name extends keyof Hooks>(name: Name): CompiledHooks[Name] => {
    const hooks = all.flatMap((each) => (each[name] as Hook | undefined) ?? []);
    const report = (error: unknown): void =>
      logger.error(`[capix] The ${name} hook failed; the request was answered all the same.`, {
        error,
      });
    const run = (event: unknown): void => {
      for (const hook of hooks) {
        try {
          const done = hook(event);
          if (isPromise(done)) done.then(undefined, report);
        } catch (error) {
          report(error);
        }
      }
    };
    return hooks.length === 0 ? undefined : run;
  };
  return {
    onRequest: compile('onRequest'),
    onResponse: compile('onResponse'),
    onError: compile('onError'),
    onJobGivenUp: compile('onJobGivenUp'),
    onReadiness: compile('onReadiness'),
  };
}

/**
 * The hooks of `accessLog`: they write a line for each answered request, `GET /items/7 200 in 3 ms`. It has no query,
 * which may hold secrets.
 */
export function toAccessHooks(
  accessLog: boolean | AccessLogOptions,
  logger: SafeLogger,
): readonly Hooks[] {
  if (accessLog === false) return [];
  const options = accessLog === true ? {} : accessLog;
  expectKnownOptions('createServer({accessLog})', options, { filter: true, level: true });
  const { filter = () => true, level = toUsualLevel } = options;
  const onResponse: Hooks['onResponse'] = ({
    request,
    capability,
    status,
    durationMs: exactMs,
  }) => {
    const { requestId, transport, method, route, remoteAddress } = request;
    const { shownPath: path = request.path, traceparent } = request as CallRequest;
    const durationMs = Math.round(exactMs * 10) / 10;
    const details = {
      requestId,
      transport,
      method,
      path,
      route,
      capability,
      status,
      durationMs,
      remoteAddress,
      ...(traceparent !== undefined && { traceId: toTraceId(traceparent) }),
    };
    if (!filter(details)) return;
    const place = toLinePart(`${method} ${path}`);
    logger[level(details)](`[capix] ${place} ${status} in ${durationMs} ms`, details);
  };
  return [{ onResponse }];
}

/**
 * Callers leave every day: 499. A job is tried again, and has a line of its own after its last attempt: an attempt that
 * fails is not an alarm.
 */
function toUsualLevel({
  status,
  transport,
}: {
  readonly status: number;
  readonly transport: string;
}): 'error' | 'warn' | 'info' {
  if (status >= 500) return transport === 'queue' ? 'warn' : 'error';
  if (status === 499) return 'info';
  return status >= 400 ? 'warn' : 'info';
}
