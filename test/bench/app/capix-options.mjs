/** The applications of the bench in capix, from the build in dist/. */

import {
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
} from '../../../dist/server-runtime/index.js';
import * as z from '../zod-of-capix.mjs';
import {
  answerGroup,
  createOrder,
  findUser,
  groupNames,
  groupRoutes,
  hello,
  listProducts,
  readUser,
} from './domain.mjs';
import { toZodSchemas } from './zod-schemas.mjs';

const schemas = toZodSchemas(z);
const mustBeUser = defineGuard((ctx) => {
  if (ctx.user === undefined) throw defaultErrors.Unauthorized();
});

/** The options of `createServer` for the application of that name, `small` or `large`. */
export function toCapixOptions(app) {
  return app === 'small' ? small() : { capabilities: large() };
}

function small() {
  return {
    context: defineContext(({ headers }) => ({ user: findUser(headers.authorization) })),
    capabilities: {
      hello: { getHello: capability(() => hello()) },
      products: {
        listProducts: capability(() => listProducts()),
        listDeclared: capability(() => listProducts())
          .output(schemas.products)
          .route('GET', '/products/declared'),
      },
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
