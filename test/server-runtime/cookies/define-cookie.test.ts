import { expect, it, onTestFinished, vi } from 'vitest';
import { defineCookie } from '../../../server-runtime/cookies/index.ts';
import {
  capability,
  createServer,
  defineContext,
  reply,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';

/** A secret as long as one must be. */
const toSecret = (name: string): string => name.padEnd(32, '-');

it('reads, sets and removes a signed cookie of a request', async () => {
  const session = defineCookie('session', { secrets: [toSecret('first')], maxAge: 60 });
  const context = defineContext(({ headers }) => ({ user: session.read(headers) ?? null }));
  const cap = capability.withContext<{ readonly user: string | null }>();
  const capabilities = {
    signIn: cap(() => reply(null, { headers: { 'set-cookie': session.set('Ada & Grace') } })),
    signOut: cap(() => reply(null, { headers: { 'set-cookie': session.clear() } })),
    me: cap((_input, { user }) => user, 'query'),
  };
  const handle = toFetchHandler(createServer({ context, capabilities, logger: silentLogger }));
  const ask = (path: string, cookie?: string, method = 'GET') =>
    handle(
      new Request(`http://x.test${path}`, {
        method,
        headers: cookie === undefined ? {} : { cookie },
      }),
    );
  const [set = ''] = (await ask('/sign-in', undefined, 'POST')).headers.getSetCookie();
  expect(set).toMatch(
    /^session=Ada%20%26%20Grace\.[^;]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const [sent = ''] = set.split(';');
  expect(await (await ask('/me', `other=1; ${sent}`)).json()).toEqual({ data: 'Ada & Grace' });
  expect(await (await ask('/me', sent.replace('Ada', 'Eve'))).json()).toEqual({ data: null });
  expect(await (await ask('/me')).json()).toEqual({ data: null });
  expect((await ask('/sign-out', sent, 'POST')).headers.get('set-cookie')).toMatch(
    /^session=; Max-Age=0; Path=\//,
  );
});

it('goes on reading what an older secret has signed', () => {
  const old = defineCookie('session', { secrets: [toSecret('old')] });
  const both = defineCookie('session', { secrets: [toSecret('new'), toSecret('old')] });
  const [byOld = '', byNew = ''] = [old.set('7'), both.set('7')].map((text) => text.split(';')[0]);
  expect([
    both.read({ cookie: byOld }),
    both.read({ cookie: byNew }),
    old.read({ cookie: byNew }),
  ]).toEqual(['7', '7', undefined]);
});

/** The header `Cookie` that a browser sends for a `Set-Cookie`. */
const toSent = (setCookie: string): string => setCookie.split(';')[0] ?? '';

it('refuses a value that another cookie has signed with the same secret', () => {
  const [name, session] = ['name', 'session'].map((each) =>
    defineCookie(each, { secrets: [toSecret('same')] }),
  );
  const signed = toSent(name?.set('1') ?? '');
  expect(name?.read({ cookie: signed })).toBe('1');
  expect(session?.read({ cookie: signed.replace('name=', 'session=') })).toBeUndefined();
});

it('refuses a signed value once its time is over, whatever the browser keeps', () => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const session = defineCookie('session', { secrets: [toSecret('a')], maxAge: 60 });
  const cookie = toSent(session.set('7.8'));
  vi.setSystemTime(59_000);
  expect(session.read({ cookie })).toBe('7.8');
  vi.setSystemTime(60_000);
  expect(session.read({ cookie })).toBeUndefined();
  const forever = defineCookie('session', { secrets: [toSecret('a')] });
  expect(forever.read({ cookie: toSent(forever.set('7.8')) })).toBe('7.8');
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
  [
    '__Host- with a domain',
    () => defineCookie('__Host-a', { domain: 'example.org' }),
    '__Host-a: a cookie of this name',
  ],
  [
    '__Host- below a path',
    () => defineCookie('__Host-a', { path: '/a' }),
    'has the path / and no domain',
  ],
  ['__Host- without TLS', () => defineCookie('__host-a', { secure: false }), 'is secure'],
  ['__Secure- without TLS', () => defineCookie('__Secure-a', { secure: false }), 'is secure'],
  ['an option that there is not', () => defineCookie('a', { secret: 'x' } as object), 'secret'],
])('refuses %s', (_what, define, message) => {
  expect(define).toThrow(message);
});
