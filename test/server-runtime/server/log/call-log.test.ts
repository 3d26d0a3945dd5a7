import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import winston from 'winston';
import * as z from 'zod';
import {
  type BaseContext,
  capability,
  consoleLogger,
  createServer,
  defineContext,
  defineGuard,
  defineMiddleware,
  definePlugin,
  type Logger,
  silentLogger,
  toFetchHandler,
  withCaller,
} from '../../../../server-runtime/index.ts';
import { queueTransport } from '../../../../server-runtime/queue/index.ts';
import { mockContext, testServer } from '../../../../server-runtime/testing/test-server.ts';

type Line = Readonly<Record<string, unknown>>;

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

function toStream(): { readonly stream: Writable; readonly texts: string[] } {
  const texts: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      texts.push(...chunk.toString().trim().split('\n'));
      done();
    },
  });
  return { stream, texts };
}

const bookSlot = capability(z.object({ id: z.string() }), ({ id }, ctx) => {
  ctx.log.debug('Looking', { id });
  ctx.log.info('Booked', { bookingId: id });
  ctx.log.error('Not mailed', { error: new TypeError('no address') });
  return null;
});

/** Books over a server with this logger, as a caller who has begun a trace. */
async function book(logger: Logger, headers: Record<string, string> = { traceparent }) {
  const answer = toFetchHandler(createServer({ capabilities: { slots: { bookSlot } }, logger }));
  const request = new Request('http://localhost/slots/book-slot', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'r1', ...headers },
    body: '{"id":"7"}',
  });
  expect((await answer(request)).status).toBe(200);
}

const facts = { requestId: 'r1', capability: 'slots.bookSlot', traceId };

describe('ctx.log writes the request id, the capability and the trace of the caller', () => {
  it('to pino, by one child', async () => {
    const { stream, texts } = toStream();
    const logger = pino({ level: 'debug' }, stream);
    const child = vi.spyOn(logger, 'child');
    await book(logger);
    expect(texts.map((text) => JSON.parse(text) as Line)).toMatchObject([
      { level: 20, msg: 'Looking', id: '7', ...facts },
      { level: 30, msg: 'Booked', bookingId: '7', ...facts },
      { level: 50, msg: 'Not mailed', ...facts, err: { type: 'TypeError', message: 'no address' } },
    ]);
    expect(child).toHaveBeenCalledOnce();
  });

  it('to winston, with the error as data', async () => {
    const { stream, texts } = toStream();
    const transports = [new winston.transports.Stream({ stream })];
    await book(winston.createLogger({ level: 'debug', transports }));
    expect(texts.map((text) => JSON.parse(text) as Line)).toMatchObject([
      { level: 'debug', message: 'Looking', id: '7', ...facts },
      { level: 'info', message: 'Booked', bookingId: '7', ...facts },
      {
        level: 'error',
        message: 'Not mailed',
        ...facts,
        error: { name: 'TypeError', message: 'no address', stack: expect.any(String) },
      },
    ]);
  });

  it('to a console', async () => {
    const { stream, texts } = toStream();
    await book(new Console(stream));
    expect(texts.join('\n')).toMatch(/Booked \{[^}]*requestId: 'r1'[^}]*bookingId: '7'/);
  });

  it('to a logger of your own, beside the message', async () => {
    const lines: unknown[] = [];
    const write = (...words: unknown[]): void => void lines.push(words);
    await book({ info: write, warn: write, error: write });
    expect(lines).toEqual([
      ['Booked', { ...facts, bookingId: '7' }],
      ['Not mailed', { ...facts, error: expect.any(TypeError) }],
    ]);
  });

  it('to the usual logger, in one line, also of a copy with another method', async () => {
    const [out, err] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map((spy) =>
      spy.mockImplementation(() => {}),
    );
    onTestFinished(() => void vi.restoreAllMocks());
    await book(consoleLogger);
    const place = `(slots.bookSlot, request r1, trace ${traceId})`;
    expect(out?.mock.calls).toEqual([[`Booked { bookingId: '7' } ${place}`]]);
    expect(err?.mock.calls[0]?.[0]).toContain(`Not mailed ${place} TypeError: no address`);
    await book({ ...consoleLogger, info: () => {} });
    expect(out?.mock.calls).toHaveLength(1);
    expect(err?.mock.calls).toHaveLength(2);
  });

  it.each([
    ['none', undefined],
    ['ends too soon', traceparent.slice(0, 54)],
    ['has only zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    ['has an unknown version', `ff${traceparent.slice(2)}`],
    ['has more than its version allows', `${traceparent}-more`],
  ])('without a trace where the header is %s', async (_name, header) => {
    const lines: unknown[] = [];
    const write = (_message: string, details: unknown): void => void lines.push(details);
    await book(
      { ...silentLogger, info: write },
      header === undefined ? {} : { traceparent: header },
    );
    expect(lines).toEqual([{ requestId: 'r1', capability: 'slots.bookSlot', bookingId: '7' }]);
  });
});

