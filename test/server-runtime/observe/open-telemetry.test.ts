import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineGuard,
  defineInputGuard,
  defineMiddleware,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { openTelemetry } from '../../../server-runtime/observe/open-telemetry.ts';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
beforeAll(() => {
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
beforeEach(() => exporter.reset());
afterAll(async () => {
  trace.disable();
  context.disable();
  propagation.disable();
  await provider.shutdown();
});

const mustBeKnown = defineGuard(function mustBeKnown() {});
const mustBeOwn = defineInputGuard(function mustBeOwn(input: { readonly id: string }) {
  if (input.id === '9') throw defaultErrors.Forbidden();
});
const withAudit = defineMiddleware(async function withAudit({ next }) {
  return next();
});
const getUser = capability
  .guard(mustBeKnown)
  .use(withAudit)(z.object({ id: z.string() }), async ({ id }) => {
    if (id === '0') throw new Error('boom');
    await Promise.resolve();
    // A span of the application's own, inside that of the handler.
    trace.getTracer('application').startSpan('query').end();
    return { id };
  })
  .inputGuard(mustBeOwn);

function asker(
  options?: Parameters<typeof openTelemetry>[0],
): (path: string, headers?: Record<string, string>) => Promise<number> {
  const plugins = [openTelemetry(options)] as const;
  const server = createServer({
    capabilities: { users: { getUser } },
    plugins,
    logger: silentLogger,
  });
  const handle = toFetchHandler(server);
  return async (path, headers = {}) =>
    (await handle(new Request(`http://x.test${path}`, { headers }))).status;
}

/** The spans by name, each with the name of the span that it is in. */
function spans(): Record<string, string | undefined> {
  const all = exporter.getFinishedSpans();
  const nameOf = (id: string | undefined): string | undefined =>
    all.find((span) => span.spanContext().spanId === id)?.name;
  return Object.fromEntries(all.map((span) => [span.name, nameOf(span.parentSpanContext?.spanId)]));
}

const spanOf = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name);

describe('openTelemetry', () => {
  it('makes a span of the server with its route, and inside it one for each guard, enhancer and the handler', async () => {
    const ask = asker();
    expect(await ask('/users/7')).toBe(200);
    expect(spans()).toEqual({
      'GET /users/:id': undefined,
      'guard mustBeKnown': 'GET /users/:id',
      'inputGuard mustBeOwn': 'GET /users/:id',
      'enhancer withAudit': 'GET /users/:id',
      'handler users.getUser': 'enhancer withAudit',
      query: 'handler users.getUser',
    });
    expect(spanOf('GET /users/:id')).toMatchObject({
      kind: SpanKind.SERVER,
      attributes: {
        'http.route': '/users/:id',
        'http.request.method': 'GET',
        'url.path': '/users/7',
        'capix.capability': 'users.getUser',
        'capix.intent': 'query',
      },
    });
  });

  it('continues the trace that the caller sent', async () => {
    const ask = asker({ steps: false });
    await ask('/users/7', {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    expect(spanOf('GET /users/:id')?.spanContext().traceId).toBe(
      '0af7651916cd43dd8448eb211c80319c',
    );
    expect(Object.keys(spans())).toEqual(['query', 'GET /users/:id']);
  });

  it('names the span of an instrumented server, and stands inside it', async () => {
    const ask = asker({ steps: false });
    const outer = trace.getTracer('http').startSpan('GET', { kind: SpanKind.SERVER });
    await context.with(trace.setSpan(context.active(), outer), () => ask('/users/7'));
    outer.end();
    expect(spans()).toMatchObject({
      'GET /users/:id': undefined,
      'users.getUser': 'GET /users/:id',
    });
    expect(spanOf('GET /users/:id')?.attributes['http.route']).toBe('/users/:id');
  });

  it('tells what callers did wrong apart from what the server did', async () => {
    const ask = asker();
    expect(await ask('/users/9')).toBe(403);
    expect(spanOf('GET /users/:id')).toMatchObject({
      attributes: { 'error.type': 'Forbidden' },
      status: { code: SpanStatusCode.UNSET },
    });
    exporter.reset();
    expect(await ask('/users/0')).toBe(500);
    for (const name of ['handler users.getUser', 'enhancer withAudit', 'GET /users/:id'])
      expect(spanOf(name)).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': 'Error' },
      });
    expect(spanOf('handler users.getUser')?.events).toMatchObject([{ name: 'exception' }]);
  });
});
