/**
 * Calls of clients whose `fetch` answers at once: what a client costs beside the network. It is the global one, which makes
 * a `Request` of what it is given, as each runtime's does.
 */

export const CALLS = 5000;
const headers = { 'content-type': 'application/json' };
globalThis.fetch = async (input, init) => {
  if (new Request(input, init).signal.aborted) throw new Error('Nobody waits for an answer.');
  return new Response('{"data":{"id":"42","name":"Ada","isAdmin":false}}', { headers });
};
const options = { baseUrl: 'http://127.0.0.1:1' };

const repeating = (call) => ({
  work: async () => {
    for (let at = 0; at < CALLS; at++) {
      const { name } = await call(String(at));
      if (name !== 'Ada') throw new Error('The answer is another one.');
    }
  },
});

/** The client that `capix client` writes. */
export async function writtenClient() {
  const { createClientOf } = await import('../../../dist/server-runtime/client/index.js');
  const api = createClientOf({ 'users.getUser': ['GET', '/users/{id}'] })(options);
  return repeating((id) => api.users.getUser({ id, isFull: true }));
}

/** The client whose types are those of the capabilities. */
export async function inferredClient() {
  const { createClient } = await import('../../../dist/server-runtime/client/index.js');
  const api = createClient(options);
  return repeating((id) => api.users.getUser({ id, isFull: true }));
}

export async function openapiFetch() {
  const { default: createClient } = await import('openapi-fetch');
  const api = createClient(options);
  return repeating(async (id) => {
    const { data } = await api.GET('/users/{id}', {
      params: { path: { id }, query: { isFull: true } },
    });
    return data.data;
  });
}

/** The same with a body, as each call by key has one. */
export async function openapiFetchBody() {
  const { default: createClient } = await import('openapi-fetch');
  const api = createClient(options);
  return repeating(async (id) => {
    const { data } = await api.POST('/users', { body: { id, isFull: true } });
    return data.data;
  });
}
