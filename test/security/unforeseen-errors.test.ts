// Boundary: every caller, by every way in. Promise: of what nobody foresaw, a caller learns that it happened and the id of
// the request: no message, stack, cause, query, name of a class or field of what was thrown. The log has all of it.
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  defineMiddleware,
  healthChecks,
  restTransport,
  type Server,
  silentLogger,
  sse,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { mcpTransport } from '../../server-runtime/mcp/index.ts';
import { queueTransport } from '../../server-runtime/queue/index.ts';
import { webSocketTransport } from '../../server-runtime/websocket/index.ts';
import { askStateless } from '../helpers/ask-stateless.ts';
import { recordLog } from '../helpers/start-rest.ts';
import { openTalk } from '../helpers/start-web-sockets.ts';

/** Stands in every part of every error that is thrown here. */
const MARK = 'PRIVATE';
/** What an answer must not hold: the mark, a place in a file, the name of a class of the application. */
const leaks = /PRIVATE|SELECT|\.[cm]?[jt]s:\d|node_modules|\bat .+ \(|QueryFailed|node:internal/;

class QueryFailedError extends Error {
  readonly query = `SELECT * FROM users WHERE token = '${MARK}'`;
  readonly parameters = [MARK];
  readonly password = MARK;
  readonly meta = { token: MARK, nested: { password: MARK } };
  override readonly name = 'QueryFailedError';
}

const toSql = () => new QueryFailedError(`SELECT ${MARK} FROM users: syntax error at "${MARK}"`);

/** What application code may throw, and none of it is meant for a caller. */
const unforeseen: Readonly<Record<string, () => unknown>> = {
  'an error that holds SQL': toSql,
  'a cause of a cause': () => new Error(MARK, { cause: new Error(MARK, { cause: toSql() }) }),
  'an AggregateError': () => new AggregateError([toSql(), new Error(MARK)], MARK),
  'an error with a status of its own': () => Object.assign(toSql(), { status: 404, expose: true }),
  'an error with a statusCode and headers': () =>
    Object.assign(toSql(), { statusCode: 400, headers: { 'x-private': MARK } }),
  'an error that says what its JSON is': () =>
    Object.assign(toSql(), { toJSON: () => ({ error: MARK, message: MARK }) }),
  'an error of the file system': () =>
    Object.assign(new Error(`ENOENT: no such file, open '/${MARK}'`), {
      code: 'ENOENT',
      path: MARK,
    }),
  'an error of a schema that the code itself parses by': () =>
    z.object({ [MARK]: z.literal(MARK) }).safeParse({}).error,
  'an error whose name is that of one for callers': () =>
    Object.assign(toSql(), { name: 'NotFound', errorName: 'NotFound', status: 404 }),
  'an abort that is not of the caller': () => new DOMException(MARK, 'AbortError'),
  'a text': () => `SELECT ${MARK}`,
  'an object': () => ({ error: MARK, message: MARK, status: 404, meta: { token: MARK } }),
  nothing: () => undefined,
  'an error that cannot be read': () =>
    Object.defineProperties(new Error(MARK), {
      message: {
        get: () => {
          throw toSql();
        },
      },
      stack: {
        get: () => {
          throw toSql();
        },
      },
    }),
};

/** The error of the call that is under way. */
let toThrown: () => unknown = () => undefined;
const fail = (): unknown => {
  throw toThrown();
};

const context = defineContext(({ headers, resources }) => {
  resources.defer(() => void (headers['x-fails'] === 'release' && fail()));
  if (headers['x-fails'] === 'context') fail();
  return {};
});
const mustWork = defineGuard(fail);
const around = defineMiddleware(() => fail() as never);

const parts = {
  getHandler: capability(fail, 'query').resource('broken://handler').prompt(),
  getLater: capability(async () => {
    await Promise.resolve();
    return fail();
  }, 'query'),
  getGuarded: capability(() => 1, 'query').guard(mustWork),
  getAround: capability(() => 1, 'query').use(around),
  getOutput: capability((): number => `SELECT ${MARK}` as never, 'query').output(z.number()),
  getUnwritable: capability(() => ({ toJSON: fail }), 'query'),
};
const streams = {
  getItems: capability(async function* () {
    yield 'first';
    fail();
  }, 'query'),
  getEvents: capability(async function* () {
    yield sse('first');
    fail();
  }, 'query'),
};
const jobs = queueTransport({
  capabilities: { jobs: { run: capability(z.object({ token: z.string() }), fail) } },
  jobs: { 'jobs.run': { attempts: 1 } },
});
const begin = capability(() => jobs.enqueue('jobs.run', { token: MARK }), 'mutation');
const shared = { context, capabilities: { parts, streams, work: { begin } } };

const log = recordLog();
let server: Server;
let url = '';
let fetchForm: ReturnType<typeof toFetchHandler>;
beforeAll(async () => {
  const rest = restTransport({ port: 0, host: '127.0.0.1', calls: true });
  const others = [mcpTransport({ port: false }), webSocketTransport(), jobs];
  server = createServer({ ...shared, logger: log, transports: [rest, ...others] });
  url = (await server.start())[0]?.url ?? '';
  fetchForm = toFetchHandler(createServer({ ...shared, logger: silentLogger }));
});
afterAll(() => server.stop({ graceMs: 0 }));
beforeEach(() => {
  toThrown = toSql;
});

/** All that a response says, its headers too. */
async function readAll(response: Response): Promise<string> {
  return [response.status, ...[...response.headers].flat(), await response.text()].join('\n');
}
const askTool = (method: string, params: Record<string, unknown>) =>
  askStateless(`${url}/mcp`, { method, params }).then((answer) => JSON.stringify(answer));

/** Each way in: calls a capability, and gives all that its caller gets. */
const doors: Readonly<Record<string, (name: string) => Promise<string>>> = {
  'a route over a socket': async (name) => readAll(await fetch(`${url}/parts/${toPath(name)}`)),
  'a route through fetch': async (name) =>
    readAll(await fetchForm(new Request(`http://a.test/parts/${toPath(name)}`))),
  'its key': async (name) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{}' };
    return readAll(await fetch(`${url}/_call/parts.${name}`, init));
  },
  'a tool': (name) => askTool('tools/call', { name: `parts_${name}`, arguments: {} }),
  'a WebSocket': async (name) => {
    const talk = await openTalk(url.replace('http', 'ws'));
    return JSON.stringify(await talk.ask(`parts.${name}`, {}));
  },
};

