import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  defaultErrors,
  defineContext,
  defineError,
  defineGuard,
} from '../../../server-runtime/index.ts';
import { describeThroughEveryDoor, itOverHttp } from '../../helpers/every-door.ts';
import { json } from '../../helpers/start-rest.ts';

const Teapot = defineError(418, 'I am a teapot', 'Teapot');
const circular: Record<string, unknown> = {};
circular['self'] = circular;
const mustHaveToken = defineGuard((ctx: { readonly token?: string | undefined }) => {
  if (ctx.token === undefined) throw defaultErrors.Unauthorized();
});

const items = {
  getItem: capability(z.object({ id: z.string() }), ({ id }) => ({ id })),
  listItems: capability(() => []),
  createItem: capability(
    z.object({ name: z.string(), password: z.string().min(8).optional() }),
    (input) => input,
  ),
  getNull: capability(() => null),
  getNothing: capability(() => undefined),
  getFunction: capability(() => () => 1),
  getDate: capability(() => ({ at: new Date(0) })),
  getLater: capability(async () => 'later'),
  getTeapot: capability(() => {
    throw Teapot('Short and stout', { handle: 'left' });
  }),
  getBug: capability(() => {
    throw new Error('the secret of the database');
  }),
  getThrownText: capability(() => {
    throw 'text';
  }),
  getRejected: capability(async () => {
    throw new Error('later secret');
  }),
  getCircular: capability(() => circular),
  getThrowingJson: capability(() => ({
    toJSON: () => {
      throw new Error('in toJSON');
    },
  })),
  getBadMeta: capability(() => {
    throw Teapot({ circular });
  }),
};
const secrets = {
  createSecret: capability
    .withContext<{ readonly token?: string | undefined }>()(
      z.object({ name: z.string() }),
      (input) => input,
    )
    .guard(mustHaveToken),
};
const context = defineContext(({ headers, requestId }) => ({
  token: headers['authorization'] as string | undefined,
  requestId,
}));

