// The public surface of `capix/opentelemetry`.
import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
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
 *
 * @example
 * ```ts
 * import { openTelemetry } from 'capix/opentelemetry';
 *
 * const server = createServer({ plugins: [openTelemetry()] });
 * ```
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Plugin<Record<never, never>, BaseContext> {
  const { tracer = trace.getTracer('capix'), steps = true } = options;
  const observe: Observer = (step) => {
    if (step.kind === 'call') return (run, request) => runCall(tracer, { step, request, run });
    if (!steps) return undefined;
    const name = `${step.kind} ${step.name}`;
    const settings: SpanOptions = { attributes: { 'capix.capability': step.capability, 'capix.step': step.kind } };
    return (run) => tracer.startActiveSpan(name, settings, (span) => endWith(span, run));
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
  const attributes = { 'capix.capability': capability, 'capix.intent': intent, ...toHttpAttributes(request) };
  const name = request?.route === undefined ? capability : `${request.method} ${request.route}`;
  const outer = trace.getActiveSpan();
  if (outer !== undefined) {
    nameServerSpan(outer, name, request?.route);
    return tracer.startActiveSpan(capability, { attributes }, (span) => endWith(span, run));
  }
  const isServed = request !== undefined && request.transport !== 'invoke';
  const kind = isServed ? SpanKind.SERVER : SpanKind.INTERNAL;
  return tracer.startActiveSpan(name, { kind, attributes }, toParent(request), (span) => endWith(span, run));
}

function toHttpAttributes(request: ContextRequest | undefined): Record<string, string> {
  if (request?.route === undefined) return {};
  return { 'http.request.method': request.method, 'http.route': request.route, 'url.path': request.path };
}

function toParent(request: ContextRequest | undefined): Context {
  return request === undefined ? context.active() : propagation.extract(context.active(), request.headers);
}

/** The instrumentation of node:http does not know routes. A span that is not of a server is the application's own. */
function nameServerSpan(span: Span, name: string, route: string | undefined): void {
  if (route === undefined || (span as Span & { readonly kind?: SpanKind }).kind !== SpanKind.SERVER) return;
  span.updateName(name);
  span.setAttribute('http.route', route);
}

function endWith(span: Span, run: () => MaybePromise<unknown>): MaybePromise<unknown> {
  const succeed = (result: unknown): unknown => {
    noteOutcome(span, result);
    span.end();
    return result;
  };
  const fail = (thrown: unknown): never => {
    noteThrown(span, thrown);
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

/** A call gives an invalid input as a value. */
function noteOutcome(span: Span, result: unknown): void {
  const outcome = result as Partial<Outcome> | undefined | null;
  if (outcome?.ok === false && outcome.failure !== undefined) noteError(span, outcome.failure);
}

function noteThrown(span: Span, thrown: unknown): void {
  if (isFrameworkError(thrown)) return noteError(span, thrown);
  span.recordException(thrown instanceof Error ? thrown : String(thrown));
  noteError(span, { name: thrown instanceof Error ? thrown.name : 'Error', status: 500 });
}

function noteError(span: Span, { name, status }: { readonly name: string; readonly status: number }): void {
  span.setAttribute('error.type', name);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}