/** `/parts/handler` for `getHandler` */
function toPath(name: string): string {
  return name.replace('get', '').toLowerCase();
}

const said = /Internal server error/;

describe.each(Object.keys(doors))('by %s, a caller is not told', (door) => {
  it.each(Object.keys(unforeseen))('%s', async (what) => {
    toThrown = unforeseen[what] as () => unknown;
    const answer = await doors[door]?.('getHandler');
    expect(answer).toMatch(said);
    expect(answer).not.toMatch(leaks);
  });

  it.each(Object.keys(parts))('what %s throws', async (name) => {
    const answer = await doors[door]?.(name);
    expect(answer).toMatch(said);
    expect(answer).not.toMatch(leaks);
  });
});

it.each(Object.keys(doors))('the log has it whole, once, by %s', async (door) => {
  const before = log.errors.length;
  await doors[door]?.('getHandler');
  const added = log.errors.slice(before).map(({ error }) => error);
  expect(added).toEqual(door === 'a route through fetch' ? [] : [expect.any(QueryFailedError)]);
});

describe('a stream that breaks off tells no reason', () => {
  it.each(['application/json', 'text/event-stream', 'application/x-ndjson'])(
    'as %s, over a socket or through fetch',
    async (accept) => {
      for (const name of ['items', 'events']) {
        const path = `/streams/${name}`;
        const headers = { accept };
        const sent = await fetch(url + path, { headers }).then(readAll, String);
        const held = await fetchForm(new Request(`http://a.test${path}`, { headers })).then(
          (response) => readAll(response).catch(String),
        );
        for (const text of [sent, held]) expect(text).not.toMatch(leaks);
      }
    },
  );

  it('as messages, or as the result of a tool', async () => {
    const talk = await openTalk(url.replace('http', 'ws'));
    talk.call('streams.getItems', {});
    const { items, end } = await talk.readItems();
    expect([items, end.error?.data.status]).toEqual([['first'], 500]);
    expect(JSON.stringify(end)).not.toMatch(leaks);
    const result = await askTool('tools/call', { name: 'streams_getItems', arguments: {} });
    expect(result).toMatch(said);
    expect(result).not.toMatch(leaks);
  });
});

