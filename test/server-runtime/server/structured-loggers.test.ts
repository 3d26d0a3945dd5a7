import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import winston from 'winston';
import {
  capability,
  createServer,
  type Logger,
  restTransport,
} from '../../../server-runtime/index.ts';

class QueryError extends TypeError {
  override readonly name = 'QueryError';
  readonly code = 'E_QUERY';
}

const getFault = capability(() => {
  throw new QueryError('boom', { cause: new Error('the disk is full') });
});
const getNothing = capability(() => {
  throw 'only a text';
});

type Line = Readonly<Record<string, unknown>>;

/** Asks a server with this logger for `path`, which fails; gives the request's id. */
async function failWith(logger: Logger, path = '/texts/fault'): Promise<string> {
  const server = createServer({
    capabilities: { texts: { getFault, getNothing } },
    transports: [
      restTransport({
        port: 0,
        overrides: { 'texts.getNothing': { method: 'GET', path: '/texts/:name/nothing' } },
      }),
    ],
    logger,
  });
  const [started] = await server.start();
  const response = await fetch(`${started?.url}${path}`);
  await response.text();
  await server.stop();
  expect(response.status).toBe(500);
  return response.headers.get('x-request-id') ?? '';
}

/** A stream and the JSON lines that were written to it. */
function toLines(): { readonly stream: Writable; readonly lines: Line[] } {
  const lines: Line[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n')) lines.push(JSON.parse(line) as Line);
      done();
    },
  });
  return { stream, lines };
}

describe.each([
  ['pino', () => toPino({})],
  ['a child of pino', () => toPino({}, true)],
  ['pino with another key for errors', () => toPino({ errorKey: 'error' })],
] as const)('the logger is %s', (_name, create) => {
  it('the fault of a handler arrives with stack, cause and request id', async () => {
    const { logger, lines } = create();
    const requestId = await failWith(logger);
    expect(lines.map(({ msg }) => msg)).toContain('[capix] Routes:');
    expect(lines.at(-1)).toMatchObject({
      level: 50,
      msg: '[capix] GET /texts/fault failed',
      requestId,
      err: {
        type: 'QueryError',
        code: 'E_QUERY',
        message: expect.stringContaining('boom') as unknown,
      },
    });
    expect((lines.at(-1)?.['err'] as Line | undefined)?.['stack']).toMatch(
      /^QueryError: boom\n +at .*structured-loggers[^]*caused by: Error: the disk is full/,
    );
  });

  it('what was thrown and is no error arrives too, and signs of percent change nothing', async () => {
    const { logger, lines } = create();
    await failWith(logger, '/texts/%d0%b1/nothing');
    expect(lines.at(-1)).toMatchObject({
      msg: '[capix] GET /texts/%d0%b1/nothing failed',
      err: 'only a text',
    });
  });
});

function toPino(options: { readonly errorKey?: string }, isChild = false) {
  const { stream, lines } = toLines();
  const logger = pino(options, stream);
  return { logger: isChild ? logger.child({ part: 'api' }) : logger, lines };
}

describe.each([
  ['winston', false],
  ['a child of winston', true],
])('the logger is %s', (_name, isChild) => {
  function create() {
    const { stream, lines } = toLines();
    const logger = winston.createLogger({
      format: winston.format.combine(winston.format.splat(), winston.format.json()),
      transports: [new winston.transports.Stream({ stream })],
    });
    return { logger: isChild ? logger.child({ part: 'api' }) : logger, lines };
  }

  it('the fault of a handler arrives with stack, cause and request id', async () => {
    const { logger, lines } = create();
    const requestId = await failWith(logger);
    expect(lines.map(({ message }) => message)).toContain('[capix] Routes:');
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      message: '[capix] GET /texts/fault failed',
      requestId,
      error: {
        name: 'QueryError',
        code: 'E_QUERY',
        message: 'boom',
        cause: { message: 'the disk is full' },
      },
    });
    expect((lines.at(-1)?.['error'] as Line | undefined)?.['stack']).toMatch(
      /^QueryError: boom\n +at .*structured-loggers/,
    );
  });

  it('what was thrown and is no error arrives too, and signs of percent change nothing', async () => {
    const { logger, lines } = create();
    await failWith(logger, '/texts/%d0%b1/nothing');
    expect(lines.at(-1)).toMatchObject({
      message: '[capix] GET /texts/%d0%b1/nothing failed',
      error: 'only a text',
    });
  });
});

it('a logger of the application gets the message first, whatever else it can do', async () => {
  const written: unknown[][] = [];
  const log = (...words: unknown[]): void => void written.push(words);
  const requestId = await failWith({
    info: log,
    warn: log,
    error: log,
    child: () => null,
    trace: log,
  } as Logger);
  expect(written.at(-1)).toEqual([
    '[capix] GET /texts/fault failed',
    { requestId, error: expect.any(QueryError) as unknown },
  ]);
});

describe('the logger is a console', () => {
  it.each(['/texts/fault', '/texts/%d0%b1/nothing'])(
    'the fault of a handler arrives with its request id: %s',
    async (path) => {
      let written = '';
      const stream = new Writable({
        write(chunk: Buffer, _encoding, done) {
          written += chunk.toString();
          done();
        },
      });
      const requestId = await failWith(new Console(stream), path);
      expect(written).toContain('\n[capix] Routes:\n');
      expect(written).toContain(`\n[capix] GET ${path} failed {`);
      expect(written).toContain(`requestId: '${requestId}'`);
      expect(written).toMatch(/error: (QueryError: boom\n +at .*structured-loggers|'only a text')/);
    },
  );
});
