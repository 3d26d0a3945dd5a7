/** oRPC's OpenAPI handler on node:http. */
import { createServer } from 'node:http';
import { OpenAPIHandler } from '@orpc/openapi/node';
import { ORPCError, os } from '@orpc/server';
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
import { listenOn, serve } from './serve.mjs';

const schemas = toZodSchemas(z);
const base = os.$context();
const authed = base.use(({ context, next }) => {
  if (context.user === undefined) throw new ORPCError('UNAUTHORIZED');
  return next();
});

await serve((app) => {
  const handler = new OpenAPIHandler(app === 'small' ? small() : large());
  return listenOn(
    createServer((request, response) => {
      const context = { user: findUser(request.headers.authorization) };
      void handler.handle(request, response, { context }).then(({ matched }) => {
        if (!matched) response.writeHead(404).end();
      });
    }),
  );
});

function small() {
  return {
    hello: base.route({ method: 'GET', path: '/hello' }).handler(() => ({ data: hello() })),
    products: base
      .route({ method: 'GET', path: '/products' })
      .handler(() => ({ data: listProducts() })),
    me: authed
      .route({ method: 'GET', path: '/users/me' })
      .handler(({ context }) => ({ data: context.user })),
    user: base
      .route({ method: 'GET', path: '/users/{id}' })
      .input(schemas.userParams.extend(schemas.userQuery.shape))
      .handler(({ input }) => ({ data: readUser(input) })),
    order: base
      .route({ method: 'POST', path: '/orders' })
      .input(schemas.order)
      .handler(({ input }) => ({ data: createOrder(input) })),
  };
}

function large() {
  return Object.fromEntries(
    groupNames.map((name) => [
      name,
      Object.fromEntries(groupRoutes.map((route) => [route.kind, toProcedure(name, route)])),
    ]),
  );
}

function toProcedure(name, { method, hasId }) {
  return hasId
    ? base
        .route({ method, path: `/${name}/{id}` })
        .input(schemas.withId)
        .handler(({ input }) => ({ data: answerGroup(true, input) }))
    : base.route({ method, path: `/${name}` }).handler(() => ({ data: answerGroup(false, {}) }));
}