it.each([
  ['a resource', 'resources/read', { uri: 'broken://handler' }],
  ['a prompt', 'prompts/get', { name: 'parts_getHandler', arguments: {} }],
])('%s for an agent tells no reason', async (_what, method, params) => {
  const answer = await askTool(method, params);
  expect(answer).toMatch(said);
  expect(answer).not.toMatch(leaks);
});

it.each(['context', 'release'])('a %s that fails tells no reason', async (fails) => {
  const headers = { 'x-fails': fails };
  const sent = await readAll(await fetch(`${url}/parts/handler`, { headers }));
  const talk = await openTalk(url.replace('http', 'ws'));
  const message = JSON.stringify(await talk.ask('parts.getHandler', {}, { headers }));
  const params = { name: 'parts_getHandler', arguments: {} };
  const tool = await askStateless(`${url}/mcp`, { method: 'tools/call', params, headers });
  for (const answer of [sent, message, JSON.stringify(tool)]) {
    expect(answer).toMatch(said);
    expect(answer).not.toMatch(leaks);
  }
});

it('who adds a job gets its id, and the reason of its failure is for those who run the server', async () => {
  const response = await fetch(`${url}/work/begin`, { method: 'POST' });
  expect(await readAll(response)).not.toMatch(leaks);
  await expect.poll(async () => (await jobs.failed('jobs.run')).length).toBe(1);
  const [failed] = await jobs.failed('jobs.run');
  expect(failed?.error).toMatch(/^SELECT PRIVATE FROM users: syntax error/);
  expect(failed?.error).not.toMatch(/\n|\.ts:/);
});

it('code that calls in the same process gets the error itself, and the log no second one', async () => {
  const before = log.errors.length;
  const call = server.invoke({ capability: 'parts.getHandler' });
  await expect(call).rejects.toBeInstanceOf(QueryFailedError);
  expect(log.errors.length).toBe(before);
});

it.each([
  ['throws', fail],
  ['rejects', () => Promise.reject(toThrown())],
  ['never answers', () => new Promise(() => {})],
])('a check of health that %s is named, and its reason is not', async (_what, db) => {
  const plugins = [healthChecks({ checks: { db }, timeoutMs: 20 })];
  const made = createServer({ capabilities: {}, plugins, logger: silentLogger });
  const response = await toFetchHandler(made)(new Request('http://a.test/health/ready'));
  expect(response.status).toBe(503);
  const text = await response.text();
  expect(text).toContain('Not ready: db');
  expect(text).not.toMatch(leaks);
});

it('the cause of an error for callers is not for them, and its facts are', async () => {
  toThrown = () => defaultErrors.Conflict('Taken', { email: 'a@b.c' }, { cause: toSql() });
  for (const door of Object.keys(doors)) {
    const answer = await doors[door]?.('getHandler');
    expect(answer).toContain('a@b.c');
    expect(answer).not.toMatch(leaks);
  }
});

it('a secret at any depth of an input that does not fit is not sent back', async () => {
  const credentials = z.object({ token: z.string().max(4), password: z.string().max(4) });
  const Input = z.object({ list: z.array(z.object({ credentials })), token: z.number() });
  const a = { createOne: capability(Input, () => 1) };
  const transports = [restTransport({ port: 0, calls: true }), mcpTransport({ port: false })];
  const made = createServer({
    capabilities: { a },
    logger: silentLogger,
    transports: [...transports, webSocketTransport()],
  });
  const place = (await made.start())[0]?.url ?? '';
  onTestFinished(() => made.stop({ graceMs: 0 }));
  const secret = { token: MARK, password: MARK };
  const sent = { list: [{ credentials: secret }], token: MARK };
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  };
  const talk = await openTalk(place.replace('http', 'ws'));
  const params = { name: 'a_createOne', arguments: sent };
  const answers = [
    await readAll(await fetch(`${place}/a`, init)),
    await readAll(await fetch(`${place}/_call/a.createOne`, init)),
    JSON.stringify(await talk.ask('a.createOne', sent)),
    JSON.stringify(await askStateless(`${place}/mcp`, { method: 'tools/call', params })),
  ];
  for (const answer of answers) {
    expect(answer).toMatch(/list.{1,4}0.{1,3}credentials\.token/);
    expect(answer).not.toContain(MARK);
  }
});
