import { mkdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** Each application listens by itself, and has the API of its own group below `/api`. */
const hosts: Readonly<Record<string, string>> = {
  express: `
    import express from 'express';
    const app = express();
    app.use(express.json(), toNodeHandler(server, { prefix: '/api' }));
    app.listen(PORT, '127.0.0.1');`,
  koa: `
    import Koa from 'koa';
    const app = new Koa();
    const answer = toNodeHandler(server, { prefix: '/api' });
    app.use((context, next) => {
      if (!context.path.startsWith('/api/')) return next();
      context.respond = false;
      answer(context.req, context.res);
    });
    app.listen(PORT, '127.0.0.1');`,
  fastify: `
    import fastify from 'fastify';
    const app = fastify();
    const answer = toNodeHandler(server, { prefix: '/api' });
    app.register(async (api) => {
      api.removeAllContentTypeParsers();
      api.addContentTypeParser('*', (request, body, done) => done(null));
      api.all('/api/*', (request, reply) => {
        reply.hijack();
        answer(request.raw, reply.raw);
      });
    });
    await app.listen({ port: PORT, host: '127.0.0.1' });`,
  nest: `
    import 'reflect-metadata';
    import { Module } from '@nestjs/common';
    import { NestFactory } from '@nestjs/core';
    class Root {}
    Module({})(Root);
    const app = await NestFactory.create(Root, { logger: false });
    app.use(toNodeHandler(server, { prefix: '/api' }));
    await app.listen(PORT, '127.0.0.1');`,
  hono: `
    import { serve } from '@hono/node-server';
    import { Hono } from 'hono';
    const app = new Hono();
    const answer = toFetchHandler(server, { prefix: '/api' });
    app.all('/api/*', (context) => answer(context.req.raw));
    serve({ fetch: app.fetch, port: PORT, hostname: '127.0.0.1' });`,
};

function toModule(name: string, code: string): string {
  return `
    import { capability, createServer, toFetchHandler, toNodeHandler } from 'capix';
    import * as z from 'zod';
    import { text } from '../text.js';
    const PORT = Number(process.env.PORT_OF_${name});
    const ping = capability(z.object({ by: z.string() }), ({ by }) => by + ' ' + text()).route('POST', '/${name}');
    const server = createServer({ capabilities: { ${name}: { ping } } });
    ${code}`;
}

it('shows the routes and requests of handlers inside Express, Koa, Fastify, NestJS and Hono, and keeps their ports over a reload, in JavaScript', async () => {
  const names = Object.keys(hosts);
  const folder = await devProject({
    'src/text.js': textFile('one'),
    'src/main.js': names.map((name) => `import './hosts/${name}.js';`).join('\n'),
    ...Object.fromEntries(
      Object.entries(hosts).map(([name, code]) => [`src/hosts/${name}.js`, toModule(name, code)]),
    ),
  });
  await installFrameworks(folder);
  const ports = new Map(
    await Promise.all(names.map(async (name) => [name, await freePort()] as const)),
  );
  const dev = openDevJson(
    folder,
    ['src/main.js'],
    Object.fromEntries([...ports].map(([name, port]) => [`PORT_OF_${name}`, String(port)])),
  );
  const ask = async (name: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${ports.get(name)}/api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: name }),
    });
    return response.json();
  };
  const told = names.map((name) => ({ method: 'POST', path: `/api/${name}`, key: `${name}.ping` }));
  const { urls, routes } = await dev.waitFor(
    'ready',
    (ready) => ready.urls?.length === names.length && ready.routes?.length === names.length,
  );
  expect(routes).toEqual(expect.arrayContaining(told));
  expect(urls?.toSorted()).toEqual(
    [...ports.values()].map((port) => `http://localhost:${port}`).toSorted(),
  );
  for (const name of names) {
    expect(await ask(name)).toEqual({ data: `${name} one` });
    expect(await dev.waitFor('request')).toMatchObject({
      method: 'POST',
      capability: `${name}.ping`,
      status: 200,
    });
  }

  let isOver = false;
  const asking = names.map(async (name) => {
    const texts = new Set<unknown>();
    while (!isOver) texts.add(((await ask(name)) as { readonly data: string }).data);
    return [...texts];
  });
  await writeTree(folder, { 'src/text.js': textFile('two') });
  await dev.waitFor('ready', ({ cause }) => cause?.kind === 'change');
  for (const name of names) await expect.poll(() => ask(name)).toEqual({ data: `${name} two` });
  isOver = true;
  expect(await Promise.all(asking)).toEqual(names.map((name) => [`${name} one`, `${name} two`]));
});

async function installFrameworks(folder: string): Promise<void> {
  const packages = [
    'express',
    'koa',
    'fastify',
    'hono',
    '@hono/node-server',
    '@nestjs/common',
    '@nestjs/core',
  ];
  for (const name of [...packages, 'reflect-metadata']) {
    const place = join(folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(packageRoot, 'node_modules', name), place, 'junction');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
