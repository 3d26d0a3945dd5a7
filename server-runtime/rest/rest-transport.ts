import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMatcher } from '../routing/create-matcher.ts';
import type { Route } from '../routing/route.ts';
import type { RouteProblem } from '../routing/route-problem.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { Application, Transport } from '../server/transport.ts';
import type { Logger } from '../server/logger.ts';
import { toAnswerer } from './answer.ts';
import { toCors } from './cors.ts';
import { toRequestHandler } from './handle-request.ts';
import { NodeExchange } from './node-exchange.ts';
import { type RestOptions, type RestSettings, toRestSettings } from './rest-options.ts';
import { toServedRoutes } from './rest-route.ts';

/**
 * Serves capabilities over HTTP.
 *
 * @throws TypeError or RangeError for an option that cannot be
 */
export function restTransport(options: RestOptions = {}): Transport {
  const settings = toRestSettings(options);
  const cors = toCors(settings.cors);
  let phase: 'starting' | 'open' | 'draining' = 'starting';
  let server: HttpServer | undefined;

  return {
    name: 'rest',
    ...(options.capabilities === undefined ? {} : { capabilities: options.capabilities }),
    start: async (app: Application) => {
      const { routes, problems } = toServedRoutes(app.registry, settings);
      expectNoProblems(problems, app.logger);
      const answer = toAnswerer({ app, cors, isDraining: () => phase === 'draining' });
      const handle = toRequestHandler({ app, settings, answer, matchRoute: createMatcher(routes), isOpen: () => phase === 'open' });
      server = createHttpServer((request, response) => handle(new NodeExchange(request, response)));
      const port = await listen(server, settings);
      phase = 'open';
      return { url: toUrl(port, settings), routes: toRouteLines(routes) };
    },
    stop: async ({ graceMs }) => {
      phase = 'draining';
      if (server !== undefined) await close(server, graceMs);
    },
  };
}

function expectNoProblems(problems: readonly RouteProblem[], logger: Logger): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  for (const problem of problems) {
    if (problem.kind === 'unknown-override') logger.warn(`[capix] ${problem.message}`);
  }
}

/** Gives the port: the one asked for, or the one that was free. */
async function listen(server: HttpServer, { port, host }: RestSettings): Promise<number> {
  const link = findDevLink();
  if (link !== undefined) return (await link.listen(server, { port, host })).port;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, port)));
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function toListenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  const clear = new Error(`Port ${port} is already in use. Stop the program that uses it, or choose another port, for example restTransport({port: ${port + 1}}).`, { cause: error });
  return Object.assign(clear, { code: error.code });
}

function toUrl(port: number, { host }: RestSettings): string {
  const name = host === undefined || host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** `GET   /items/:id  items.getItem`, with the keys under each other. */
function toRouteLines(routes: readonly Route[]): readonly string[] {
  const width = Math.max(0, ...routes.map(({ path }) => path.length));
  return routes.map(({ method, path, operation }) => `${method.padEnd(6)}${path.padEnd(width)}  ${operation.key}`);
}

async function close(server: HttpServer, graceMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await Promise.all([closed, findDevLink()?.close(server)]);
  clearTimeout(timer);
}