it('writes no line that a text could forge, and none of its escapes', async () => {
  const out = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const getText = capability((_, { log }) => {
    log.info('one\n[capix] GET / 200\u001b[31m', { text: 'two\n[capix]\u001b[31m' });
    return null;
  });
  const server = createServer({ capabilities: { texts: { getText } } });
  await toFetchHandler(server)(new Request('http://localhost/texts'));
  const [[line = ''] = []] = out.mock.calls as string[][];
  expect(line).toContain('one');
  expect(line.split('\n').filter((each) => each.startsWith('[capix]'))).toEqual([]);
  expect(line).not.toContain('\u001b');
});

it('fails nothing where the logger throws', async () => {
  const failing = (): never => {
    throw new Error('disk full');
  };
  const err = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  await book({ info: failing, warn: failing, error: failing });
  expect(err.mock.calls.flat().join('\n')).toContain('The logger failed');
});

/** A logger of lines `<message> <capability>`. */
function recordLines(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const write: Logger['info'] = (message, details) =>
    void lines.push(`${message} ${details?.capability}`);
  return { lines, logger: { info: write, warn: write, error: write } };
}

it('is in guards, middleware, streams, hooks and the builder of the context', async () => {
  const { lines, logger } = recordLines();
  const mustPass = defineGuard(({ log }: BaseContext) => log.info('guard'));
  const audit = defineMiddleware(({ ctx, next }) => {
    ctx.log.info('middleware');
    return next({ more: 1 });
  });
  const listTicks = capability.guard(mustPass).use(audit)(async function* (_, ctx) {
    ctx.log.info('stream');
    yield ctx.more;
  }, 'query');
  const answer = toFetchHandler(
    createServer({
      capabilities: { ticks: { listTicks } },
      context: defineContext(({ log }) => {
        log.info('builder');
        return {};
      }),
      hooks: {
        onRequest: ({ log }) => log.info('begin'),
        onResponse: ({ request }) => request.log.info('end'),
      },
      logger,
    }),
  );
  await (await answer(new Request('http://localhost/ticks'))).text();
  expect(lines).toEqual([
    'begin undefined',
    ...['builder', 'guard', 'middleware', 'stream', 'end'].map((each) => `${each} ticks.listTicks`),
  ]);
});

it('is in jobs', async () => {
  const { lines, logger } = recordLines();
  const send = capability((_, ctx) => ctx.log.info('sent'));
  const jobs = queueTransport({ capabilities: { mails: { send } } });
  const server = createServer({ transports: [jobs], logger });
  await server.start();
  await jobs.enqueue('mails.send', {});
  await expect.poll(() => lines).toContain('sent mails.send');
  await server.stop();
});

it('is the one of a builder or a plugin where that has one', async () => {
  const own: string[] = [];
  const log = { info: (text: string) => void own.push(text) };
  const getText = capability
    .withContext<{ readonly log: { info(text: string): void } }>()
    .use(defineMiddleware(({ next }) => next()))((_, ctx) => {
    ctx.log.info('mine');
    return null;
  });
  const capabilities = { texts: { getText } };
  for (const more of [
    { context: defineContext(() => ({ log })) },
    { plugins: [definePlugin({ context: () => ({ log }) })] },
    {
      context: defineContext(
        () =>
          new (class {
            readonly log = log;
          })(),
      ),
    },
  ]) {
    const server = createServer({ capabilities, logger: silentLogger, ...(more as object) });
    await server.invoke({ capability: 'texts.getText' });
  }
  expect(own).toEqual(['mine', 'mine', 'mine']);
});

it('still has its methods where withCaller makes it reach the agent', async () => {
  const { lines, logger } = recordLines();
  const getText = capability.use(withCaller)((_, ctx) => {
    ctx.log('info', 'for the agent');
    ctx.log.info('for the log');
    return null;
  }, 'query');
  await using api = await testServer({
    capabilities: { texts: { getText } },
    logger,
    listen: false,
  });
  expect((await api.fetch('/texts')).status).toBe(200);
  expect(lines).toEqual(['for the log texts.getText']);
});

it('is silent in the context of a test', async () => {
  expect(await bookSlot.resolve({ id: '7' }, mockContext())).toBe(null);
});
