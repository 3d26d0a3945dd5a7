import { expect, it } from 'vitest';
import { z } from 'zod';
import type { SecurityScheme } from '../../../server-runtime/capability/guard.ts';
import { defineCookie } from '../../../server-runtime/cookies/index.ts';
import {
  capability,
  defaultErrors,
  defineError,
  defineGuard,
  reply,
} from '../../../server-runtime/index.ts';
import { describeEverywhere, startOverSocket } from '../../helpers/start-rest.ts';

const session = defineCookie('session');
const Expired = defineError(401, 'SessionExpired');

describeEverywhere('headers of errors', (start) => {
  it('sends the headers and cookies of an error, with the type of the envelope', async () => {
    const { request } = await start({
      capabilities: {
        me: {
          getMe: capability(() => {
            const cookies = [session.clear(), 'seen=1'];
            const headers = { 'Set-Cookie': cookies, 'X-Why': 'old', 'content-type': 'text/html' };
            throw Expired('Sign in again', undefined, { headers });
          }),
        },
      },
    });
    const response = await request('/me');
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: 'SessionExpired', message: 'Sign in again' });
    expect(response.headers.get('x-why')).toBe('old');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.getSetCookie()).toEqual([session.clear(), 'seen=1']);
  });

  it('sends an error header in place of what its meta and its status would bring', async () => {
    const headers = { 'retry-after': '7', 'www-authenticate': 'Bearer error="invalid_token"' };
    const { request } = await start({
      capabilities: {
        a: {
          getBusy: capability(() => {
            throw defaultErrors.TooManyRequests({ retryAfterSeconds: 3 }, { headers });
          }),
          getMine: capability(() => {
            throw defaultErrors.Unauthorized(undefined, { headers });
          }).guard(defineGuard(() => {}, { security: { type: 'http', scheme: 'bearer' } })),
        },
      },
    });
    expect((await request('/a/busy')).headers.get('retry-after')).toBe('7');
    const mine = await request('/a/mine');
    expect(mine.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('answers 500, and says why in the log, where the header of an error cannot be sent', async () => {
    const answered: number[] = [];
    const { request, log } = await start({
      hooks: { onResponse: ({ status }) => void answered.push(status) },
      capabilities: {
        a: {
          getA: capability(() => {
            throw defaultErrors.NotFound(undefined, { headers: { 'x-a': 'a\r\nset-cookie: b=1' } });
          }),
        },
      },
    });
    const response = await request('/a');
    expect([response.status, response.headers.get('set-cookie')]).toEqual([500, null]);
    expect(log.errors[0]?.message).toContain('could not be answered with its own headers');
    expect(answered).toEqual([500]);
  });

  const schemes: readonly (readonly [string, readonly SecurityScheme[], string])[] = [
    ['bearer', [{ type: 'http', scheme: 'bearer' }], 'Bearer'],
    ['basic', [{ type: 'http', scheme: 'basic' }], 'Basic realm="api", charset="UTF-8"'],
    ['a key', [{ type: 'apiKey', in: 'header', name: 'x-api-key' }], 'ApiKey'],
    ['oauth2', [{ type: 'oauth2', flows: {} }], 'Bearer'],
    ['OpenID', [{ type: 'openIdConnect', openIdConnectUrl: 'https://id.example' }], 'Bearer'],
    ['a scheme with a line break', [{ type: 'http', scheme: 'be\r\narer' }], 'Bearer'],
    [
      'one of two',
      [
        { type: 'http', scheme: 'bearer' },
        { type: 'apiKey', in: 'cookie', name: 'sid' },
      ],
      'Bearer, ApiKey',
    ],
  ];
  it.each(schemes)(
    'challenges a caller by the declared scheme: %s',
    async (_name, security, challenge) => {
      const refuse = defineGuard(
        () => {
          throw defaultErrors.Unauthorized();
        },
        { security },
      );
      const { request } = await start({
        rest: { docs: { guards: [refuse] } },
        capabilities: {
          a: {
            getMine: capability(() => 1).guard(refuse),
            getOpen: capability(() => {
              throw defaultErrors.Unauthorized();
            }),
          },
        },
      });
      for (const path of ['/a/mine', '/docs']) {
        const { status, headers } = await request(path);
        expect([status, headers.get('www-authenticate')]).toEqual([401, challenge]);
      }
      const open = await request('/a/open');
      expect([open.status, open.headers.get('www-authenticate')]).toEqual([401, null]);
    },
  );

  it.each([
    ['/x/日', '/x/%E6%97%A5'],
    ['/x/%20日 a', '/x/%20%E6%97%A5%20a'],
    ['/x\r\nset-cookie: a=1', '/x%0D%0Aset-cookie:%20a=1'],
    ['/x/\ud800', '/x/%EF%BF%BD'],
    ['https://x.example/a?b=c&d=%E6#e', 'https://x.example/a?b=c&d=%E6#e'],
  ])('encodes the place of a reply, and leaves what is encoded: %j', async (location, sent) => {
    const { request } = await start({
      capabilities: {
        a: {
          getA: capability(() => reply(null, { status: 302, headers: { Location: location } })),
          createA: capability(() => reply({ id: 1 }, { status: 201, headers: { location } })),
          deleteA: capability(() => {
            throw defaultErrors.Conflict('Moved', undefined, { headers: { Location: location } });
          }).route('DELETE', '/a'),
        },
      },
    });
    const refused = await request('/a', { method: 'DELETE' });
    expect([refused.status, refused.headers.get('location')]).toEqual([409, sent]);
    const moved = await request('/a', { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([302, sent]);
    const made = await request('/a', { method: 'POST' });
    expect([made.status, made.headers.get('location')]).toEqual([201, sent]);
  });

  it.each([
    ['"q v"', 'q v'],
    ['q%20v', 'q v'],
    ['%22q%22', '"q"'],
    ['"%22q%22"', '"q"'],
    ['"', '"'],
    ['%E0%A4', '%E0%A4'],
    ['a=b', 'a=b'],
  ])('reads a cookie as a field and by defineCookie as one value: %s', async (sent, value) => {
    const cookie = defineCookie('p');
    const getA = capability(z.object({ p: z.string() }), ({ p }) => [
      p,
      cookie.read({ cookie: `p=${sent}` }),
    ]);
    const { request } = await start({
      capabilities: { a: { getA: getA.takes({ cookies: { p: 'p' } }) } },
    });
    const response = await request('/a', { headers: { cookie: `p=${sent}` } });
    expect(await response.json()).toEqual({ data: [value, value] });
  });
});

it('keeps the headers of an error that is thrown again in the same process', async () => {
  const { server } = await startOverSocket({
    capabilities: {
      a: {
        getA: capability(() => {
          throw Expired(undefined, { headers: { 'x-why': 'old' } });
        }),
      },
    },
  });
  await expect(server.invoke({ capability: 'a.getA' })).rejects.toMatchObject({
    headers: { 'x-why': 'old' },
  });
});
