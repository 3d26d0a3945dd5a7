import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  defaultErrors,
  defineContext,
  withTimeout,
} from '../../server-runtime/index.ts';
import { ask, jsonBody } from '../helpers/ask.ts';
import { describeOverSockets, itOverHttp } from '../helpers/every-door.ts';
import { defer, startOverSocket } from '../helpers/start-rest.ts';

const createUser = capability(
  z.object({ email: z.email(), password: z.string().min(8).optional() }).loose(),
  () => 1,
);
const capabilities = { users: { createUser, listUsers: capability(() => []) } };
const sent = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') => ({
  headers: { 'content-type': type },
  body,
});
const refusal = (status: number, error: string) => ({
  status,
  body: { error, message: expect.any(String) },
});

describeOverSockets('answers', () => {
  it('a success is 200 {data}; null and undefined are {"data":null}', async () => {
    const users = { getMe: capability(() => null), getStats: capability(() => undefined) };
    expect(await ask({ capabilities: { users } }, 'GET /users/me')).toMatchObject({
      status: 200,
      body: { data: null },
    });
    expect((await ask({ capabilities: { users } }, 'GET /users/stats')).body).toEqual({
      data: null,
    });
  });

  it('a validation problem is 400 BadRequest with meta.issues and meta.fields', async () => {
    expect(await ask({ capabilities }, 'POST /users', jsonBody({ email: 'x' }))).toMatchObject({
      status: 400,
      body: {
        error: 'BadRequest',
        message: 'Input validation failed',
        meta: {
          issues: ['email: Invalid email address'],
          fields: [
            {
              path: 'email',
              message: 'Invalid email address',
              code: 'invalid_format',
              received: 'x',
            },
          ],
        },
      },
    });
  });

  it('of many validation problems the first 50 are told, and how many more there are', async () => {
    const users = { createUser: capability(z.object({ tags: z.array(z.string()) }), () => 1) };
    const input = jsonBody({ tags: Array.from({ length: 60 }, () => 1) });
    const { meta } = (await ask({ capabilities: { users } }, 'POST /users', input)).body as {
      meta: { issues: string[]; fields: object[]; omitted: number };
    };
    expect([meta.issues.length, meta.fields.length, meta.omitted]).toEqual([50, 50, 10]);
  });

  it('a received value is cut at 200 characters, and that of a secret field is not shown', async () => {
    const { body } = await ask(
      { capabilities },
      'POST /users',
      jsonBody({ email: 'x'.repeat(500), password: 'short' }),
    );
    const { fields } = (body as { meta: { fields: { path: string; received?: string }[] } }).meta;
    expect(fields[0]?.received?.length).toBeLessThanOrEqual(201);
    expect(fields[1]).toMatchObject({ path: 'password' });
    expect(JSON.stringify(body)).not.toContain('short"');
  });

  itOverHttp('no route is 404 NotFound, Not found', async () => {
    expect(await ask({ capabilities }, 'GET /nowhere')).toMatchObject({
      status: 404,
      body: { error: 'NotFound', message: 'Not found' },
    });
  });

  itOverHttp('a wrong method is 405 MethodNotAllowed with Allow', async () => {
    const answer = await ask({ capabilities }, 'PUT /users');
    expect(answer).toMatchObject(refusal(405, 'MethodNotAllowed'));
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  itOverHttp('HEAD is GET without the body', async () => {
    const answer = await ask({ capabilities }, 'HEAD /users');
    expect([answer.status, answer.headers.get('content-length'), answer.body]).toEqual([
      200,
      '11',
      '',
    ]);
  });

  itOverHttp(
    'OPTIONS is 204 with the CORS headers, and Allow for a path that is known',
    async () => {
      const known = await ask({ capabilities }, 'OPTIONS /users');
      expect([known.status, known.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
      expect(known.headers.get('access-control-allow-origin')).toBe('*');
      expect((await ask({ capabilities }, 'OPTIONS /nowhere')).headers.get('allow')).toBeNull();
    },
  );

  itOverHttp('a body over maxBodySize, 1 MiB by default, is 413 PayloadTooLarge', async () => {
    const body = (size: number) =>
      sent(`{"email":"a@b.ch","x":"${'x'.repeat(size - 25)}"}`.padEnd(size));
    expect((await ask({ capabilities }, 'POST /users', body(1_048_576))).status).toBe(200);
    expect(await ask({ capabilities }, 'POST /users', body(1_048_577))).toMatchObject(
      refusal(413, 'PayloadTooLarge'),
    );
    expect(
      (await ask({ capabilities, rest: { maxBodySize: 10 } }, 'POST /users', body(100))).status,
    ).toBe(413);
  });

  itOverHttp(
    'another content type, or charset than UTF-8, is 415, and so is a body without a type; +json is JSON; an empty body needs no type',
    async () => {
      const json = '{"email":"a@b.ch"}';
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
      ]) {
        expect(await ask({ capabilities }, 'POST /users', sent(json, type))).toMatchObject(
          refusal(415, 'UnsupportedMediaType'),
        );
      }
      expect(
        (await ask({ capabilities }, 'POST /users', sent(json, 'application/vnd.api+json'))).status,
      ).toBe(200);
      expect(
        (await ask({ capabilities }, 'POST /users', { body: new TextEncoder().encode(json) }))
          .status,
      ).toBe(415);
      expect((await ask({ capabilities }, 'POST /users', sent('', 'text/plain'))).status).toBe(400);
    },
  );

  itOverHttp(
    'malformed JSON, JSON that is not an object, bad UTF-8 and bad multipart are 400 BadRequest',
    async () => {
      const bad = [
        sent('{'),
        sent('[]'),
        sent('7'),
        sent(new Uint8Array([0x22, 0xff, 0x22])),
        sent('no boundary', 'multipart/form-data'),
      ];
      for (const body of bad)
        expect(await ask({ capabilities }, 'POST /users', body)).toMatchObject(
          refusal(400, 'BadRequest'),
        );
    },
  );

  it('JSON deeper than 64 levels is 400 BadRequest', async () => {
    const deep = (levels: number) =>
      sent(`{"email":"a@b.ch","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
    expect((await ask({ capabilities }, 'POST /users', deep(64))).status).toBe(200);
    expect(await ask({ capabilities }, 'POST /users', deep(65))).toMatchObject(
      refusal(400, 'BadRequest'),
    );
  });

  it('an empty body is {}', async () => {
    const capability1 = capability((input) => input, 'mutation');
    expect(
      (await ask({ capabilities: { users: { echo: capability1 } } }, 'POST /users/echo')).body,
    ).toEqual({
      data: {},
    });
  });

  it('a timeout is 504 Timeout, of default and withTimeout alike, and fires ctx.signal', async () => {
    const fired = defer<unknown>();
    const wait = capability((_input, { signal }) => {
      signal.addEventListener('abort', () => fired.resolve(signal.reason));
      return new Promise(() => {});
    });
    const byDefault = await ask(
      { capabilities: { jobs: { wait } }, timeoutMs: 20 },
      'POST /jobs/wait',
    );
    const byEnhancer = await ask(
      { capabilities: { jobs: { wait: wait.enhance(withTimeout(20)) } } },
      'POST /jobs/wait',
    );
    expect([byDefault.status, byEnhancer.status]).toEqual([504, 504]);
    expect(byDefault.body).toEqual(byEnhancer.body);
    expect(await fired.promise).toMatchObject({ name: 'TimeoutError' });
  });

  it('withTimeout replaces the default, also by a longer one', async () => {
    const context = defineContext(() => ({}));
    const late = capability(() => new Promise((resolve) => setTimeout(resolve, 60, 'late')));
    const jobs = { late: late.enhance(withTimeout(30_000)) };
    expect(
      (await ask({ context, capabilities: { jobs }, timeoutMs: 20 }, 'POST /jobs/late')).body,
    ).toEqual({
      data: 'late',
    });
  });

  it('any other thrown value is 500 Internal, Internal server error; the stack goes to the log with the request id', async () => {
    const listUsers = capability(() => {
      throw new Error('password of the database');
    });
    const { request, log } = await startOverSocket({ capabilities: { users: { listUsers } } });
    const response = await request('/users', { headers: { 'x-request-id': 'r-1' } });
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: 'Internal', message: 'Internal server error' },
    ]);
    expect(log.errors).toMatchObject([
      { requestId: 'r-1', error: { message: 'password of the database' } },
    ]);
  });

  it('a value that does not fit the output is 500 Internal and is never sent; the log names the field', async () => {
    const getMe = capability(() => ({ name: 7 as unknown as string })).output(
      z.object({ name: z.string() }),
    );
    const { request, log } = await startOverSocket({ capabilities: { users: { getMe } } });
    expect((await request('/users/me')).status).toBe(500);
    expect(String(log.errors[0]?.error)).toContain('name');
  });

  itOverHttp(
    'a draining server answers 503 ServiceUnavailable to what was on its way, and closes the connection',
    async () => {
      const [begun, held] = [defer(), defer()];
      const users = {
        listUsers: capability(() => []),
        getMe: capability(() => {
          begun.resolve();
          return held.promise;
        }),
      };
      const { server, url, request } = await startOverSocket({ capabilities: { users } });
      const socket = connect({ port: Number(new URL(url).port) });
      // An answer shows that the connection is up; the next request on it is half sent when the server stops.
      socket.write('GET /users HTTP/1.1\r\nhost: x\r\n\r\n');
      await once(socket, 'data');
      await new Promise((resolve) => socket.write('GET /users HTTP/1.1\r\n', resolve));
      const underWay = request('/users/me');
      await begun.promise;
      const stopped = server.stop();
      const answer = text(socket);
      socket.write('host: x\r\n\r\n');
      expect(await answer).toMatch(
        /^HTTP\/1\.1 503 [^]*connection: close\r\n[^]*"error":"ServiceUnavailable"/i,
      );
      held.resolve();
      expect((await underWay).status).toBe(200);
      await stopped;
    },
  );

  itOverHttp(
    'every refusal is {error, message, meta?} of content type application/json; charset=utf-8',
    async () => {
      for (const request of ['GET /nowhere', 'PUT /users', 'POST /users']) {
        const { headers, body } = await ask({ capabilities }, request);
        expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(['error,message', 'error,message,meta']).toContain(
          Object.keys(body as object).join(','),
        );
      }
      expect(defaultErrors.NotFound().message).toBe('Not found');
    },
  );
});
