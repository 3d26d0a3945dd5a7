/** Fastify with zod in the place of JSON Schema, by fastify-type-provider-zod. */
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
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

await serve(async (app) => {
  const fastify = Fastify();
  fastify.setValidatorCompiler(validatorCompiler);
  fastify.setSerializerCompiler(serializerCompiler);
  if (app === 'small') declareSmall(fastify);
  else declareLarge(fastify);
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  return fastify.server.address().port;
});

function declareSmall(fastify) {
  fastify.decorateRequest('user', null);
  fastify.addHook('onRequest', (request, reply, done) => {
    request.user = findUser(request.headers.authorization);
    done();
  });
  const mustBeUser = (request, reply, done) => {
    if (request.user === undefined)
      return reply.code(401).send({ error: 'Unauthorized', message: 'Unauthorized' });
    done();
  };
  fastify.get('/hello', async () => ({ data: hello() }));
  fastify.get('/products', async () => ({ data: listProducts() }));
  fastify.get(
    '/products/declared',
    { schema: { response: { 200: z.object({ data: schemas.products }) } } },
    async () => ({
      data: listProducts(),
    }),
  );
  fastify.get('/users/me', { preHandler: mustBeUser }, async (request) => ({ data: request.user }));
  fastify.get(
    '/users/:id',
    { schema: { params: schemas.userParams, querystring: schemas.userQuery } },
    async ({ params, query }) => ({
      data: readUser({ ...query, id: params.id }),
    }),
  );
  fastify.post('/orders', { schema: { body: schemas.order } }, async (request) => ({
    data: createOrder(request.body),
  }));
}

function declareLarge(fastify) {
  for (const name of groupNames) {
    for (const { method, hasId } of groupRoutes) {
      const schema = hasId ? { params: schemas.withId } : {};
      fastify.route({
        method,
        url: hasId ? `/${name}/:id` : `/${name}`,
        schema,
        handler: async (request) => ({ data: answerGroup(hasId, request.params) }),
      });
    }
  }
}
