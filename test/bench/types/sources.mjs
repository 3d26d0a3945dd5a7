/**
 * The text of projects of the same operations, as each framework has them: ten fields of input, ten of output, a guard that says who calls; groups
 * of ten; a server that knows them all, and one call of it. `schemas` are the schemas with plain functions, to which the others are compared.
 */
export const kinds = ['schemas', 'capix', 'capix, handler last', 'capix + client', 'oRPC', 'tRPC'];

/** `{path: text}` */
export function toSources(kind, count) {
  const { context, imports, declare, index, server } = frameworks[kind];
  const groups = [...Array(Math.ceil(count / PER_GROUP)).keys()];
  const inGroup = (group) =>
    [...Array(PER_GROUP).keys()].map((at) => group * PER_GROUP + at).filter((at) => at < count);
  const files = groups.map((group) => [
    `g${group}.ts`,
    `import * as z from 'zod';\n${imports}\n${inGroup(group).map(declare).join('\n')}\n`,
  ]);
  return {
    'context.ts': context,
    ...Object.fromEntries(files),
    'index.ts': index(groups),
    'server.ts': server,
  };
}

export const compilerOptions = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
};

const PER_GROUP = 10;

const toInput = (i) => `z.object({
  id: z.string(), name${i}: z.string().min(1), count: z.number().int().default(10), active: z.boolean().optional(),
  role: z.enum(['admin', 'member', 'guest']), tags: z.array(z.string()), address: z.object({ street: z.string(), zip: z.string(), city: z.string().optional() }),
  at: z.string().transform((text) => new Date(text)), note: z.string().nullable(), items: z.array(z.object({ sku: z.string(), quantity: z.number() })),
})`;
const toOutput = (i) => `z.object({
  id: z.string(), name${i}: z.string(), count: z.number(), active: z.boolean(), role: z.enum(['admin', 'member', 'guest']), tags: z.array(z.string()),
  address: z.object({ street: z.string(), zip: z.string() }), owner: z.string(), note: z.string().nullable(), items: z.array(z.object({ sku: z.string(), total: z.number() })),
})`;
const toSchemas = (i) => `const In${i} = ${toInput(i)};\nconst Out${i} = ${toOutput(i)};`;
const toAnswer = (i) =>
  `({ id: input.id, name${i}: input.name${i}, count: input.count, active: input.active ?? false, role: input.role, tags: input.tags, address: { street: input.address.street, zip: input.address.zip }, owner: ctx.user.id, note: input.note, items: input.items.map(({ sku, quantity }) => ({ sku, total: quantity * 2 })) })`;
const call =
  "{ id: '1', name3: 'x', role: 'admin', tags: [], address: { street: 'a', zip: 'b' }, at: 'x', note: null, items: [] }";
const toNamespaces = (groups) =>
  groups.map((g) => `export * as g${g} from './g${g}.js';`).join('\n');
const toImports = (groups) => groups.map((g) => `import * as g${g} from './g${g}.js';`).join('\n');

const capix = {
  context: `import { capability, defineContext, defineError, defineGuard, type ContextOf } from 'capix';
export interface User { readonly id: string }
export const context = defineContext(({ requestId }) => ({ requestId, user: undefined as User | undefined, db: { find: (id: string) => id } }));
export interface Context extends ContextOf<typeof context> {}
export const Unauthorized = defineError(401, 'Unauthorized');
export const mustBeUser = defineGuard((ctx: Context): asserts ctx is Context & { user: User } => { if (!ctx.user) throw Unauthorized(); });
export const authCap = capability.withContext<Context>().guard(mustBeUser);
`,
  imports: `import { authCap } from './context.js';`,
  declare: (i) =>
    `${toSchemas(i)}\nexport const op${i} = authCap(In${i}, async (input, ctx) => ${toAnswer(i)}).output(Out${i}).describe('op ${i}');`,
  index: toNamespaces,
  server: `import { createServer, restTransport } from 'capix';
import { context } from './context.js';
import * as capabilities from './index.js';
export const server = createServer({ context, capabilities, transports: [restTransport()] });
export const answer = await server.invoke({ capability: 'g0.op3', input: ${call} });
export const name: string = answer.name3;
`,
};

const frameworks = {
  schemas: {
    context:
      'export interface User { readonly id: string }\nexport interface Context { readonly requestId: string; readonly user: User }\n',
    imports: `import type { Context } from './context.js';`,
    declare: (i) =>
      `export const In${i} = ${toInput(i)};\nexport const Out${i} = ${toOutput(i)};\nexport const op${i} = async (input: z.output<typeof In${i}>, ctx: Context): Promise<z.input<typeof Out${i}>> => ${toAnswer(i)};`,
    index: toNamespaces,
    server: `import * as all from './index.js';\nexport const handlers: unknown = all;\n`,
  },
  capix,
  'capix, handler last': {
    ...capix,
    declare: (i) =>
      `${toSchemas(i)}\nexport const op${i} = authCap.input(In${i}).describe('op ${i}').output(Out${i})(async (input, ctx) => ${toAnswer(i)});`,
  },
  'capix + client': {
    ...capix,
    server: `${capix.server}
import { createClient } from 'capix/client';
const api = createClient<typeof server>({ baseUrl: '/' });
export const sent = await api.g0.op3(${call});
export const total: number | undefined = sent.items[0]?.total;
`,
  },
  oRPC: {
    context: `import { ORPCError, os } from '@orpc/server';
export interface User { readonly id: string }
export interface Context { requestId: string; user?: User | undefined; db: { find(id: string): string } }
export const authed = os.$context<Context>().use(({ context, next }) => { if (!context.user) throw new ORPCError('UNAUTHORIZED'); return next({ context: { user: context.user } }); });
`,
    imports: `import { authed } from './context.js';`,
    declare: (i) =>
      `${toSchemas(i)}\nexport const op${i} = authed.input(In${i}).output(Out${i}).handler(async ({ input, context: ctx }) => ${toAnswer(i)});`,
    index: (groups) =>
      `${toImports(groups)}\nexport const router = { ${groups.map((g) => `g${g}`).join(', ')} };`,
    server: `import { createRouterClient } from '@orpc/server';
import { router } from './index.js';
const client = createRouterClient(router, { context: { requestId: '1', db: { find: (id: string) => id } } });
export const answer = await client.g0.op3(${call});
export const name: string = answer.name3;
`,
  },
  tRPC: {
    context: `import { initTRPC, TRPCError } from '@trpc/server';
export interface User { readonly id: string }
export interface Context { requestId: string; user?: User | undefined; db: { find(id: string): string } }
const t = initTRPC.context<Context>().create();
export const router = t.router;
export const authed = t.procedure.use(({ ctx, next }) => { if (!ctx.user) throw new TRPCError({ code: 'UNAUTHORIZED' }); return next({ ctx: { user: ctx.user } }); });
`,
    imports: `import { authed } from './context.js';`,
    declare: (i) =>
      `${toSchemas(i)}\nexport const op${i} = authed.input(In${i}).output(Out${i}).mutation(async ({ input, ctx }) => ${toAnswer(i)});`,
    index: (groups) =>
      `import { router } from './context.js';\n${toImports(groups)}\nexport const appRouter = router({ ${groups.map((g) => `g${g}: router(g${g})`).join(', ')} });`,
    server: `import { appRouter } from './index.js';
const caller = appRouter.createCaller({ requestId: '1', db: { find: (id: string) => id } });
export const answer = await caller.g0.op3(${call});
export const name: string = answer.name3;
`,
  },
};
