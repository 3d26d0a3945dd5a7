import { expect, it } from 'vitest';
import { defineCookie } from '../../../server-runtime/cookies/index.ts';
import {
  capability,
  createServer,
  defineContext,
  reply,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';

it('reads, sets and removes a signed cookie of a request', async () => {
  const session = defineCookie('session', { secrets: ['first'], maxAge: 60 });
  const context = defineContext(({ headers }) => ({ user: session.read(headers) ?? null }));
  const cap = capability.withContext<{ readonly user: string | null }>();
  const capabilities = {
    signIn: cap(() => reply(null, { headers: { 'set-cookie': session.set('Ada & Grace') } })),
    signOut: cap(() => reply(null, { headers: { 'set-cookie': session.clear() } })),
    me: cap((_input, { user }) => user, 'query'),
  };
  const handle = toFetchHandler(createServer({ context, capabilities, logger: silentLogger }));
  const ask = (path: string, cookie?: string, method = 'GET') =>
    handle(new Request(`http://x.test${path}`, { method, headers: cookie === undefined ? {} : { cookie } }));
  const [set = ''] = (await ask('/sign-in', undefined, 'POST')).headers.getSetCookie();
  expect(set).toMatch(/^session=Ada%20%26%20Grace\.[^;]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const [sent = ''] = set.split(';');
  expect(await (await ask('/me', `other=1; ${sent}`)).json()).toEqual({ data: 'Ada & Grace' });
  expect(await (await ask('/me', sent.replace('Ada', 'Eve'))).json()).toEqual({ data: null });
  expect(await (await ask('/me')).json()).toEqual({ data: null });
  expect((await ask('/sign-out', sent, 'POST')).headers.get('set-cookie')).toMatch(/^session=; Max-Age=0; Path=\//);
});

it('goes on reading what an older secret has signed', () => {
  const old = defineCookie('session', { secrets: ['old'] });
  const both = defineCookie('session', { secrets: ['new', 'old'] });
  const [byOld = '', byNew = ''] = [old.set('7'), both.set('7')].map((text) => text.split(';')[0]);
  expect([both.read({ cookie: byOld }), both.read({ cookie: byNew }), old.read({ cookie: byNew })]).toEqual([
    '7',
    '7',
    undefined,
  ]);
});

it('is plain without a secret, and has the attributes that are asked for', () => {
  const theme = defineCookie('theme', {
    secure: false,
    httpOnly: false,
    sameSite: 'strict',
    path: '/app',
    domain: 'example.org',
  });
  expect(theme.set('dark')).toBe('theme=dark; Domain=example.org; Path=/app; SameSite=Strict');
  expect(theme.read({ cookie: 'theme=dark' })).toBe('dark');
});

it.each([
  ['a name that cannot be sent', () => defineCookie('a b'), 'name'],
  ['an empty secret', () => defineCookie('a', { secrets: [''] }), 'secrets'],
  ['an option that there is not', () => defineCookie('a', { secret: 'x' } as object), 'secret'],
])('refuses %s', (_what, define, message) => {
  expect(define).toThrow(message);
});
