import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  silentLogger,
  toNodeHandler,
  uploadedFile,
} from '../../server-runtime/index.ts';
import { openChromium } from '../helpers/open-chromium.ts';

/** Of each kind of capability, the ways that a page tries: those with a body, and those that are a GET. */
const bodyWays = [
  'a form',
  'a form with files',
  'a form as text',
  'an empty form',
  'a form through a redirect',
  'a text',
  'pairs of a form',
  'form data',
  'bytes without a type',
  'no body',
  'no body through a redirect',
  'a readable text',
  'JSON',
  'JSON without cookies',
  'DELETE',
  'a beacon',
  'a beacon with form data',
] as const;
const getWays = [
  'a form by GET',
  'a readable GET',
  'a readable GET without cookies',
  'an opaque GET',
  'a picture',
  'a script',
  'a style sheet',
  'a frame',
  'a link',
] as const;

const targets = [
  { path: '/items', ways: bodyWays },
  { path: '/items/remove-all', ways: bodyWays },
  { path: '/items/upload', ways: bodyWays },
  { path: '/_call/items.createItem', ways: bodyWays },
  { path: '/_call/items.removeAll', ways: bodyWays },
  { path: '/wipe', ways: getWays },
  { path: '/secret', ways: getWays },
] as const;

async function listen(listener: RequestListener): Promise<number> {
  const server = createHttpServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** A server with a user's data behind a guard, which notes what came to it, and what ran for whom. */
async function startVictim() {
  const ran: string[] = [];
  const cap = capability.guard(
    defineGuard((ctx: { readonly user: string | undefined }) => {
      if (ctx.user === undefined) throw defaultErrors.Unauthorized();
    }),
  );
  const run = (name: string) => () => {
    ran.push(name);
    return `${name} of the user`;
  };
  const items = {
    createItem: cap(z.object({ name: z.string().optional() }), run('create')),
    removeAll: cap(run('removeAll'), 'mutation').route('POST', '/items/remove-all'),
    upload: cap(
      z.object({ name: z.string().optional(), file: uploadedFile().optional() }),
      run('upload'),
    ).route('POST', '/items/upload'),
    wipe: cap(run('wipe'), 'mutation').route('GET', '/wipe'),
    secret: cap(run('secret'), 'query').route('GET', '/secret'),
  };
  const context = defineContext(({ headers }) => ({
    user: /session=(\w+)/.exec(headers.cookie ?? '')?.[1],
  }));
  const server = createServer({ capabilities: { items }, context, logger: silentLogger });
  const handle = toNodeHandler(server, { calls: true });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const arrivals: { method: string; url: string; hasCookie: boolean }[] = [];
  const events = new EventEmitter();
  const port = await listen((request, response) => {
    const { method = '', url = '', headers } = request;
    arrivals.push({ method, url, hasCookie: headers.cookie !== undefined });
    response.once('close', () => events.emit('answer'));
    handle(request, response);
  });
  return { port, ran, arrivals, events };
}

/** The other site: it shows the page that attacks, and sends on what asks for it. */
async function startOther(
  victim: Awaited<ReturnType<typeof startVictim>>,
  { host, cookie }: Setting,
) {
  const cases = targets.flatMap(({ path, ways }) =>
    ways.map((way) => ({ way, url: `http://${host}:${victim.port}${path}` })),
  );
  const script = await readFile(new URL('attack-from-page.mjs', import.meta.url));
  let answers = 0;
  victim.events.on('answer', () => {
    answers += 1;
  });
  let seen = 0;
  const finished = new EventEmitter();
  const pages: Record<string, (...parts: Parameters<RequestListener>) => unknown> = {
    // A cookie belongs to a host, whatever the port: this is as if the visitor had signed in at the server.
    '/start': (_request, response) => {
      const location = `http://127.0.0.1:${port}/attack`;
      response.writeHead(302, { location, 'set-cookie': `session=alice; Path=/; ${cookie}` }).end();
    },
    '/attack': (_request, response) => {
      const call = `import { attack } from '/attack.mjs'; attack(${JSON.stringify(cases)});`;
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><body><script type="module">${call}</script></body>`);
    },
    '/attack.mjs': (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end(script);
    },
    '/redirect': (request, response) => {
      const location = new URL(request.url ?? '', 'http://other').searchParams.get('to') ?? '';
      request.resume();
      response.writeHead(307, { location }).end();
    },
    '/seen': async (_request, response) => {
      while (answers === seen) await once(victim.events, 'answer');
      seen = answers;
      response.end();
    },
    '/done': async (request, response) => {
      const read = await json(request);
      response.end();
      finished.emit('done', read);
    },
  };
  const port = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://other');
    const page = pages[pathname];
    if (page === undefined) response.writeHead(404).end();
    else page(request, response);
  });
  const read = once(finished, 'done').then(([texts]) => texts as string[]);
  return { start: `http://${host}:${port}/start`, cases, read };
}

interface Setting {
  /** The host by which the page reaches the server; the page itself is at 127.0.0.1. */
  readonly host: string;
  readonly cookie: string;
}

it.each<[string, Setting]>([
  ['another site', { host: 'localhost', cookie: 'SameSite=None; Secure' }],
  ['another port of the same host', { host: '127.0.0.1', cookie: 'SameSite=Lax' }],
])(
  'a page of %s changes nothing and reads nothing, in whichever way Chromium sends with the cookies of a user',
  async (_what, setting) => {
    const victim = await startVictim();
    const { start, cases, read } = await startOther(victim, setting);
    expect(cases.length).toBeGreaterThanOrEqual(78);
    await openChromium(start);
    const texts = await read;
    expect(texts).toHaveLength(cases.length);
    const readable = cases.filter((_case, index) => texts[index]?.includes('of the user'));
    expect(readable).toEqual([]);
    expect(victim.arrivals.length).toBeGreaterThanOrEqual(cases.length);
    // Each way by GET but the one without cookies reached the query as the user: the browser did send the cookie.
    expect(victim.ran).toEqual(getWays.slice(1).map(() => 'secret'));
    for (const { path } of targets.slice(0, -1)) {
      const withCookie = victim.arrivals.filter(({ url, hasCookie }) => url === path && hasCookie);
      expect(withCookie.length).toBeGreaterThan(5);
    }
  },
);
