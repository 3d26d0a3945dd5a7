/** capix with its defaults: 30 s timeout on every request, request id, CORS. From the build in dist/. */
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineGuard,
  restTransport,
  silentLogger,
} from '../../../dist/server-runtime/index.js';
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
const mustBeUser = defineGuard((ctx) => {
  if (ctx.user === undefined) throw defaultErrors.Unauthorized();
});

await serve(async (app) => {
  const server = createServer({
    ...(app === 'small' ? small() : { capabilities: large() }),
    transports: [restTransport({ port: 0 })],
    logger: silentLogger,
  });
  const [{ url }] = await server.start();
  return Number(new URL(url).port);
});

function small() {
  return {
    context: defineContext(({ headers }) => ({ user: findUser(headers.authorization) })),
    capabilities: {
      hello: { getHello: capability(() => hello()) },
      products: { listProducts: capability(() => listProducts()) },
      users: {
        getMe: capability((_, ctx) => ctx.user).guard(mustBeUser),
        getUser: capability(schemas.readUser, (input) => readUser(input)),
      },
      orders: { createOrder: capability(schemas.order, (input) => createOrder(input)) },
    },
  };
}

function large() {
  return Object.fromEntries(
    groupNames.map((name) => [
      name,
      Object.fromEntries(groupRoutes.map(({ kind, hasId }) => [kind, toCapability(hasId)])),
    ]),
  );
}

function toCapability(hasId) {
  return hasId
    ? capability(schemas.withId, (input) => answerGroup(true, input))
    : capability(() => answerGroup(false, {}));
}
