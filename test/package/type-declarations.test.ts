import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compile, compilerNames, oldestZod, typedProject } from '../helpers/compile-types.ts';
import { packageRoot } from '../helpers/run-capix.ts';

/** A library that others build their applications of. */
const library = {
  'library/package.json':
    '{"name": "library", "type": "module", "exports": {".": "./dist/index.js"}}',
  'library/src/index.ts': `
    import * as z from 'zod';
    import { capability, defaultErrors, defineContext, defineError, defineGuard, defineInputGuard, defineMiddleware, definePlugin, reply, restTransport, createServer, sse,
      pageOf, uploadedFile, withCache, withCircuitBreaker, withRateLimit, withTimeout, type ContextOf, type MiddlewareCall } from 'capix';
    import { mcpTransport } from 'capix/mcp';
    import { mockContext, testServer } from 'capix/testing';
    import { queueTransport } from 'capix/queue';

    export interface User { readonly id: string }
    export const context = defineContext(async ({ headers }) => ({ user: headers.authorization === 'x' ? { id: '1' } as User : undefined, tenant: 'a' }));
    export type Context = ContextOf<typeof context>;
    export const EmailTaken = defineError(409, 'Email taken', { meta: z.object({ email: z.string() }) });
    export const mustBeUser = defineGuard((ctx: Context): asserts ctx is Context & { user: User } => {
      if (!ctx.user) throw defaultErrors.Unauthorized();
    }, { errors: [defaultErrors.Unauthorized] });
    export const mustBeActive = defineGuard(async (ctx: Context) => void ctx, { narrows: (ctx: Context): asserts ctx is Context & { user: User } => void ctx });
    export const mustBeOwner = defineInputGuard(({ id }: { id: string }, ctx: Context) => void [id, ctx]);
    export const withTx = defineMiddleware(({ next }: MiddlewareCall<Context>) => next({ tx: 'open' }));
    export const [timeout, breaker] = [withTimeout(5), withCircuitBreaker()];
    export const limit = withRateLimit({ limit: 1, windowMs: 1, by: ({ id }: { id: string }) => id });
    export const cap = capability.withContext<Context>();
    export const authCap = cap.guard(mustBeUser).enhance(withTx).errors(EmailTaken);
    export const userCap = authCap.output(z.object({ id: z.string() }), { status: 201 });
    export const plain = capability((input) => input);
    export const ById = z.object({ id: z.string(), at: z.string().transform((text) => new Date(text)), limit: z.number().default(10) });
    export const getUser = authCap(ById, ({ id }, ctx) => ({ id, by: ctx.user.id, tx: ctx.tx }))
      .output(z.object({ id: z.string() })).describe('Gets').deprecated({ use: 'users.whoAmI' }).inputGuard(mustBeOwner)
      .enhance(limit).enhance(withCache({ ttlMs: 1, scope: (ctx) => ctx.user.id })).errors(defaultErrors.NotFound).tool(false);
    export const whoAmI = userCap(async (_input, ctx) => reply({ id: ctx.user.id }, { status: 201 }), 'query');
    export const byId = authCap.input(ById).inputGuard(mustBeOwner).describe('By id');
    export const taken = byId.output(z.object({ id: z.string() }));
    export const getLast = taken(({ id }, ctx) => ({ id: id + ctx.tx }));
    export const listPages = byId.output(pageOf(ById))(() => ({ items: [] }));
    export const getAnswers = byId.output(ById).output(z.object({ id: z.string() }), { status: 202 })(({ id }) => reply({ id }, { status: 202 }));
    export const upload = cap(z.object({ file: uploadedFile(), rest: uploadedFile({ stream: true }) }), ({ file, rest }) => [file.size, rest.filename]);
    export const watch = cap(async function* () { yield sse({ id: '1' }, { event: 'created' }); });
    export const users = { getUser, whoAmI };
    export const jobs = queueTransport({ capabilities: { last: { getLast } } });
    export const job = jobs.enqueue('last.getLast', { id: '1', at: '2026-01-01' }, { delayMs: 1 });
    export const audit = definePlugin({ context: (_request, ctx: Context) => ({ audit: ctx.tenant }), capabilities: { audit: { plain } } });
    export const rest = restTransport({ overrides: { 'users.getUser': { method: 'GET', path: '/u/:id' } } });
    export const mcp = mcpTransport();
    export const server = createServer({ context, capabilities: { users }, plugins: [audit], transports: [rest, mcp] });
    export const answer = server.invoke({ capability: 'users.whoAmI' });
    export const api = testServer({ context, capabilities: { users } });
    export const ctx = mockContext({ tenant: 'a' });
  `,
};
const application = {
  'application/package.json': '{"name": "application", "type": "module"}',
  'application/src/index.ts': `
    import { createServer } from 'capix';
    import { context, getLast, jobs, plain, users } from '../../library/src/index.js';
    export const server = createServer({ context, capabilities: { users, more: { plain, getLast } } });
    export const last: Promise<{ id: string }> = server.invoke({ capability: 'more.getLast', input: { id: '1', at: '2026-01-01' } });
    export const job: Promise<string> = jobs.enqueue('last.getLast', { id: '1', at: '2026-01-01' });
    export const user: Promise<{ id: string }> = server.invoke({ capability: 'users.getUser', input: { id: '1', at: '2026-01-01' } });
    // @ts-expect-error: there is no such key
    void server.invoke({ capability: 'users.getUsr' });
  `,
};
const built = {
  composite: true,
  declaration: true,
  declarationMap: true,
  noEmit: false,
  outDir: 'dist',
  rootDir: 'src',
};
const tsconfig = (references: readonly string[]): string =>
  JSON.stringify({
    extends: '../tsconfig.json',
    compilerOptions: built,
    include: ['src'],
    references: references.map((path) => ({ path: `../${path}` })),
  });

