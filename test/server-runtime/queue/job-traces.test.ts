import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { capability, createServer, toFetchHandler } from '../../../server-runtime/index.ts';
import { openTelemetry } from '../../../server-runtime/observe/open-telemetry.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { recordLog } from '../../helpers/start-rest.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
const foreign = { tracestate: 'vendor=secret', baggage: `user=${'x'.repeat(4000)}` };

/** A server whose request enqueues a job, which notes the headers that it gets, and fails. */
async function start({
  url,
  traces = false,
}: {
  readonly url?: string;
  readonly traces?: boolean;
}) {
  const seen: unknown[] = [];
  const send = capability(() => {
    throw new Error('no mail today');
  });
  const jobs = queueTransport({
    capabilities: { mails: { send } },
    jobs: { 'mails.send': { attempts: 1 } },
    ...(url !== undefined && { url, prefix: crypto.randomUUID() }),
  });
  const createUser = capability(async () => {
    await jobs.enqueue('mails.send', {});
    return null;
  });
  const ofJobs: string[] = [];
  const server = createServer({
    capabilities: { users: { createUser } },
    transports: [jobs],
    plugins: traces ? [openTelemetry({ steps: false })] : [],
    hooks: {
      onRequest: ({ transport, headers }) => void (transport === 'queue' && seen.push(headers)),
    },
    logger: {
      ...recordLog(),
      info: (message, details) =>
        void (details?.transport === 'queue' && ofJobs.push(`${details.traceId}`)),
      warn: (_message, details) =>
        void (details?.transport === 'queue' && ofJobs.push(`${details.traceId}`)),
    },
    accessLog: true,
  });
  await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const answer = toFetchHandler(server);
  const create = async (headers: Record<string, string>): Promise<void> => {
    const request = new Request('http://localhost/users', { method: 'POST', headers });
    expect((await answer(request)).status).toBe(200);
    await expect.poll(() => jobs.failed('mails.send')).toHaveLength(1);
  };
  return { jobs, seen, ofJobs, create };
}

function itGoesOn(findUrl: () => string | undefined): void {
  const options = () => {
    const url = findUrl();
    return url === undefined ? {} : { url };
  };

  it('has the trace of the request that enqueued it, and nothing else of its headers', async () => {
    const { jobs, seen, ofJobs, create } = await start(options());
    await create({ traceparent, ...foreign, authorization: 'Bearer secret' });
    expect(seen).toEqual([{ traceparent }]);
    expect(ofJobs).toEqual([traceId]);
    expect(await jobs.failed('mails.send')).toMatchObject([{ headers: { traceparent } }]);
  });

  it.each([
    ['none', {}],
    ['is malformed', { traceparent: 'x'.repeat(10_000) }],
  ])('has none where that of the request %s', async (_name, headers: Record<string, string>) => {
    const { jobs, seen, create } = await start(options());
    await create(headers);
    expect(seen).toEqual([{}]);
    expect((await jobs.failed('mails.send'))[0]?.headers).toEqual({});
  });

  it('has the one of its own headers where enqueue names it', async () => {
    const { jobs, seen } = await start(options());
    const own = traceparent.replace('b7', 'c8');
    await jobs.enqueue('mails.send', {}, { headers: { traceparent: own } });
    await expect.poll(() => seen).toEqual([{ traceparent: own }]);
  });
}

describe('a job in memory', () => itGoesOn(() => undefined));

describeWithRedis('a job in Redis', () => {
  let url = '';
  beforeAll(async () => {
    ({ url } = await startRedis());
  });
  itGoesOn(() => url);
});

describe('with spans', () => {
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

  it('the span of a job is one of a consumer in the span of the request, in the trace of the caller or a new one', async () => {
    for (const headers of [{ traceparent }, {}] as Record<string, string>[]) {
      exporter.reset();
      const { ofJobs, create } = await start({ traces: true });
      await create(headers);
      const spans = exporter.getFinishedSpans();
      const request = spans.find(({ name }) => name === 'POST /users');
      const job = spans.find(({ name }) => name === 'mails.send');
      expect(job?.kind).toBe(SpanKind.CONSUMER);
      expect(job?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
      const id = request?.spanContext().traceId;
      if (headers['traceparent'] !== undefined) expect(id).toBe(traceId);
      expect(job?.spanContext().traceId).toBe(id);
      expect(ofJobs).toEqual([id]);
    }
  });
});
