/** tRPC's standalone handler. Its paths and its envelope are its own: input is JSON in `?input=`, answers are `{result: {data}}`. */

import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
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
const t = initTRPC.context().create();
const mustBeUser = t.middleware(({ ctx, next }) => {
  if (ctx.user === undefined) throw new TRPCError({ code: 'UNAUTHORIZED' });
  return next();
});

await serve((app) => {
  const router = app === 'small' ? small() : large();
  return listenOn(
    createHTTPServer({
      router,
      createContext: ({ req }) => ({ user: findUser(req.headers.authorization) }),
    }),
  );
});

function small() {
  return t.router({
    hello: t.procedure.query(() => hello()),
    products: t.procedure.query(() => listProducts()),
    me: t.procedure.use(mustBeUser).query(({ ctx }) => ctx.user),
    user: t.procedure.input(schemas.readUser).query(({ input }) => readUser(input)),
    order: t.procedure.input(schemas.order).mutation(({ input }) => createOrder(input)),
  });
}

function large() {
  return t.router(
    Object.fromEntries(
      groupNames.map((name) => [
        name,
        t.router(Object.fromEntries(groupRoutes.map((route) => [route.kind, toProcedure(route)]))),
      ]),
    ),
  );
}

function toProcedure({ method, hasId }) {
  const procedure = hasId ? t.procedure.input(schemas.withId) : t.procedure;
  const answer = ({ input }) => answerGroup(hasId, input);
  return method === 'GET' ? procedure.query(answer) : procedure.mutation(answer);
}
