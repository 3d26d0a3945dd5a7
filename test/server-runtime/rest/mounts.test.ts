import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type RequestListener,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import 'reflect-metadata';
import { getRequestListener } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { handle, getConnInfo as lambdaConnInfo } from 'hono/aws-lambda';
import Koa from 'koa';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defineContext,
  type RestOptions,
  toFetchHandler,
  toNodeHandler,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import type { OpenApiDocument } from '../../../server-runtime/openapi/openapi-document.ts';
import { recordLog } from '../../helpers/start-rest.ts';

const jobs = {
  getCaller: capability.withContext<{ readonly caller: string }>()(
    (_input, { caller }) => caller,
    'query',
  ),
  listJobs: capability(z.object({ limit: z.number().default(2) }), ({ limit }) => ({ limit })),
  createJob: capability(z.object({ name: z.string() }), (input) => input),
  sendFile: capability(z.object({ file: uploadedFile() }), ({ file }) => ({ size: file.size })),
  watchJobs: capability(async function* () {
    yield { id: '1' };
    yield { id: '2' };
  }, 'query').route('GET', '/jobs/watch'),
};

function create() {
  const log = recordLog();
  const context = defineContext(({ remoteAddress = 'nobody' }) => ({ caller: remoteAddress }));
  return { server: createServer({ context, capabilities: { jobs }, logger: log }), log };
}

async function listen(own: HttpServer | RequestListener): Promise<string> {
  const server = typeof own === 'function' ? createHttpServer(own) : own;
  if (!server.listening) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** A framework that has a route `/mine` of its own, and the API below `/api`. */
type Mount = (options: RestOptions) => Promise<Ask>;

const overSocket =
  (url: string): Ask =>
  (path, init) =>
    fetch(url + path, init);

const mounts: Readonly<Record<string, Mount>> = {
  Express: async (options) => {
    const app = express();
    app.use(toNodeHandler(create().server, options));
    app.get('/mine', (_request, response) => void response.send('mine'));
    return overSocket(await listen(app));
  },
  'Express behind its parsers': async (options) => {
    const app = express();
    app.use(express.json(), express.text());
    app.use(toNodeHandler(create().server, options));
    app.get('/mine', (_request, response) => void response.send('mine'));
    return overSocket(await listen(app));
  },
  Fastify: async (options) => {
    const app = fastify();
    const answer = toNodeHandler(create().server, options);
    app.register(async (api) => {
      api.removeAllContentTypeParsers();
      api.addContentTypeParser('*', (_request, _body, done) => done(null));
      api.all('/api/*', (request, reply) => {
        reply.hijack();
        answer(request.raw, reply.raw);
      });
    });
    app.get('/mine', () => 'mine');
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => app.close());
    return overSocket(url);
  },
  Koa: async (options) => {
    const app = new Koa();
    const answer = toNodeHandler(create().server, options);
    app.use((context, next) => {
      if (!context.path.startsWith('/api/')) return next();
      context.respond = false;
      answer(context.req, context.res);
      return undefined;
    });
    app.use((context) => void (context.body = 'mine'));
    const callback = app.callback();
    return overSocket(await listen((request, response) => void callback(request, response)));
  },
  NestJS: async (options) => {
    class Mine {
      get(): string {
        return 'mine';
      }
    }
    Get('mine')(
      Mine.prototype,
      'get',
      Object.getOwnPropertyDescriptor(Mine.prototype, 'get') as PropertyDescriptor,
    );
    Controller()(Mine);
    class Root {}
    Module({ controllers: [Mine] })(Root);
    const app = await NestFactory.create(Root, { logger: false });
    app.use(toNodeHandler(create().server, options));
    await app.listen(0, '127.0.0.1');
    onTestFinished(() => app.close());
    return overSocket(`http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`);
  },
  Hono: async (options) => {
    const app = new Hono();
    const answer = toFetchHandler(create().server, options);
    app.all('/api/*', (context) =>
      answer(context.req.raw, { remoteAddress: getConnInfo(context).remote.address }),
    );
    app.get('/mine', (context) => context.text('mine'));
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    return overSocket(await listen((request, response) => void listener(request, response)));
  },
  'node:http': async (options) => {
    const answer = toNodeHandler(create().server, options);
    const url = await listen((request, response) =>
      request.url === '/mine' ? response.end('mine') : answer(request, response),
    );
    return overSocket(url);
  },
  'the handler of a route in Next.js': async (options) => {
    const answer = toFetchHandler(create().server, { ...options, trustProxy: 1 });
    const route = { GET: answer, POST: answer, OPTIONS: answer, HEAD: answer } as const;
    return async (path, init) => {
      if (path === '/mine') return new Response('mine');
      const request = new Request(`http://localhost:3000${path}`, init);
      // As Next.js and the proxy before it do.
      request.headers.set('x-forwarded-for', '192.0.2.1, 127.0.0.1');
      return route[request.method as keyof typeof route](request, {
        params: Promise.resolve({ path: [] }),
      } as object);
    };
  },
};

const json = { 'content-type': 'application/json' };