describe.each(compilerNames)('%s', (compiler) => {
  it('writes the declarations of a new project', async () => {
    const files = await filesOf(join(packageRoot, 'templates/items/src'));
    const folder = await typedProject({
      files: Object.fromEntries(files.map(([name, text]) => [`src/${name}`, text])),
      options: { ...built, rewriteRelativeImportExtensions: true },
    });
    expect(await compile(folder, compiler)).toEqual({});
    expect(await readFile(join(folder, 'dist/context.d.ts'), 'utf8')).toContain(
      'cap: import("capix").CapabilityFactory<Context',
    );
  });

  it('builds a library and an application that refers to it', async () => {
    const folder = await typedProject({
      files: {
        ...library,
        ...application,
        'library/tsconfig.json': tsconfig([]),
        'application/tsconfig.json': tsconfig(['library']),
      },
    });
    expect(await compile(folder, compiler, ['-b', 'application'])).toEqual({});
  });

  // How a package is found is the same in both; the newer compiler needs a fraction of the time. The older one has the types of the package checked
  // with the oldest zod, the newer one those for each rule with the newest, too.
  it.each(compiler === 'TypeScript 7' ? ['nodenext', 'node20', 'preserve'] : [])(
    'takes the types of the package by the rules of %s, checked themselves',
    async (module) => {
      const options = {
        module,
        moduleResolution:
          module === 'preserve' ? 'bundler' : module === 'node20' ? 'node16' : module,
      };
      const folder = await typedProject({
        files: { 'index.ts': library['library/src/index.ts'] },
        options: {
          ...options,
          skipLibCheck: false,
          exactOptionalPropertyTypes: module !== 'node20',
        },
      });
      expect(await compile(folder, compiler)).toEqual({});
    },
  );

  it('takes the schemas of the oldest zod 4 that it works with, the types of both checked themselves', async () => {
    const folder = await typedProject({
      files: { 'index.ts': library['library/src/index.ts'] },
      options: { skipLibCheck: false, exactOptionalPropertyTypes: true },
      zod: oldestZod,
    });
    expect(await compile(folder, compiler)).toEqual({});
  });
});

/** Names relative to the folder, and texts, of all files in it. */
async function filesOf(folder: string): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    names.map(
      async (name) => [name.slice(folder.length + 1), await readFile(name, 'utf8')] as const,
    ),
  );
}
