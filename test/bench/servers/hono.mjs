/** Hono on node-server, validating with zod by @hono/zod-validator. */
import { serve as listen } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import * as z from 'zod';
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
import { toZodSchemas } from '../app/zod-schemas.mjs';
import { serve } from './serve.mjs';

const schemas = toZodSchemas(z);

await serve((name) => {
  const app = new Hono();
  if (name === 'small') declareSmall(app);
  else declareLarge(app);
  return new Promise((resolve) => {
    listen({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port));
  });
});

function declareSmall(app) {
  app.use(async (c, next) => {
    c.set('user', findUser(c.req.header('authorization')));
    await next();
  });
  const mustBeUser = async (c, next) => {
    if (c.get('user') === undefined)
      return c.json({ error: 'Unauthorized', message: 'Unauthorized' }, 401);
    await next();
  };
  app.get('/hello', (c) => c.json({ data: hello() }));
  app.get('/products', (c) => c.json({ data: listProducts() }));
  app.get('/users/me', mustBeUser, (c) => c.json({ data: c.get('user') }));
  app.get(
    '/users/:id',
    zValidator('param', schemas.userParams),
    zValidator('query', schemas.userQuery),
    (c) => c.json({ data: readUser({ ...c.req.valid('query'), id: c.req.valid('param').id }) }),
  );
  app.post('/orders', zValidator('json', schemas.order), (c) =>
    c.json({ data: createOrder(c.req.valid('json')) }),
  );
}

function declareLarge(app) {
  for (const name of groupNames) {
    for (const { method, hasId } of groupRoutes) {
      if (hasId)
        app.on(method, `/${name}/:id`, zValidator('param', schemas.withId), (c) =>
          c.json({ data: answerGroup(true, c.req.valid('param')) }),
        );
      else app.on(method, `/${name}`, (c) => c.json({ data: answerGroup(false, {}) }));
    }
  }
}
