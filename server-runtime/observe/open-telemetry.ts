// The public surface of `capix/opentelemetry`.
import {
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { BaseContext, CallRequest } from '../capability/context.ts';
import type { Observer } from '../capability/run-capability.ts';
import { type Outcome, readThrown, toFailure } from '../errors/failure.ts';
import { isPromise, type MaybePromise } from '../errors/maybe-promise.ts';
import { definePlugin, type Plugin } from '../server/plugin.ts';

interface OpenTelemetryOptions {
  /** @default that of the globally registered SDK, named `capix` */
  readonly tracer?: Tracer | undefined;
  /** Whether guards, enhancers and the handler have spans of their own, inside that of the call. @default true */
  readonly steps?: boolean | undefined;
}

/**
 * A plugin that makes a span for each call, and inside it one for each guard, enhancer and handler. Where node:http is
 * instrumented, its span gets the name `GET /users/:id` and `http.route`; else that of the call continues the trace.
 */
export function openTelemetry(
  options: OpenTelemetryOptions = {},
): Plugin<Record<never, never>, BaseContext> {
  const { tracer = trace.getTracer('capix'), steps = true } = options;
  const observe: Observer = ({ kind: step, name, capability, intent }) => {
    if (step !== 'call') {
      const attributes = { 'capix.capability': capability, 'capix.step': step };
      if (!steps) return undefined;
      return (run) =>
        tracer.startActiveSpan(`${step} ${name}`, { attributes }, (span) => endWith(span, run));
    }
    return (run, request) => {
      const { route, method, headers, transport = 'invoke' } = request ?? {};
      const attributes = {
        'capix.capability': capability,
        'capix.intent': intent,
        ...(request?.route && toHttpAttributes(request)),
      };
      const end = (span: Span): MaybePromise<unknown> => {
        if (request !== undefined) nameTrace(request as CallRequest, span);
        return endWith(span, run);
      };
      const called = route === undefined ? capability : `${method} ${route}`;
      const outer = findOuterSpan(transport);
      // The instrumentation of node:http does not know routes. A span that is not of a server is the application's own.
      if (route !== undefined && outer?.kind === SpanKind.SERVER)
        outer.updateName(called).setAttribute('http.route', route);
      if (outer !== undefined) return tracer.startActiveSpan(capability, { attributes }, end);
      const kind = kinds[transport] ?? SpanKind.SERVER;
      const parent =
        headers === undefined ? context.active() : propagation.extract(context.active(), headers);
      return tracer.startActiveSpan(called, { kind, attributes }, parent, end);
    };
  };
  return definePlugin({ name: 'opentelemetry', observe });
}

type TakeSpan = (span: object) => void;

/**
 * A processor for the `spanProcessors` of an SDK: `capix dev` shows the spans of a call among what it waited for.
 * Elsewhere it does nothing.
 */
export function devSpans(): Record<'onStart' | 'onEnd', TakeSpan> &
  Record<'forceFlush' | 'shutdown', () => Promise<void>> {
  // The tool sets it, and knows whether a span begins or ends.
  const take: TakeSpan = (span) =>
    (Reflect.get(globalThis, Symbol.for('capix.spans')) as TakeSpan | undefined)?.(span);
  const end = async (): Promise<void> => {};
  return { onStart: take, onEnd: take, forceFlush: end, shutdown: end };
}

function toHttpAttributes(request: CallRequest) {
  const { method, route = '', path, shownPath = path } = request;
  return { 'http.request.method': method, 'http.route': route, 'url.path': shownPath };
}

/** A queue in memory runs a job in the context of the call that enqueued it, whose span has ended. */
function findOuterSpan(transport: string): (Span & { kind?: SpanKind }) | undefined {
  const active: ReturnType<typeof findOuterSpan> = trace.getActiveSpan();
  return transport === 'queue' && active?.kind !== SpanKind.CONSUMER ? undefined : active;
}

/** A job goes on with the trace of the call that enqueued it. */
const kinds: Readonly<Record<string, SpanKind>> = {
  invoke: SpanKind.INTERNAL,
  queue: SpanKind.CONSUMER,
};

/** Lets the log of the call, and the jobs that it enqueues, be part of its span. */
function nameTrace(request: CallRequest, span: Span): void {
  const made = span.spanContext();
  if (!isSpanContextValid(made)) return;
  const flags = made.traceFlags.toString(16).padStart(2, '0');
  request.traceparent = `00-${made.traceId}-${made.spanId}-${flags}`;
}

function endWith(span: Span, run: () => MaybePromise<unknown>): MaybePromise<unknown> {
  const end = (error?: { readonly name: string; readonly status: number }): void => {
    if (error !== undefined) span.setAttribute('error.type', error.name);
    if (error !== undefined && error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  const succeed = (result: unknown): unknown => {
    // A call gives an invalid input as a value.
    const outcome = Object(result) as Outcome;
    end(outcome.ok === false ? outcome.failure : undefined);
    return result;
  };
  const fail = (thrown: unknown): never => {
    const failure = toFailure(thrown);
    if (failure.unexpected === true) {
      span.recordException(thrown instanceof Error ? thrown : String(thrown));
      end({ name: readThrown(thrown).name, status: 500 });
    } else end(failure);
    throw thrown;
  };
  try {
    const result = run();
    return isPromise(result) ? Promise.resolve(result).then(succeed, fail) : succeed(result);
  } catch (thrown) {
    return fail(thrown);
  }
}