describeThroughEveryDoor('answers', (start) => {
  it.each([
    ['GET', '/items/7', { id: '7' }],
    ['GET', '/items', []],
    ['GET', '/items/null', null],
    ['GET', '/items/nothing', null],
    ['GET', '/items/function', null],
    ['GET', '/items/date', { at: '1970-01-01T00:00:00.000Z' }],
    ['GET', '/items/later', 'later'],
    ['GET', '//items//7/', { id: '7' }],
    ['GET', '/items/a%2Fb%20c', { id: 'a/b c' }],
  ])('answers %s %s with 200 and the value as data', async (method, path, data) => {
    const { request } = await start({ capabilities: { items } });
    const response = await request(path, { method });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({ data });
  });

  const expectRefusal = async (
    method: string,
    path: string,
    body: string | undefined,
    status: number,
    error: string,
    message: string,
  ): Promise<void> => {
    const { request } = await start({ capabilities: { items } });
    const response = await request(path, body === undefined ? { method } : json(body, method));
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({ error, message });
    expect((await request('/items')).status).toBe(200);
  };
  itOverHttp.each([
    ['GET', '/nowhere', undefined, 404, 'NotFound', 'Not found'],
    ['DELETE', '/items', undefined, 405, 'MethodNotAllowed', 'Method not allowed'],
    [
      'GET',
      '/items/%E0%A4%A',
      undefined,
      400,
      'BadRequest',
      'The percent-encoding of the path cannot be decoded',
    ],
    ['POST', '/items', '{"name": ', 400, 'BadRequest', 'The request body is not valid JSON'],
    [
      'POST',
      '/items',
      '[]',
      400,
      'BadRequest',
      'The request body must be a JSON object, got an array',
    ],
    [
      'POST',
      '/items',
      '"x"',
      400,
      'BadRequest',
      'The request body must be a JSON object, got a string',
    ],
    [
      'POST',
      '/items',
      'null',
      400,
      'BadRequest',
      'The request body must be a JSON object, got null',
    ],
  ])('refuses %s %s %s with %i %s', (method, path, body, status, error, message) =>
    expectRefusal(method, path, body, status, error, message),
  );

  it.each([
    ['POST', '/items', '{}', 400, 'BadRequest', 'Input validation failed'],
    ['GET', '/items/teapot', undefined, 418, 'Teapot', 'Short and stout'],
    ['GET', '/items/bad-meta', undefined, 418, 'Teapot', 'I am a teapot'],
    ['GET', '/items/bug', undefined, 500, 'Internal', 'Internal server error'],
    ['GET', '/items/thrown-text', undefined, 500, 'Internal', 'Internal server error'],
    ['GET', '/items/rejected', undefined, 500, 'Internal', 'Internal server error'],
    ['GET', '/items/circular', undefined, 500, 'Internal', 'Internal server error'],
    ['GET', '/items/throwing-json', undefined, 500, 'Internal', 'Internal server error'],
  ])('refuses %s %s %s with %i %s', (method, path, body, status, error, message) =>
    expectRefusal(method, path, body, status, error, message),
  );

  it('returns the meta of an error, and nothing of an error that nobody foresaw', async () => {
    const { request, log } = await start({ capabilities: { items } });
    expect(await (await request('/items/teapot')).json()).toEqual({
      error: 'Teapot',
      message: 'Short and stout',
      meta: { handle: 'left' },
    });
    const response = await request('/items/bug', { headers: { 'x-request-id': 'mine-1' } });
    expect(await response.text()).toBe('{"error":"Internal","message":"Internal server error"}');
    expect(log.errors).toHaveLength(1);
    expect(log.errors[0]).toMatchObject({
      requestId: 'mine-1',
      error: new Error('the secret of the database'),
    });
  });

  it('tells each wrong field, with what was sent where it is no secret', async () => {
    const { request } = await start({ capabilities: { items } });
    const response = await request('/items', json({ name: 7, password: 'short' }));
    expect(response.status).toBe(400);
    const { meta } = (await response.json()) as { meta: { issues: string[]; fields: object[] } };
    expect(meta.issues[0]).toMatch(/^name: /);
    expect(meta.fields[0]).toMatchObject({ path: 'name', code: 'invalid_type', received: 7 });
    expect(meta.fields[1]).not.toHaveProperty('received');
  });

  it('names the capability whose value cannot be written, in the log only', async () => {
    const { request, log } = await start({ capabilities: { items } });
    await request('/items/circular');
    expect(String(log.errors[0]?.error)).toContain(
      'items.getCircular returned a value that cannot be written as JSON',
    );
  });

  itOverHttp('answers 405 with every method that the path takes', async () => {
    const { request } = await start({ capabilities: { items } });
    const response = await request('/items', { method: 'PUT' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  itOverHttp('answers HEAD as GET, without the body', async () => {
    const { request } = await start({ capabilities: { items } });
    const response = await request('/items/7', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String('{"data":{"id":"7"}}'.length));
    expect(await response.text()).toBe('');
    expect((await request('/nowhere', { method: 'HEAD' })).status).toBe(404);
  });

  itOverHttp('answers OPTIONS with 204, and Allow for a path that exists', async () => {
    const { request } = await start({ capabilities: { items } });
    const known = await request('/items', { method: 'OPTIONS' });
    expect([known.status, known.headers.get('allow'), await known.text()]).toEqual([
      204,
      'GET, HEAD, POST, OPTIONS',
      '',
    ]);
    const unknown = await request('/nowhere', { method: 'OPTIONS' });
    expect([unknown.status, unknown.headers.get('allow')]).toEqual([204, null]);
  });

  itOverHttp.each([
    ['a sane id', 'abc-123', 'abc-123'],
    ['an id of 128 characters', 'x'.repeat(128), 'x'.repeat(128)],
    ['an id that is too long', 'x'.repeat(129), /^[\w-]{5,}$/],
    ['an id with a blank', 'a b', /^[\w-]{5,}$/],
    ['no id', undefined, /^[\w-]{5,}$/],
  ])('returns x-request-id for %s, on answers and refusals', async (_case, sent, expected) => {
    const { request } = await start({ capabilities: { items }, context });
    for (const [path, method] of [
      ['/items/7', 'GET'],
      ['/nowhere', 'GET'],
      ['/items', 'PUT'],
      ['/items', 'OPTIONS'],
      ['/items/bug', 'GET'],
    ]) {
      const response = await request(path!, {
        method: method!,
        headers: sent === undefined ? {} : { 'x-request-id': sent },
      });
      expect(response.headers.get('x-request-id')).toMatch(
        expected instanceof RegExp ? expected : new RegExp(`^${expected}$`),
      );
    }
  });

  itOverHttp('gives two requests two ids', async () => {
    const { request } = await start({ capabilities: { items } });
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await request('/items')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(3);
  });

  itOverHttp(
    'gives the context builder the request: method, path, query and headers with the host',
    async () => {
      const seen: unknown[] = [];
      const watching = defineContext(({ method, path, url, headers }) => {
        seen.push([
          method,
          path,
          url,
          headers['x-a'],
          Object.keys(headers).filter((name) => name.startsWith(':')),
        ]);
        seen.push(headers['host']);
        return {};
      });
      const { request, url } = await start({ capabilities: { items }, context: watching });
      await request('/items/7?x=1', { headers: { 'X-A': 'b' } });
      expect(seen).toEqual([['GET', '/items/7', '/items/7?x=1', 'b', []], new URL(url).host]);
    },
  );

  itOverHttp('asks the guards before it reads the input', async () => {
    const { request } = await start({ capabilities: { items: secrets }, context });
    expect((await request('/items', json('{"name":'))).status).toBe(401);
    expect((await request('/items', json({}))).status).toBe(401);
    const headers = { authorization: 'token', 'content-type': 'application/json' };
    expect((await request('/items', { method: 'POST', headers, body: '{"name":' })).status).toBe(
      400,
    );
    expect(
      (await request('/items', { method: 'POST', headers, body: '{"name":"x"}' })).status,
    ).toBe(200);
  });
});

describeThroughEveryDoor('the check of answers', (start) => {
  const capabilities = {
    users: {
      getMe: capability(() => ({ name: 7 as unknown as string })).output(
        z.object({ name: z.string() }),
      ),
    },
  };

  it('refuses a value that does not fit the declared output, and logs the field', async () => {
    const { request, log } = await start({ capabilities });
    const response = await request('/users/me');
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: 'Internal', message: 'Internal server error' },
    ]);
    expect(String(log.errors[0]?.error)).toMatch(/users\.getMe .* name: /);
  });
});
