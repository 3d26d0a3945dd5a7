/** Elysia on Node, validating with its own schemas (TypeBox). */

import { connect, createServer } from 'node:net';
import { node } from '@elysiajs/node';
import { Elysia, t } from 'elysia';
import {
  answerGroup,
  createOrder,
  findUser,
  groupNames,
  groupRoutes,
  hello,
  listProducts,
  readUser,
} from '../app/domain.mjs';
import { listenOn, serve } from './serve.mjs';

const order = t.Object({
  customer: t.String({ minLength: 1, maxLength: 64 }),
  email: t.String({ format: 'email' }),
  currency: t.Union([t.Literal('EUR'), t.Literal('USD'), t.Literal('GBP')]),
  priority: t.Integer({ minimum: 1, maximum: 5 }),
  gift: t.Boolean(),
  note: t.Optional(t.String({ maxLength: 200 })),
  address: t.Object({
    street: t.String({ minLength: 1 }),
    city: t.String({ minLength: 1 }),
    zip: t.String({ minLength: 3, maxLength: 10 }),
  }),
  items: t.Array(
    t.Object({
      sku: t.String({ minLength: 1 }),
      quantity: t.Integer({ minimum: 1 }),
      price: t.Number({ minimum: 0 }),
    }),
    { minItems: 1 },
  ),
});
const withId = t.Object({ id: t.String() });

await serve(async (name) => {
  const app = new Elysia({ adapter: node() });
  // Elysia's own refusal is 422; the others answer 400.
  app.onError(({ code, error, set }) => {
    if (code !== 'VALIDATION') return;
    set.status = 400;
    return { error: 'BadRequest', message: error.message };
  });
  if (name === 'small') declareSmall(app);
  else declareLarge(app);
  const port = await findFreePort();
  await new Promise((resolve) => app.listen({ port, hostname: '127.0.0.1' }, resolve));
  await untilOpen(port);
  return port;
});

/** The adapter does not tell which port it got. */
async function findFreePort() {
  const probe = createServer();
  const port = await listenOn(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Elysia may say that it listens before its port is open. */
async function untilOpen(port) {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
  }
}

function declareSmall(app) {
  app
    .derive(({ headers }) => ({ user: findUser(headers.authorization) }))
    .get('/hello', () => ({ data: hello() }))
    .get('/products', () => ({ data: listProducts() }))
    .get('/users/me', ({ user }) => ({ data: user }), {
      beforeHandle: ({ user, status }) =>
        user === undefined
          ? status(401, { error: 'Unauthorized', message: 'Unauthorized' })
          : undefined,
    })
    .get('/users/:id', ({ params, query }) => ({ data: readUser({ ...query, id: params.id }) }), {
      params: withId,
      query: t.Object({ verbose: t.Boolean(), limit: t.Integer({ maximum: 100 }) }),
    })
    .post('/orders', ({ body }) => ({ data: createOrder(body) }), { body: order });
}

function declareLarge(app) {
  for (const name of groupNames) {
    for (const { method, hasId } of groupRoutes) {
      const path = hasId ? `/${name}/:id` : `/${name}`;
      app.route(
        method,
        path,
        ({ params }) => ({ data: answerGroup(hasId, params) }),
        hasId ? { params: withId } : {},
      );
    }
  }
}
