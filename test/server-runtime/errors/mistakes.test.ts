import { expect, it } from 'vitest';
import * as z from 'zod';
import { createClient } from '../../../server-runtime/client/index.ts';
import * as library from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';

// The compiler refuses most of these (test/types/mistakes); JavaScript and `any` do not.
// oxlint-disable-next-line typescript/no-explicit-any -- what a user writes in JavaScript
const capix: any = { ...library, queueTransport, testServer, mcpTransport, webSocketTransport };
const { capability: cap } = capix;
const ById = z.object({ id: z.string() });
const Named = z.object({ name: z.string(), count: z.number().optional() });
const lets = capix.defineGuard(() => {}, { name: 'mustBeUser' });

/** What the log says of a call that ended with 500, or what its caller got. */
async function answerTo(groups: object, path: string, body?: unknown): Promise<string> {
  const logged: string[] = [];
  const error = (_: string, details?: { error?: Error }) =>
    void logged.push(String(details?.error?.message));
  const server = capix.createServer({
    capabilities: groups,
    logger: { ...library.silentLogger, error },
  });
  const headers = { 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await library.toFetchHandler(server)(new Request(`http://x${path}`, init));
  const text = await response.text();
  return response.status < 500 ? text : logged.join('\n');
}
const get = (handler: unknown, declare = (made: unknown): unknown => made) =>
  answerTo({ users: { getUser: declare(cap(ById, handler)) } }, '/users/7');
const post = (body: unknown) =>
  answerTo({ users: { createUser: cap(Named, () => null) } }, '/users', body);
const serve = (more: object) =>
  capix.createServer({
    capabilities: { users: { getUser: cap(ById, () => null) } },
    logger: library.silentLogger,
    ...more,
  });
const mount = (groups: object) =>
  library.toFetchHandler(serve({ capabilities: groups }))(new Request('http://x/'));

/** What somebody writes · what the message says has happened · what it says to write. */
const table: readonly (readonly [
  mistake: string,
  run: () => unknown,
  happened: string,
  write: string,
])[] = [
  // Declarations
  [
    'fields in place of a schema',
    () => cap({ id: 'string' }, () => 1),
    'expected a handler function or a schema followed by one, got object',
    'Write z.object({ … }) around the fields',
  ],
  [
    'fields in place of an output',
    () => cap(ById, () => 1).output({ id: 'string' }),
    '.output: expected a schema',
    'Write z.object({ … }) around the fields',
  ],
  [
    'fields in place of an input',
    () => cap.input({ id: 'string' }),
    '.input: expected a schema',
    'Write z.object({ … }) around the fields',
  ],
  [
    'fields in place of an item',
    () => capix.pageOf({ id: 'string' }),
    'pageOf: expected the schema of an item',
    'z.object({ id: z.string() })',
  ],
  [
    'a schema without a handler',
    () => cap(ById),
    'got undefined',
    'expected a handler function after the schema',
  ],
  [
    'a method as the intent',
    () => cap(ById, () => 1, 'get'),
    "got 'get'",
    'must be one of query, mutation, update, replace, delete',
  ],
  [
    'a function as a guard',
    () => cap.guard(() => true),
    'got function',
    '.guard: expected defineGuard(…)',
  ],
  [
    'a function as middleware',
    () => cap.use(() => 1),
    'got function',
    '.use: expected defineMiddleware(…)',
  ],
  [
    'a number as an error',
    () => cap(ById, () => 1).errors(404),
    'got number',
    'expected errors made with defineError(…)',
  ],
  [
    'a status that is none of an answer',
    () => cap(ById, () => 1).output(ById, { status: 404 }),
    'got 404',
    'expected an integer from 200 to 399',
  ],
  [
    'name before status',
    () => capix.defineError('NotFound', 404),
    'got NotFound',
    "It stands first: defineError(404, 'NotFound')",
  ],
  [
    'an error with 200',
    () => capix.defineError(200, 'Fine'),
    'got 200',
    'must be an integer from 400 to 599',
  ],
  [
    'a header for a field that there is not',
    () => cap(ById, () => 1).takes({ headers: { token: 'x-token' } }),
    "the input has no field 'token'",
    '.takes',
  ],
  [
    'a guard by its name',
    () => capix.defineGuard('mustBeUser'),
    'expected a function, got a string',
    'Write defineGuard((ctx) => { … })',
  ],
  [
    'an input guard by its name',
    () => capix.defineInputGuard('mustBeOwn'),
    'expected a function, got a string',
    'Write defineInputGuard((input, ctx) => { … })',
  ],
  [
    'middleware that is an object',
    () => capix.defineMiddleware({}),
    'expected a function, got an object',
    'Write defineMiddleware(({ next }) => next())',
  ],
  [
    'a context that is an object',
    () => capix.defineContext({ db: 1 }),
    'expected a function, got an object',
    'Write defineContext(() => ({ … }))',
  ],
  // Enhancers
  [
    'a time with its unit',
    () => capix.withTimeout('30s'),
    "got the string '30s'",
    'expected milliseconds from 1',
  ],
  [
    'seconds for a cache',
    () => capix.withCache({ ttl: 60 }),
    'withCache has no option `ttl`',
    'Did you mean `ttlMs`?',
  ],
  [
    'a window without its unit',
    () => capix.withRateLimit({ limit: 5, window: 60 }),
    'withRateLimit has no option `window`',
    'Did you mean `windowMs`?',
  ],
  [
    'the key of another library',
    () => capix.withIdempotency({ key: 'x' }),
    'withIdempotency has no option `key`',
    'Known are ttlMs, lockMs, required, by',
  ],
  [
    'a threshold that is called otherwise',
    () => capix.withCircuitBreaker({ threshold: 5 }),
    'withCircuitBreaker has no option `threshold`',
    'Known are failures, openMs',
  ],
  [
    'one key for all users',
    () =>
      mount({
        xs: {
          createX: cap(ById, () => 1)
            .guard(lets)
            .enhance(capix.withIdempotency()),
        },
      }),
    'one user could get the answer of another',
    'withIdempotency({by: (_input, ctx) => ctx.user.id})',
  ],
  [
    'one cached answer for all users',
    () =>
      mount({
        xs: {
          getX: cap(ById, () => 1)
            .guard(lets)
            .enhance(capix.withCache({ ttlMs: 5 })),
        },
      }),
    'one user could get the answer of another',
    'withCache({…, scope: (ctx) => ctx.user.id})',
  ],
  [
    'a public answer behind a guard',
    () =>
      mount({
        xs: {
          getX: cap(ById, () => 1)
            .guard(lets)
            .cacheControl('public'),
        },
      }),
    'the answer of one user to another',
    "Say 'private'",
  ],
  // Servers and transports
  [
    'a misspelt option of a server',
    () => capix.createServer({ capabilites: {} }),
    'has no option `capabilites`',
    'Did you mean `capabilities`?',
  ],
  [
    'a builder without defineContext',
    () => serve({ context: () => ({}) }),
    'got function',
    'expected defineContext(…)',
  ],
  [
    'a transport that nobody has called',
    () => serve({ transports: [capix.restTransport] }),
    'got function',
    'expected a list such as [restTransport()]',
  ],
  [
    'a misspelt option of a transport',
    () => capix.restTransport({ prot: 3000 }),
    'has no option `prot`',
    'Did you mean `port`?',
  ],
  [
    'PORT as a text',
    () => capix.restTransport({ port: '3000' }),
    "got the string '3000'",
    'expected an integer from 0 to 65535',
  ],
  [
    'a prefix without its slash',
    () => capix.restTransport({ prefix: 'api' }),
    'does not begin with a slash',
    'write "/api"',
  ],
  [
    'a group without its slash',
    () => capix.group('orgs/:id', {}),
    'does not begin with a slash',
    'write "/orgs/:id"',
  ],
  [
    'a list of origins',
    () => capix.restTransport({ cors: { origin: ['https://a.example'] } }),
    'got an array',
    'lists are for cors({origin: [...]})',
  ],
  [
    'cookies for every origin',
    () => capix.restTransport({ cors: { credentials: true } }),
    "browsers refuse credentials with the origin '*'",
    'Name the origins instead',
  ],
  [
    'a name with a hyphen',
    () => serve({ capabilities: { users: { 'get-user': cap(ById, () => 1) } } }),
    "'get-user' in group 'users' cannot be the name",
    'Use letters and digits',
  ],
  [
    'two routes that are one',
    () =>
      mount({
        users: {
          getUser: cap(ById, () => 1),
          fetchIt: cap(ById, () => 1, 'query').route('GET', '/users/:id'),
        },
      }),
    '`users.getUser` and `users.fetchIt` are both GET /users/:id',
    "overrides: { 'users.fetchIt': { method: 'GET', path: '/users/fetch-it/:id' } }",
  ],
  [
    'WebSockets without a port',
    () => serve({ transports: [capix.webSocketTransport()] }).start(),
    'has no port of its own',
    'Add restTransport() to its transports',
  ],
  [
    'agents without a port',
    () => serve({ transports: [capix.mcpTransport({ port: false })] }).start(),
    'has no port of its own',
    'Add restTransport() to its transports',
  ],
  [
    'transports of a test server',
    () => capix.testServer({ transports: [] }),
    'testServer has no option `transports`',
    'Known are context, capabilities',
  ],
  // Jobs
  [
    'a misspelt job',
    () => jobs().enqueue('emails.sned', {}),
    "There is no job 'emails.sned'",
    'Did you mean `emails.send`?',
  ],
  [
    'a job with a wrong input',
    () => jobs().enqueue('emails.send', { id: 7 }),
    'The input of the job emails.send',
    'id: Invalid input: expected string, received number',
  ],
  [
    'the option of another queue',
    () => capix.queueTransport({ capabilities: {}, redis: 'x' }),
    'has no option `redis`',
    'Known are capabilities, url',
  ],
  // Calls, as their log says
  [
    'a guard that returns false',
    () =>
      answerTo(
        {
          users: {
            getUser: cap(ById, () => 1).guard(
              capix.defineGuard(() => false, { name: 'mustBeOwner' }),
            ),
          },
        },
        '/users/7',
      ),
    'The guard mustBeOwner returned false',
    'A guard refuses by throwing: if (…) throw Forbidden()',
  ],
  [
    'a guard that returns false later',
    () =>
      answerTo(
        {
          users: {
            getUser: cap(ById, () => 1).guard(
              capix.defineGuard(async () => false, { name: 'mustBeOwner' }),
            ),
          },
        },
        '/users/7',
      ),
    'The guard mustBeOwner returned false',
    'throw Forbidden()',
  ],
  [
    'an input guard that returns false',
    () =>
      answerTo(
        {
          users: {
            getUser: cap(ById, () => 1).inputGuard(
              capix.defineInputGuard(() => false, { name: 'mustBeOwn' }),
            ),
          },
        },
        '/users/7',
      ),
    'The guard mustBeOwn returned false',
    'throw Forbidden()',
  ],
  [
    'a value that is not as declared',
    () =>
      get(
        () => ({ id: 7 }),
        (made) => (made as typeof cap).output(ById),
      ),
    'users.getUser returned a value that does not fit its output schema',
    'id: Invalid input: expected string, received number',
  ],
  [
    'a status that is not declared',
    () =>
      get(
        () => library.reply({ id: '7' }, { status: 202 }),
        (made) => (made as typeof cap).output(ById),
      ),
    'answered with the status 202, which it does not declare',
    'Declare it: .output(…, { status: 202 })',
  ],
  ['a Map', () => get(() => new Map()), 'cannot be written as JSON', 'it is a Map'],
  [
    'a circle',
    () => get(() => circle()),
    'cannot be written as JSON',
    "property 'self' closes the circle",
  ],
  [
    'a list where a stream is declared',
    () =>
      answerTo(
        { xs: { listXs: cap.output(library.stream(ById))(() => [{ id: '1' }], 'query') } },
        '/xs',
      ),
    'gave no async iterable',
    'Declare what it gives: .output(schema)',
  ],
  // Callers
  [
    'a misspelt field',
    () => post({ nam: 'Ada' }),
    'nam: There is no such field',
    'Did you mean name?',
  ],
  [
    'a number as a text',
    () => post({ name: 'Ada', count: '1' }),
    'count: Invalid input',
    'expected number, received string',
  ],
  ['a list as a body', () => post([1]), 'got an array', 'must be a JSON object'],
  [
    'a client without its address',
    () => createClient<typeof groups>({ baseUrl: '/api' }).users.getUser({ id: '7' }),
    'Failed to parse URL',
    '/api',
  ],
];

const groups = { users: { getUser: library.capability(ById, ({ id }) => id) } };

it('tells the mistakes apart', () => {
  expect(new Set(table.map(([mistake]) => mistake)).size).toBe(table.length);
  expect(table.length).toBeGreaterThanOrEqual(50);
});

it.each(table)('%s', async (_mistake, run, happened, write) => {
  const message = await messageOf(run);
  expect(message).toContain(happened);
  expect(message).toContain(write);
  expect(message).not.toMatch(/undefined is not|Cannot read prop|\[object Object\]/);
});

async function messageOf(run: () => unknown): Promise<string> {
  try {
    return String(await run());
  } catch (error) {
    return (error as Error).message;
  }
}

function jobs() {
  return capix.queueTransport({ capabilities: { emails: { send: cap(ById, () => 1) } } });
}

function circle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}
