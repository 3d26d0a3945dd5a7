import type { TypeMistake } from './type-mistake.ts';

export const enhancerMistakes: readonly TypeMistake[] = [
  {
    title: 'a cache by a field that the context has not',
    code: `getUser.enhance(withCache({ ttlMs: 1, scope: (ctx) => ctx.tenantId }));`,
    says: [`'tenantId' does not exist on type 'Context'`],
  },
  {
    title: 'a cache of another context',
    code: `getUser.enhance(withCache({ ttlMs: 1, scope: (ctx: { tenantId: string }) => ctx.tenantId }));`,
    says: [`'tenantId' is missing in type`],
  },
  {
    title: 'a limit by a field that the input has not',
    code: `getUser.enhance(withRateLimit({ limit: 1, windowMs: 1, by: ({ email }) => email }));`,
    says: [`'email' does not exist on type '{ id: string; }'`],
  },
  { title: 'a cache without its time', code: `withCache({});`, says: [`'ttlMs' is missing`] },
  {
    title: 'an option of an enhancer that is misspelt',
    code: `withCircuitBreaker({ failure: 3 });`,
    says: [
      `'failure' does not exist in type 'CircuitBreakerOptions'`,
      `Did you mean to write 'failures'?`,
    ],
  },
  {
    title: 'an enhancer that is not called',
    code: `getUser.enhance(withTimeout);`,
    says: [`or call it: withTimeout(5000)`],
  },
  {
    title: 'an enhancer of a factory that reads its input',
    code: `cap.enhance(withRateLimit({ limit: 1, windowMs: 1, by: ({ id }: { id: string }) => id }));`,
    says: [`Property 'id' is missing in type 'RawFields' but required in type '{ id: string; }'`],
  },
  {
    title: 'what an enhancer adds, on a factory without it',
    code: `cap(ById, (_input, ctx) => ctx.tx);`,
    says: [`'tx' does not exist on type 'Context'`],
  },
  {
    title: 'a guard that reads a parameter which it does not declare',
    code: `defineGuard((ctx: Context, { params }) => void params.orgId, { params: ['id'] });`,
    says: [`'orgId' does not exist on type`],
  },
  {
    title: 'a guard that reads a parameter which the input lacks',
    code: `getUser.guard(defineGuard((ctx: Context, { params }) => void params.orgId, { params: ['orgId'] }));`,
    says: [`The input has no field orgId. Add it: z.object({ orgId: z.string() })`],
  },
  {
    title: 'a guard of a factory that reads a parameter which the input lacks',
    code: `cap.guard(defineGuard((ctx: Context, { params }) => void params.orgId, { params: ['orgId'] }))(ById, () => null);`,
    says: [`The input has no field orgId. Add it: z.object({ orgId: z.string() })`],
  },
  {
    title: 'the same before a handler that comes last',
    code: `cap.guard(defineGuard((ctx: Context, { params }) => void params.orgId, { params: ['orgId'] })).input(ById).output(ById)(({ id }) => ({ id }));`,
    says: [`The input has no field orgId. Add it: z.object({ orgId: z.string() })`],
  },
];