describe.each(Object.entries(mounts))('below a prefix in %s', (_name, mount) => {
  it('answers what is its own, and leaves the rest to its host', async () => {
    const ask = await mount({ prefix: '/api', docs: true });
    const read = async (path: string, init?: RequestInit) => {
      const response = await ask(path, init);
      return [response.status, await response.text()];
    };
    expect(await read('/api/jobs?limit=5')).toEqual([200, '{"data":{"limit":5}}']);
    expect((await read('/api/jobs/caller'))[1]).toMatch(/127\.0\.0\.1"\}$/);
    expect(await read('/api/jobs', { method: 'HEAD' })).toEqual([200, '']);
    expect(
      (await ask('/api/jobs', { method: 'OPTIONS' })).headers.get('access-control-allow-methods'),
    ).toContain('GET');
    const created = await read('/api/jobs', {
      method: 'POST',
      headers: json,
      body: '{"name":"Täglich"}',
    });
    expect(created).toEqual([200, '{"data":{"name":"Täglich"}}']);
    expect(
      (await read('/api/jobs', { method: 'POST', headers: json, body: '{"name":7}' }))[0],
    ).toBe(400);
    const form = new FormData();
    form.append('file', new File(['abc'], 'a.txt'));
    expect(await read('/api/jobs/send-file', { method: 'POST', body: form })).toEqual([
      200,
      '{"data":{"size":3}}',
    ]);
    expect(await read('/api/jobs/watch')).toEqual([
      200,
      'data: {"id":"1"}\n\ndata: {"id":"2"}\n\n',
    ]);
    const [status, document] = await read('/api/openapi.json');
    expect([status, Object.keys(JSON.parse(String(document)).paths)]).toEqual([
      200,
      expect.arrayContaining(['/api/jobs']),
    ]);
    expect(await read('/mine')).toEqual([200, 'mine']);
    expect((await read('/api/nothing'))[0]).toBe(404);
  });
});

describe('toNodeHandler', () => {
  it('answers below a path that Express cuts off', async () => {
    const app = express();
    app.use('/api', toNodeHandler(create().server));
    const url = await listen(app);
    expect(await (await fetch(`${url}/api/jobs`)).json()).toEqual({ data: { limit: 2 } });
  });

  it('hands a form that another parser has read to the host as an error', async () => {
    const app = express();
    app.use(express.urlencoded());
    app.use(toNodeHandler(create().server));
    const seen: unknown[] = [];
    const report: express.ErrorRequestHandler = (error, _request, response, _next) => {
      seen.push(error.message);
      response.status(500).end();
    };
    app.use(report);
    const url = await listen(app);
    expect(
      (await fetch(`${url}/jobs`, { method: 'POST', body: new URLSearchParams({ name: 'a' }) }))
        .status,
    ).toBe(500);
    expect(seen).toEqual([expect.stringContaining('Put its handler before the parser of bodies')]);
  });

  it('says at once that a body was read by others, who kept nothing of it', async () => {
    const { server, log } = create();
    const handler = toNodeHandler(server);
    const url = await listen((request, response) => {
      request.resume().once('end', () => handler(request, response));
    });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await fetch(`${url}/jobs`, init)).status).toBe(500);
    expect(log.errors.map(({ error }) => String(error))).toEqual([
      expect.stringContaining('Put its handler before the parser of bodies'),
    ]);
    expect((await fetch(`${url}/jobs`)).status).toBe(200);
  });

  it('answers routes that contradict each other with 500 and the reason in the log, without ending the process', async () => {
    const log = recordLog();
    const twice = {
      listJobs: capability(() => 1),
      getJobs: capability(() => 2).route('GET', '/jobs'),
    };
    const url = await listen(
      toNodeHandler(createServer({ capabilities: { jobs: twice }, logger: log })),
    );
    expect((await fetch(`${url}/jobs`)).status).toBe(500);
    expect(String(log.errors[0]?.error)).toContain('jobs.getJobs');
  });
});

it('answers an event of AWS Lambda by the adapter of Hono', async () => {
  const answer = toFetchHandler(create().server);
  const app = new Hono();
  app.all('*', (context) =>
    answer(context.req.raw, { remoteAddress: lambdaConnInfo(context).remote.address }),
  );
  const path = '/jobs/caller';
  const http = { method: 'GET', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'x' };
  const event = {
    version: '2.0',
    rawPath: path,
    rawQueryString: '',
    headers: {},
    requestContext: { http },
  };
  expect(await handle(app)(event as never)).toMatchObject({
    statusCode: 200,
    body: '{"data":"192.0.2.1"}',
  });
});

it.each([
  ['Express', '', '/api'],
  ['Express', '/v1/x', '/api/v1/x'],
  ['Hono', '', '/api'],
  ['Hono', '/v1', '/api/v1'],
  ['nothing', '', ''],
  ['nothing', '/v1', '/v1'],
])(
  'names its own server in the document below a path of the host: %s, prefix %j',
  async (host, prefix, base) => {
    const { server } = create();
    const options = { docs: true, prefix };
    const answer = toFetchHandler(server, options);
    const express5 = (): RequestListener => express().use('/api', toNodeHandler(server, options));
    const hono = (): RequestListener =>
      getRequestListener(new Hono().mount('/api', answer).fetch, { overrideGlobalObjects: false });
    const hosts: Readonly<Record<string, () => RequestListener>> = {
      Express: express5,
      Hono: hono,
      nothing: () => toNodeHandler(server, options),
    };
    const url = await listen((hosts[host] ?? express5)());
    const response = await fetch(`${url}${base}/openapi.json`);
    const { servers, paths } = (await response.json()) as OpenApiDocument;
    const [path] = Object.keys(paths).filter((each) => each.endsWith('/jobs'));
    // As Swagger UI and others resolve it: without the last slash.
    const found = new URL(servers[0]?.url ?? '', response.url).href.replace(/\/$/, '');
    const listed = await fetch(`${found}${path}`);
    expect(await listed.json()).toEqual({ data: { limit: 2 } });
    expect(listed.url).toBe(`${url}${base}/jobs`);
  },
);

it('leaves the servers that the options name', async () => {
  const servers = [{ url: 'https://api.example' }];
  const answer = toFetchHandler(create().server, { docs: { servers } });
  const document = await (await answer(new Request('http://x.test/openapi.json'))).json();
  expect(document).toMatchObject({ servers });
});
