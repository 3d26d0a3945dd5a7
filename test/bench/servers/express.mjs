/** Express 5, validating with zod as its users do: a middleware by hand. */
import { createServer } from 'node:http';
import express from 'express';
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
const userInput = schemas.userParams.extend(schemas.userQuery.shape);

await serve((name) => {
  const app = express();
  app.use(express.json());
  if (name === 'small') declareSmall(app);
  else declareLarge(app);
  return listenOn(createServer(app));
});

function declareSmall(app) {
  app.use((request, response, next) => {
    request.user = findUser(request.headers.authorization);
    next();
  });
  const mustBeUser = (request, response, next) => {
    if (request.user === undefined)
      return response.status(401).json({ error: 'Unauthorized', message: 'Unauthorized' });
    next();
  };
  app.get('/hello', (request, response) => response.json({ data: hello() }));
  app.get('/products', (request, response) => response.json({ data: listProducts() }));
  app.get('/users/me', mustBeUser, (request, response) => response.json({ data: request.user }));
  app.get(
    '/users/:id',
    validated(userInput, (request) => ({ ...request.query, ...request.params })),
    (request, response) => response.json({ data: readUser(request.valid) }),
  );
  app.post(
    '/orders',
    validated(schemas.order, (request) => request.body),
    (request, response) => response.json({ data: createOrder(request.valid) }),
  );
}

function validated(schema, readInput) {
  return (request, response, next) => {
    const result = schema.safeParse(readInput(request));
    if (!result.success) {
      const issues = result.error.issues.map(
        ({ path, message }) => `${path.join('.')}: ${message}`,
      );
      return response
        .status(400)
        .json({ error: 'BadRequest', message: 'Input validation failed', meta: { issues } });
    }
    request.valid = result.data;
    next();
  };
}

function declareLarge(app) {
  for (const name of groupNames) {
    for (const { method, hasId } of groupRoutes) {
      const answer = (request, response) =>
        response.json({ data: answerGroup(hasId, request.valid ?? {}) });
      const verb = method.toLowerCase();
      if (hasId)
        app[verb](
          `/${name}/:id`,
          validated(schemas.withId, (request) => request.params),
          answer,
        );
      else app[verb](`/${name}`, answer);
    }
  }
}
