/** Answers without a handler's work: 404, 405, a preflight, HEAD and 304, in turns. */
import { openCapix, read, repeat } from './servers.mjs';

export const units = 5000;

const items = { items: [{ id: 1 }, { id: 2 }] };

export const peers = {
  capix: () =>
    openCapix(({ capability }) => ({ listItems: capability(() => items).route('GET', '/items') }), {
      etag: true,
      cors: { origin: 'https://app.example' },
    }),
  Fastify: async () => {
    const { default: fastify } = await import('fastify');
    const { default: etag } = await import('@fastify/etag');
    const { default: cors } = await import('@fastify/cors');
    const app = fastify({ logger: false });
    await app.register(cors, { origin: 'https://app.example' });
    await app.register(etag);
    app.get('/items', () => ({ data: items }));
    return { url: await app.listen({ port: 0, host: '127.0.0.1' }) };
  },
};

const preflight = {
  origin: 'https://app.example',
  'access-control-request-method': 'GET',
};

export async function load(url, peer) {
  const { etag } = await readHead(`${url}/items`);
  const requests = [
    { path: '/nowhere', status: 404 },
    // Fastify answers 404 where the path has another method.
    { path: '/items', method: 'DELETE', status: peer === 'capix' ? 405 : 404 },
    { path: '/items', method: 'OPTIONS', headers: preflight, status: 204 },
    { path: '/items', method: 'HEAD', status: 200 },
    { path: '/items', headers: { 'if-none-match': etag }, status: 304 },
  ];
  let sent = 0;
  await repeat(units, 10, async () => {
    const { path, status, ...options } = requests[sent++ % requests.length];
    const answer = await read(url + path, options);
    if (answer.status !== status)
      throw new Error(`${options.method ?? 'GET'} ${path} answered ${answer.status}.`);
  });
}

async function readHead(url) {
  const response = await fetch(url);
  await response.arrayBuffer();
  return Object.fromEntries(response.headers);
}
