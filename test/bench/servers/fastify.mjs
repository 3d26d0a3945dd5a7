/** Fastify with JSON Schema for inputs and answers. The argument `timeout` turns its handler timeout on, at the 30 s that capix has. */
import Fastify from 'fastify';
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
import { answers, order, userParams, userQuery } from '../app/json-schemas.mjs';
import { serve } from './serve.mjs';

await serve(async (app) => {
  const fastify = Fastify(process.argv.includes('timeout') ? { handlerTimeout: 30_000 } : {});
  if (app === 'small') declareSmall(fastify);
  else declareLarge(fastify);
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  return fastify.server.address().port;
});

function declareSmall(fastify) {
  fastify.decorateRequest('user', null);
  const readUserOf = (request, reply, done) => {
    request.user = findUser(request.headers.authorization);
    done();
  };
  const mustBeUser = (request, reply, done) => {
    if (request.user === undefined)
      return reply.code(401).send({ error: 'Unauthorized', message: 'Unauthorized' });
    done();
  };
  fastify.addHook('onRequest', readUserOf);
  fastify.get('/hello', { schema: answers.hello }, async () => ({ data: hello() }));
  fastify.get('/products', { schema: answers.products }, async () => ({ data: listProducts() }));
  fastify.get('/users/me', { schema: answers.me, preHandler: mustBeUser }, async (request) => ({
    data: request.user,
  }));
  fastify.get(
    '/users/:id',
    { schema: { params: userParams, querystring: userQuery, ...answers.user } },
    async ({ params, query }) => ({
      data: readUser({ ...query, id: params.id }),
    }),
  );
  fastify.post('/orders', { schema: { body: order, ...answers.order } }, async (request) => ({
    data: createOrder(request.body),
  }));
}

function declareLarge(fastify) {
  for (const name of groupNames) {
    for (const { method, hasId } of groupRoutes) {
      const schema = hasId ? { params: userParams, ...answers.withId } : answers.empty;
      fastify.route({
        method,
        url: hasId ? `/${name}/:id` : `/${name}`,
        schema,
        handler: async (request) => ({ data: answerGroup(hasId, request.params) }),
      });
    }
  }
}
