// The public surface of `capix/opentelemetry`.
import { context, propagation, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { BaseContext, ContextRequest } from '../capability/context.ts';
import type { ObservedStep, Observer } from '../capability/run-capability.ts';
import { isFrameworkError } from '../errors/define-error.ts';
import { isPromise, type MaybePromise, type Outcome } from '../errors/failure.ts';
import { definePlugin, type Plugin } from '../server/plugin.ts';

interface OpenTelemetryOptions {
  /** The tracer of the spans. @default that of the globally registered SDK, named `capix` */
  readonly tracer?: Tracer | undefined;
  /** Whether guards, enhancers and the handler have spans of their own, inside that of the call. @default true */
  readonly steps?: boolean | undefined;
}

/**
 * A plugin that makes a span for each call, and inside it one for each guard, enhancer and handler. Over HTTP, the span
 * of an instrumented server gets the name `GET /users/:id` and `http.route`; without one the span of the call has both,
 * and continues the trace that the caller sent. A caller's mistake (4xx) is told as `error.type`; one of the server is
 * an error of the span too. The SDK decides what becomes of the spans; without one nothing is recorded.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Plugin<Record<never, never>, BaseContext> {
  const { tracer = trace.getTracer('capix'), steps = true } = options;
  const observe: Observer = (step) => {
    if (step.kind === 'call') return (run, request) => runCall(tracer, { step, request, run });
    if (!steps) return undefined;
    const attributes = { 'capix.capability': step.capability, 'capix.step': step.kind };
    return (run) => tracer.startActiveSpan(`${step.kind} ${step.name}`, { attributes }, (span) => endWith(span, run));
  };
  return definePlugin({ name: 'opentelemetry', observe });
}

interface Call {
  readonly step: ObservedStep;
  readonly request: ContextRequest | undefined;
  readonly run: () => MaybePromise<unknown>;
}

function runCall(tracer: Tracer, { step, request, run }: Call): MaybePromise<unknown> {
  const { capability, intent } = step;
  const { route, method, path, headers, transport = 'invoke' } = request ?? {};
  const attributes = {
    'capix.capability': capability,
    'capix.intent': intent,
    ...(route !== undefined && { 'http.request.method': method, 'http.route': route, 'url.path': path }),
  };
  const name = route === undefined ? capability : `${method} ${route}`;
  const outer: (Span & { readonly kind?: SpanKind }) | undefined = trace.getActiveSpan();
  // The instrumentation of node:http does not know routes. A span that is not of a server is the application's own.
  if (route !== undefined && outer?.kind === SpanKind.SERVER) outer.updateName(name).setAttribute('http.route', route);
  if (outer !== undefined) return tracer.startActiveSpan(capability, { attributes }, (span) => endWith(span, run));
  const kind = transport === 'invoke' ? SpanKind.INTERNAL : SpanKind.SERVER;
  const parent = headers === undefined ? context.active() : propagation.extract(context.active(), headers);
  return tracer.startActiveSpan(name, { kind, attributes }, parent, (span) => endWith(span, run));
}

function endWith(span: Span, run: () => MaybePromise<unknown>): MaybePromise<unknown> {
  const succeed = (result: unknown): unknown => {
    // A call gives an invalid input as a value.
    const outcome = result as Partial<Outcome> | undefined | null;
    if (outcome?.ok === false && outcome.failure !== undefined) noteError(span, outcome.failure);
    span.end();
    return result;
  };
  const fail = (thrown: unknown): never => {
    const isDeclared = isFrameworkError(thrown);
    if (!isDeclared) span.recordException(thrown instanceof Error ? thrown : String(thrown));
    noteError(span, isDeclared ? thrown : { name: thrown instanceof Error ? thrown.name : 'Error', status: 500 });
    span.end();
    throw thrown;
  };
  try {
    const result = run();
    return isPromise(result) ? result.then(succeed, fail) : succeed(result);
  } catch (thrown) {
    return fail(thrown);
  }
}

function noteError(span: Span, { name, status }: { readonly name: string; readonly status: number }): void {
  span.setAttribute('error.type', name);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}
