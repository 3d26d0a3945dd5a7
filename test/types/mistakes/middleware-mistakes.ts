import type { TypeMistake } from './type-mistake.ts';

const ofTenant =
  'const ofTenant = defineMiddleware(({ ctx, next }: MiddlewareCall<{ tenant: string }>) => next({ by: ctx.tenant }));';

export const middlewareMistakes: readonly TypeMistake[] = [
  {
    title: 'a middleware of another context, on a factory',
    code: `${ofTenant} cap.use(ofTenant);`,
    says: [`'tenant' is missing in type`],
  },
  {
    title: 'a middleware of another context, on a capability',
    code: `${ofTenant} getUser.use(ofTenant);`,
    says: [`'tenant' is missing in type`],
  },
  {
    title: 'a middleware before the one that adds what it reads',
    code: `${ofTenant} const withTenant = defineMiddleware(({ next }) => next({ tenant: 'a' })); cap.use(ofTenant).use(withTenant);`,
    says: [`'tenant' is missing in type`],
  },
  {
    title: 'a middleware of plain `capability` whose context the server has not',
    code: `${ofTenant} createServer({ context, capabilities: { a: capability.use(ofTenant)(() => 1) } });`,
    says: [`'tenant' is missing in type`],
  },
  {
    title: 'a middleware of another input',
    code: `getUser.use(defineMiddleware(({ input, next }: MiddlewareCall<Context, { email: string }>) => next({ by: input.email })));`,
    says: [`'email' is missing in type '{ id: string; }'`],
  },
  {
    title: 'a middleware that forgets its answer',
    code: `defineMiddleware(async ({ next }) => { await next(); });`,
    says: [`'Promise<void>' is not assignable to type`, `MiddlewareAnswer`],
  },
  {
    title: 'a middleware that gives an answer of its own without saying so',
    code: `defineMiddleware(() => 'cached');`,
    says: [`'string' is not assignable to type`, `MiddlewareAnswer`],
  },
  {
    title: 'a function that is not made a middleware',
    code: `cap.use(async ({ next }) => next());`,
    says: [`Wrap the function: .use(defineMiddleware(({ next }) => next()))`],
  },
  {
    title: 'what only one way of a middleware adds',
    code: `const maybe = defineMiddleware(({ operation, next }) => (operation.guarded ? next({ tx: 1 }) : next())); cap.use(maybe)((_input, ctx) => ctx.tx);`,
    says: [`'tx' does not exist on type 'Context'`],
  },
  {
    title: 'more in the context that is not an object',
    code: `defineMiddleware(({ next }) => next('tenant'));`,
    says: [`'string' is not assignable to parameter of type 'object'`],
  },
  {
    title: 'a field that the context of a middleware has not',
    code: `cap.use(defineMiddleware(({ ctx, next }) => next({ by: ctx.tenant })));`,
    says: [`'tenant' does not exist on type 'Context'`],
  },
  {
    title: 'what a middleware adds, read as another type',
    code: `const withCount = defineMiddleware(({ next }) => next({ count: 1 })); cap.use(withCount)((_input, ctx) => ctx.count.trim());`,
    says: [`'trim' does not exist on type 'number'`],
  },
  {
    title: 'a middleware of a server that the context does not fit',
    code: `${ofTenant} createServer({ context, capabilities, use: [ofTenant] });`,
    says: [`'tenant' is missing in type`],
  },
  {
    title: 'a middleware of a server before the one that adds what it reads',
    code: `${ofTenant} const withTenant = defineMiddleware(({ next }) => next({ tenant: 'a' })); createServer({ context, use: [ofTenant, withTenant] });`,
    says: [`'tenant' is missing in type`],
  },
  {
    title: 'a function in place of the middleware of a server',
    code: `const bare = ({ next }: MiddlewareCall) => next();\ncreateServer({ context, use: [bare] });`,
    says: [`Wrap the function: use: [defineMiddleware(({ next }) => next())]`],
  },
];
