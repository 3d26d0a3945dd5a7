import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { expect, it, onTestFinished } from 'vitest';
import { devSpans } from '../../../server-runtime/observe/open-telemetry.ts';
import { MarkedTimes } from '../../../source/record/call-marks.ts';
import { followSpans } from '../../../source/record/follow-spans.ts';

/** A tracer of the real SDK, whose spans are those of one call. */
function trace() {
  const marks = new MarkedTimes();
  followSpans(() => marks);
  onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('capix.spans')));
  const tracer = new BasicTracerProvider({ spanProcessors: [devSpans()] }).getTracer('test');
  const start = (name: string, attributes: Attributes = {}, kind = SpanKind.CLIENT) =>
    tracer.startSpan(name, { kind, attributes });
  const list = () =>
    marks.toMarks().list.map(({ kind, name, result }) => [kind, name, ...(result ? [result] : [])]);
  return { marks, start, list };
}

it('spans are marks of their call: what they say by the conventions of today and of before, without values and secrets', () => {
  const { start, list, marks } = trace();
  const ended = [
    start('pg.query:SELECT', {
      'db.system': 'postgresql',
      'db.statement': "select 'secret', 4711",
    }),
    start('SELECT', { 'db.system.name': 'mysql', 'db.query.text': 'select 2' }),
    start('get', { 'db.system': 'redis', 'db.statement': 'get user:7' }),
    start('GET', {
      'url.full': 'https://me:secret@rates.test/eur?token=secret&of=EUR',
      'http.request.method': 'GET',
      'http.response.status_code': 503,
    }),
    start('HTTP POST', { 'http.url': 'https://old.test/', 'http.method': 'POST' }),
    start('pg-pool.connect', { 'db.system': 'postgresql' }),
    start('resize a picture', {}, SpanKind.INTERNAL).setStatus({ code: SpanStatusCode.ERROR }),
    start('said later', { 'db.system': 'postgresql' }).setAttribute(
      'db.statement',
      'select 3 from later',
    ),
  ];
  const ignored = [
    start('GET /orders', { 'url.full': 'http://own/' }, SpanKind.SERVER),
    start('emails.send', {}, SpanKind.CONSUMER),
    start('guard mustBeUser', { 'capix.capability': 'orders.listOrders' }, SpanKind.INTERNAL),
  ];
  for (const span of [...ended, ...ignored]) span.end();
  expect(list()).toEqual([
    ['db', 'select ?, ?'],
    ['db', 'select ?'],
    ['redis', 'GET user:?'],
    ['http', 'GET https://rates.test/eur?token=•••&of=EUR', '503'],
    ['http', 'POST https://old.test/'],
    ['trace', 'resize a picture', 'failed'],
    ['trace', 'pg-pool.connect'],
    ['db', 'select ? from later'],
  ]);
  expect(marks.toMarks().list.every(({ tookMs }) => tookMs !== undefined)).toBe(true);
  expect(marks.toMarks().counts).toEqual({ db: 3, redis: 1, http: 2, trace: 2 });
});

it('what a package says on a channel as well is one mark, whichever comes first, also of several at the same time', () => {
  const { start, list, marks } = trace();
  const text = { 'db.system': 'postgresql', 'db.statement': 'select 1' };
  // The instrumentation stands around the client of the database.
  const outer = [start('one', text), start('two', text)];
  const inner = [marks.begin('db', 'select 1'), marks.begin('db', 'select 1')];
  for (const end of inner) end('failed');
  for (const span of outer) span.end();
  // The other way round.
  const end = marks.begin('http', 'GET http://far/?token=a');
  const span = start('GET', { 'url.full': 'http://far/?token=b', 'http.request.method': 'GET' });
  span.end();
  end();
  // A second one after it is another one, and so are two of one source.
  start('GET', { 'url.full': 'http://far/?token=b', 'http.request.method': 'GET' }).end();
  const both = [marks.begin('redis', 'GET a'), marks.begin('redis', 'GET a')];
  for (const each of both) each();
  expect(list()).toEqual([
    ['db', 'select ?', 'failed'],
    ['db', 'select ?', 'failed'],
    ['http', 'GET http://far/?token=•••'],
    ['http', 'GET http://far/?token=•••'],
    ['redis', 'GET a'],
    ['redis', 'GET a'],
  ]);
  expect(marks.toMarks().counts).toEqual({ db: 2, http: 2, redis: 2 });
});

it('outside of the tool the processor takes spans, and does nothing', async () => {
  Reflect.deleteProperty(globalThis, Symbol.for('capix.spans'));
  const provider = new BasicTracerProvider({ spanProcessors: [devSpans()] });
  const span = provider.getTracer('test').startSpan('one');
  span.end();
  await provider.forceFlush();
  await provider.shutdown();
  expect(span.isRecording()).toBe(false);
});
