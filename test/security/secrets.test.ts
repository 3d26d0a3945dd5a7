// Boundary: whoever sends a credential. Promise: a secret that is missing never means that anybody may sign.
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type CookieOptions, defineCookie } from '../../server-runtime/cookies/index.ts';
import {
  capability,
  cors,
  createServer,
  restTransport,
  silentLogger,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { type McpOptions, mcpTransport } from '../../server-runtime/mcp/index.ts';
import { testServer } from '../../server-runtime/testing/test-server.ts';
import { countInputs } from '../helpers/count-inputs.ts';

const LONG = 'a secret of thirty-two characters';
const capabilities = { getOne: capability(() => 1, 'query') };
const toServer = () => createServer({ capabilities, logger: silentLogger });

/** What a variable of the environment that nobody has set makes of the secrets. */
const unusable: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['an empty list', []],
  ['a list of undefined', [undefined]],
  ['undefined before an older one', [undefined, LONG]],
  ['undefined behind a good one', [LONG, undefined]],
  ['an empty text', ['']],
  ['an empty text behind a good one', [LONG, '']],
  ['one that can be tried out', ['k']],
  ['31 characters', ['k'.repeat(31)]],
  ['a number', [42]],
  ['a text in place of a list', LONG],
];

describe('a cookie whose secrets are', () => {
  // The cookie of this name is good again, as it is once the variable is set and the module is loaded again.
  afterEach(() => void defineCookie('session', { secrets: [LONG] }));

  it.each(unusable)('%s lets no server start, and reads nothing', async (_what, secrets) => {
    const session = defineCookie('session', { secrets } as CookieOptions);
    expect(session.read({ cookie: 'session=admin' })).toBeUndefined();
    expect(() => session.set('admin')).toThrow('defineCookie session secrets');
    await expect(toServer().start()).rejects.toThrow('defineCookie session secrets');
    expect(() => toFetchHandler(toServer())).toThrow('defineCookie session secrets');
    await expect(testServer({ capabilities, listen: false })).rejects.toThrow(
      'defineCookie session secrets',
    );
  });

  it('missing names the likely cause, and short says what makes a good one', () => {
    defineCookie('session', { secrets: [undefined as unknown as string] });
    expect(() => toFetchHandler(toServer())).toThrow(
      'defineCookie session secrets[0]: expected a secret, got undefined. Is a variable of the environment not set?',
    );
    defineCookie('session', { secrets: ['hunter2'] });
    const start = () => toFetchHandler(toServer());
    expect(start).toThrow(
      'at least 32 characters, got a text of 7. `openssl rand -base64 32` makes',
    );
    expect(start).not.toThrow('hunter2');
  });
});

it('takes an older secret as it is, so that a short one can be replaced', () => {
  const session = defineCookie('session', { secrets: [LONG, 'old'] });
  const cookie = session.set('7').split(';')[0];
  expect(session.read({ cookie })).toBe('7');
  expect(toFetchHandler(toServer())).toBeTypeOf('function');
});

it('reads no value that was not signed, whatever it is', () => {
  const session = defineCookie('session', { secrets: [LONG] });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const cookie = `session=${encodeURIComponent(value.toWellFormed())}`;
      expect(session.read({ cookie })).toBeUndefined();
    }),
    { numRuns: countInputs(300) },
  );
});

it.each([
  ['secret', undefined, 'got undefined. Is a variable of the environment not set?'],
  ['secret', '', 'got an empty text. Is a variable of the environment not set?'],
  ['secret', 'short', 'at least 32 characters, got a text of 5'],
  ['authorize', undefined, 'expected a function, or no such option, got undefined'],
  ['authorize', true, 'expected a function, or no such option, got a value of the type boolean'],
  ['allowedHosts', [undefined], 'expected a name, got undefined'],
  ['allowedHosts', ['a.example', ''], 'expected a name, got an empty text'],
  ['allowedOrigins', [undefined], 'expected a name, got undefined'],
  ['allowedOrigins', 'https://a.example', 'expected a list of names, got a text of'],
])('starts no MCP server whose %s is %o, and loads its module', async (name, value, message) => {
  const transport = mcpTransport({ port: 0, [name]: value } as McpOptions);
  const server = createServer({ capabilities, transports: [transport], logger: silentLogger });
  await expect(server.start()).rejects.toThrow(`mcpTransport ${name}`);
  await expect(server.start()).rejects.toThrow(message);
});

it.each([
  ['undefined', { cors: { origin: undefined } }],
  ['undefined, by the plugin', cors({ origin: undefined })],
  ['a list with undefined', cors({ origin: ['https://a.example', undefined as never] })],
  ['a list with an empty text', cors({ origin: [''] })],
])('starts no server whose origin of cors is %s, and loads its module', async (_what, options) => {
  const transports = [restTransport({ ...options, port: 0, host: '127.0.0.1' })];
  const server = createServer({ capabilities, transports, logger: silentLogger });
  const message = 'restTransport cors.origin: expected a value, or no such option, got undefined';
  await expect(server.start()).rejects.toThrow(message);
  await expect(toFetchHandler(server)(new Request('http://a.test/one'))).rejects.toThrow(message);
});
