import { Console } from 'node:console';
import { PassThrough, Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import winston from 'winston';
import {
  capability,
  createServer,
  defaultErrors,
  type Logger,
  type ServerOptions,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import type { LogDetails } from '../../../server-runtime/server/logger.ts';

const capabilities = {
  users: { getUser: capability(() => 1, 'query').route('GET', '/users/:id') },
};

/** Asks a server with this logger for a user, and for nothing. */
async function ask(logger: Logger, accessLog?: ServerOptions['accessLog']): Promise<void> {
  const server = createServer({
    capabilities,
    logger,
    ...(accessLog === undefined ? {} : { accessLog }),
  });
  const handle = toFetchHandler(server);
  for (const path of ['/users/7?token=secret', '/nothing'])
    await handle(new Request(`http://x.test${path}`, { headers: { 'x-request-id': 'r-1' } }), {
      remoteAddress: '192.0.2.1',
    });
}

const expected = [
  {
    method: 'GET',
    path: '/users/7',
    route: '/users/:id',
    capability: 'users.getUser',
    status: 200,
    requestId: 'r-1',
    transport: 'rest',
    remoteAddress: '192.0.2.1',
    durationMs: expect.any(Number),
  },
  { method: 'GET', path: '/nothing', status: 404 },
];
const line = /^\[capix\] GET \/users\/7 200 in \d+(\.\d)? ms$/;

function toJsonLines(): { readonly stream: Writable; readonly lines: object[] } {
  const lines: object[] = [];
  const write = (chunk: Buffer, _encoding: unknown, done: () => void): void => {
    lines.push(JSON.parse(chunk.toString()) as object);
    done();
  };
  return { stream: new Writable({ write }), lines };
}

it('writes a line and its parts for each request, without the query', async () => {
  const written: [string, LogDetails | undefined][] = [];
  const logger: Logger = {
    info: (message, details) => void written.push([message, details]),
    warn: (message, details) => void written.push([message, details]),
    error: () => {},
  };
  await ask(logger, true);
  expect(written.map(([, details]) => details)).toMatchObject(expected);
  expect(written[0]?.[0]).toMatch(line);
  written.length = 0;
  await ask(logger);
  expect(written).toEqual([]);
});

it('gives pino and winston the parts as fields, and console the line alone', async () => {
  const forPino = toJsonLines();
  await ask(pino(forPino.stream), true);
  expect(forPino.lines).toMatchObject(
    expected.map((parts) => ({
      level: parts.status === 404 ? 40 : 30,
      msg: expect.stringContaining('[capix] GET'),
      ...parts,
    })),
  );
  const forWinston = toJsonLines();
  await ask(
    winston.createLogger({
      transports: [new winston.transports.Stream({ stream: forWinston.stream })],
    }),
    true,
  );
  expect(forWinston.lines).toMatchObject(
    expected.map((parts) => ({
      level: parts.status === 404 ? 'warn' : 'info',
      message: expect.stringContaining('[capix] GET'),
      ...parts,
    })),
  );
  const stdout = new PassThrough();
  await ask(new Console({ stdout }), true);
  expect(String(stdout.read()).split('\n')[0]).toMatch(line);
});

it('leaves out what its filter says, and writes at the level of the status, or another', async () => {
  const getBroken = capability(() => {
    throw new Error('secret');
  }, 'query');
  const lines: string[] = [];
  const write = (level: string) => (message: string, details?: object) =>
    void lines.push(
      `${level} ${'status' in (details ?? {}) ? message.replace(/ in .*/, '') : '-'}`,
    );
  const logger: Logger = { info: write('info'), warn: write('warn'), error: write('error') };
  const run = async (accessLog: ServerOptions['accessLog']): Promise<readonly string[]> => {
    const handle = toFetchHandler(
      createServer({ capabilities: { ...capabilities, getBroken }, logger, accessLog }),
    );
    for (const path of ['/users/7', '/nothing', '/broken'])
      await handle(new Request(`http://x.test${path}`));
    return lines.splice(0);
  };
  expect(await run(true)).toEqual([
    'info [capix] GET /users/7 200',
    'warn [capix] GET /nothing 404',
    'error -',
    'error [capix] GET /broken 500',
  ]);
  expect(await run({ filter: ({ path }) => path !== '/nothing', level: () => 'info' })).toEqual([
    'info [capix] GET /users/7 200',
    'error -',
    'info [capix] GET /broken 500',
  ]);
  expect(() => createServer({ accessLog: { levels: 1 } as never })).toThrow(
    'Did you mean `level`?',
  );
});

it('an attempt at a job that is tried again is a warning in each line, and a job that is given up one error', async () => {
  const levels: string[] = [];
  const logger: Logger = {
    info: () => {},
    warn: (text) => void levels.push(`warn ${text.replace(/in [\d.]+ ms/, '')}`),
    error: (text) => void levels.push(`error ${text}`),
  };
  const send = capability(() => {
    throw defaultErrors.ServiceUnavailable();
  });
  const jobs = queueTransport({
    capabilities: { mails: { send } },
    jobs: { 'mails.send': { attempts: 2, backoffMs: 1 } },
  });
  const server = createServer({ transports: [jobs], logger, accessLog: true });
  await server.start();
  await jobs.enqueue('mails.send', {});
  await expect.poll(() => levels.filter((each) => each.startsWith('error'))).toHaveLength(1);
  await server.stop({ graceMs: 0 });
  expect(levels.map((each) => each.replace(/'[^']+'/, 'ID'))).toEqual([
    'warn [capix] INVOKE mails.send 503 ',
    expect.stringMatching(/^warn .* failed at attempt 1 of 2, and is tried again/) as string,
    'warn [capix] INVOKE mails.send 503 ',
    expect.stringMatching(/^error .* was given up at attempt 2 of 2/) as string,
  ]);
});
