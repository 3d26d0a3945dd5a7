/** What people get wrong, each in a line or a few, and what the compiler has to say: every text in `says` is in one of its messages. */
export interface TypeMistake {
  /** Unique; completes "the compiler tells of …". */
  readonly title: string;
  /** Follows `prelude`. */
  readonly code: string;
  /** The field, what was expected and found, or what to do. */
  readonly says: readonly string[];
}

/** What every mistake is written in: an application such as `capix new` makes. */
export const prelude = `
import * as z from 'zod';
import * as capix from 'capix';
import { capability, createServer, defaultErrors, defineContext, defineEnhancer, defineError, defineGuard, defineInputGuard, definePlugin,
  generateOpenAPI, reply, restTransport, sse, toFetchHandler, uploadedFile, withCache, withRateLimit, withRetry, withTimeout } from 'capix';
import type { ContextOf, Enhancer, KeyOf, Next, RestOptions, Transport } from 'capix';
import { mcpTransport } from 'capix/mcp';
import { mockContext, testServer } from 'capix/testing';

interface User { readonly id: string; readonly name: string; readonly role: 'admin' | 'member' }
interface Session { readonly token: string }
interface Db { readonly find: (id: string) => Promise<User | undefined> }
declare const db: Db;
const context = defineContext(({ requestId }) => ({ requestId, db, user: undefined as User | undefined }));
interface Context extends ContextOf<typeof context> {}
const Unauthorized = defineError(401, 'Unauthorized');
const EmailTaken = defineError(409, 'EmailTaken', { meta: z.object({ email: z.string() }) });
const mustBeUser = defineGuard((ctx: Context): asserts ctx is Context & { user: User } => {
  if (!ctx.user) throw Unauthorized();
});
const cap = capability.withContext<Context>();
const authCap = cap.guard(mustBeUser);
const ById = z.object({ id: z.string() });
const UserSchema = z.object({ id: z.string(), name: z.string(), role: z.enum(['admin', 'member']) });
const getUser = cap(ById, ({ id }) => ({ id, name: 'Ada' }));
const capabilities = { users: { getUser } };
const server = createServer({ context, capabilities });
export { capix, capability, createServer, defaultErrors, defineContext, defineEnhancer, defineError, defineGuard, defineInputGuard, definePlugin, generateOpenAPI, reply,
  restTransport, sse, toFetchHandler, uploadedFile, withCache, withRateLimit, withRetry, withTimeout, mcpTransport, mockContext, testServer,
  EmailTaken, authCap, UserSchema, server };
export type { Session, Enhancer, KeyOf, Next, RestOptions, Transport };
`;

const output: readonly TypeMistake[] = [
  {
    title: 'an answer that may be missing',
    code: `cap(ById, ({ id }, ctx) => ctx.db.find(id)).output(UserSchema);`,
    says: [`'undefined' is not assignable to type '{ id: string`],
  },
  {
    title: 'an answer of another type',
    code: `cap(() => 'x').output(z.number());`,
    says: [`'string' is not assignable to type 'number'`],
  },
  {
    title: 'an answer with a wrong field',
    code: `cap(ById, () => ({ id: 1 })).output(ById);`,
    says: [`.id' are incompatible`, `'number' is not assignable to type 'string'`],
  },
  {
    title: 'an answer with a wrong field, deep inside',
    code: `cap(ById, () => ({ user: { address: { zip: 8000 } } })).output(z.object({ user: z.object({ address: z.object({ zip: z.string() }) }) }));`,
    says: [`.user.address.zip' are incompatible`, `'number' is not assignable to type 'string'`],
  },
  {
    title: 'an answer that lacks a field',
    code: `cap(ById, ({ id }) => ({ id })).output(UserSchema);`,
    says: [`missing the following properties`, `name, role`],
  },
  {
    title: 'an answer whose text is not of the list',
    code: `cap(ById, ({ id }) => ({ id, name: 'Ada', role: 'owner' as const })).output(UserSchema);`,
    says: [`.role' are incompatible`, `'"owner"' is not assignable to type '"admin" | "member"'`],
  },
  {
    title: 'an answer with a null that is not declared',
    code: `cap(ById, ({ id }) => ({ id, at: null })).output(z.object({ id: z.string(), at: z.string() }));`,
    says: [`'null' is not assignable to type 'string'`],
  },
  {
    title: 'a list in place of one',
    code: `cap(() => [{ id: '1' }]).output(ById);`,
    says: [`'id' is missing in type`],
  },
  {
    title: 'one in place of a list',
    code: `cap(() => ({ id: '1' })).output(z.array(ById));`,
    says: [`is missing the following properties from type`, `length`],
  },
  {
    title: 'an error that is returned and not thrown',
    code: `cap(ById, ({ id }) => id === '' ? Unauthorized() : { id }).output(ById);`,
    says: [`'id' is missing in type 'FrameworkError<"Unauthorized"`],
  },
  {
    title: 'a Response where data is declared',
    code: `cap(() => new Response('x')).output(ById);`,
    says: [`'id' is missing in type 'Response'`],
  },
  {
    title: 'a stream where data is declared',
    code: `cap(async function* () { yield { id: '1' }; }).output(ById);`,
    says: [`'id' is missing in type 'AsyncGenerator<`],
  },
  {
    title: 'a promise inside an answer',
    code: `cap(ById, ({ id }, ctx) => ({ user: ctx.db.find(id) })).output(z.object({ user: UserSchema }));`,
    says: [`.user' are incompatible`, `'Promise<User | undefined>' is missing the following properties`],
  },
  {
    title: 'a wrong field behind an output that stands first',
    code: `cap.output(UserSchema)(ById, () => ({ id: 1, name: 'Ada', role: 'admin' }));`,
    says: [`'number' is not assignable to type 'string'`],
  },
  {
    title: 'a wrong field of an asynchronous answer behind an output that stands first',
    code: `cap.output(UserSchema)(ById, async ({ id }) => ({ id, name: 'Ada', role: 'owner' }));`,
    says: [`'"owner"' is not assignable to type '"admin" | "member"'`],
  },
  {
    title: 'an answer that may be missing behind an output that stands first',
    code: `cap.output(UserSchema)(ById, ({ id }, ctx) => ctx.db.find(id));`,
    says: [`'undefined' is not assignable to type`],
  },
  {
    title: 'a reply in a field',
    code: `cap(ById, ({ id }) => ({ user: reply({ id }, { status: 201 }) }));`,
    says: [`reply(…) stands inside the answer, where it is only data. Return reply(…) itself.`],
  },
  {
    title: 'a reply in a list',
    code: `cap(async () => [reply({ id: '1' })]);`,
    says: [`reply(…) stands inside the answer`],
  },
  {
    title: 'fields beside a reply',
    code: `cap(() => ({ ...reply({ id: '1' }), extra: 1 }));`,
    says: [`Fields beside those of reply(…) are lost. Put them into its data`],
  },
  {
    title: 'a reply that is read as its data',
    code: `reply({ id: '1' }).id;`,
    says: [`'id' does not exist on type 'Reply<{ id: string; }>'`],
  },
  {
    title: 'a reply whose data does not fit',
    code: `cap(() => reply({ id: 1 }, { status: 201 })).output(ById);`,
    says: [`.id' are incompatible`, `'number' is not assignable to type 'string'`],
  },
  {
    title: 'a misspelt option of a reply',
    code: `reply({ id: '1' }, { staus: 201 });`,
    says: [`'staus' does not exist`, `Did you mean to write 'status'?`],
  },
];

const declaring: readonly TypeMistake[] = [
  {
    title: 'a field that the input has not',
    code: `cap(ById, ({ id, name }) => id + name);`,
    says: [`'name' does not exist on type '{ id: string; }'`],
  },
  {
    title: 'a field that the context has not',
    code: `cap(ById, (_input, ctx) => ctx.session);`,
    says: [`'session' does not exist on type 'Context'`],
  },
  {
    title: 'a user who may be missing',
    code: `cap(ById, (_input, ctx) => ctx.user.id);`,
    says: [`'ctx.user' is possibly 'undefined'`],
  },
  {
    title: 'a promise that is not awaited',
    code: `cap(ById, ({ id }, ctx) => ctx.db.find(id).name);`,
    says: [`'name' does not exist on type 'Promise<User | undefined>'`],
  },
  {
    title: 'a shape in place of a schema',
    code: `cap({ id: z.string() }, ({ id }: { id: string }) => id);`,
    says: [`'id' does not exist in type 'Schema`],
  },
  { title: 'a handler that is forgotten', code: `cap(ById);`, says: [`'HandlerOf<RawFields, Context, unknown>'`] },
  {
    title: 'a handler before its schema',
    code: `cap(({ id }: { id: string }) => id, ById);`,
    says: [`is not assignable to parameter of type`, `Schema`],
  },
  {
    title: 'an intent that there is not',
    code: `cap(ById, ({ id }) => id, 'read');`,
    says: [`'"read"' is not assignable to parameter of type 'Intent | undefined'`],
  },
  {
    title: 'an intent before the handler',
    code: `cap(ById, 'query', ({ id }: { id: string }) => id);`,
    says: [`'string' is not assignable to parameter of type 'HandlerOf<{ id: string; }, Context`],
  },
  {
    title: 'a factory whose context is not called for',
    code: `capability.withContext<Context>(ById, () => 1);`,
    says: [`Expected 0 arguments, but got 2`],
  },
  {
    title: 'a schema of zod 3',
    code: `cap(z3.object({ id: z3.string() }), ({ id }) => id);\nimport * as z3 from 'zod-3';`,
    says: [`'_zod' is missing in type 'ZodObject`],
  },
  {
    title: 'an option of a tool that is misspelt',
    code: `getUser.tool({ readonly: true });`,
    says: [`'readonly' does not exist in type 'ToolOptions'`, `Did you mean to write 'readOnly'?`],
  },
  {
    title: 'a deprecation that is misspelt',
    code: `getUser.deprecated({ uses: 'users.getUser' });`,
    says: [`'uses' does not exist in type 'Deprecation`, `Did you mean to write 'use'?`],
  },
  {
    title: 'a description that is not a text',
    code: `getUser.describe(['Gets a user']);`,
    says: [`'string[]' is not assignable to parameter of type 'string'`],
  },
  {
    title: 'a capability in place of another',
    code: `let each = cap(ById, () => 1); each = cap(UserSchema, () => 1);`,
    says: [`name, role`],
  },
  {
    title: 'a method of a capability on a factory',
    code: `cap.describe('x');`,
    says: [`'describe' does not exist on type 'CapabilityFactory`],
  },
];

const contexts: readonly TypeMistake[] = [
  {
    title: 'a guard of another context, on a factory',
    code: `cap.guard(defineGuard((ctx: { session: Session }) => void ctx.session.token));`,
    says: [`'session' is missing in type`, `but required in type '{ session: Session; }'`],
  },
  {
    title: 'a guard of another context, on a capability',
    code: `getUser.guard(defineGuard((ctx: { session: Session }) => void ctx.session.token));`,
    says: [`'session' is missing in type`, `but required in type '{ session: Session; }'`],
  },
  {
    title: 'a guard whose field is of another type',
    code: `cap.guard(defineGuard((ctx: { user: string }) => void ctx.user));`,
    says: [`property 'user' are incompatible`, `is not assignable to type 'string'`],
  },
  {
    title: 'a guard that needs what only a later one narrows',
    code: `cap.guard(defineGuard((ctx: { user: User }) => void ctx.user.id)).guard(mustBeUser);`,
    says: [`property 'user' are incompatible`, `'User | undefined' is not assignable to type 'User'`],
  },
  {
    title: 'a plain function in place of a guard',
    code: `cap.guard((ctx: Context) => void ctx.user);`,
    says: [`Wrap the function: .guard(defineGuard((ctx) => …))`],
  },
  {
    title: 'a plain function in place of an input guard',
    code: `getUser.inputGuard(({ id }: { id: string }) => void id);`,
    says: [`Wrap the function: .inputGuard(defineInputGuard((input, ctx) => …))`],
  },
  {
    title: 'a guard that is written alone and says no context',
    code: `defineGuard((ctx) => void ctx.user);`,
    says: [`'ctx' is of type 'unknown'`],
  },
  {
    title: 'an asynchronous function that asserts',
    code: `defineGuard(async (ctx: Context): asserts ctx is Context & { user: User } => {});`,
    says: [`Promise`],
  },
  {
    title: 'a guard that asserts what cannot be',
    code: `defineGuard((ctx: Context): asserts ctx is { session: Session } => {});`,
    says: [
      `A type predicate's type must be assignable to its parameter's type`,
      `'{ session: Session; }' is missing the following properties`,
    ],
  },
  {
    title: 'an input guard of another input',
    code: `getUser.inputGuard(defineInputGuard((input: { userId: string }) => void input.userId));`,
    says: [`'userId' is missing in type '{ id: string; }'`],
  },
  {
    title: 'an input guard of another context',
    code: `getUser.inputGuard(defineInputGuard((_input: { id: string }, ctx: { session: Session }) => void ctx));`,
    says: [`'session' is missing in type`],
  },
  {
    title: 'a misspelt option of a guard',
    code: `defineGuard((ctx: Context) => void ctx, { error: [Unauthorized] });`,
    says: [`'error' does not exist in type 'GuardOptions`, `Did you mean to write 'errors'?`],
  },
  {
    title: 'a security scheme of no known type',
    code: `defineGuard((ctx: Context) => void ctx, { security: { type: 'bearer' } });`,
    says: [`'"bearer"' is not assignable to type`, `"apiKey"`],
  },
  {
    title: 'a context that lacks what a test needs',
    code: `getUser.resolve({ id: '1' }, mockContext({ user: undefined }));`,
    says: [`'db' is missing in type`],
  },
  {
    title: 'an empty context where a test needs more',
    code: `getUser.resolve({ id: '1' }, mockContext());`,
    says: [`missing the following properties`, `db, user`],
  },
  {
    title: 'a test with another input',
    code: `getUser.resolve({ idd: '1' }, mockContext({ db, user: undefined }));`,
    says: [`'idd' does not exist in type '{ id: string; }'`],
  },
];

const enhancing: readonly TypeMistake[] = [
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
    code: `withRetry({ attempt: 3 });`,
    says: [`'attempt' does not exist in type 'RetryOptions'`, `Did you mean to write 'attempts'?`],
  },
  {
    title: 'an enhancer that is not called',
    code: `getUser.enhance(withTimeout);`,
    says: [`Give what the function makes: .enhance(withTimeout(5000))`],
  },
  {
    title: 'an enhancer that gives another answer',
    code: `defineEnhancer(() => () => 'nope');`,
    says: [`'string' is not assignable to type`, `Answer`],
  },
  {
    title: 'an enhancer that forgets to give the answer',
    code: `defineEnhancer((next) => async (input, ctx) => { await next(input, ctx); });`,
    says: [`'Promise<void>' is not assignable to type`, `Answer`],
  },
  {
    title: 'an enhancer of a factory that reads its input',
    code: `cap.enhance(withRateLimit({ limit: 1, windowMs: 1, by: ({ id }: { id: string }) => id }));`,
    says: [`'unknown' is not assignable to type '{ id: string; }'`],
  },
  {
    title: 'an enhancer that does not hand on what it promises',
    code: `defineEnhancer((next: Next<unknown, Context & { tx: string }>) => (input: unknown, ctx: Context) => next(input, ctx));`,
    says: [`'tx' is missing in type`],
  },
  {
    title: 'what an enhancer adds, on a factory without it',
    code: `cap(ById, (_input, ctx) => ctx.tx);`,
    says: [`'tx' does not exist on type 'Context'`],
  },
];

const errors: readonly TypeMistake[] = [
  {
    title: 'an error whose status is a text',
    code: `defineError('409', 'EmailTaken');`,
    says: [`'string' is not assignable to parameter of type 'number'`],
  },
  { title: 'an error without the meta that it declares', code: `EmailTaken();`, says: [`Expected`, `arguments`] },
  {
    title: 'an error with another meta',
    code: `EmailTaken({ emial: 'x' });`,
    says: [`'emial' does not exist in type '{ email: string; }'`, `Did you mean to write 'email'?`],
  },
  {
    title: 'an error that is made where its kind is declared',
    code: `getUser.errors(Unauthorized());`,
    says: [`FrameworkError<"Unauthorized", 401`, `ErrorFactory`],
  },
  {
    title: 'the meta of an error that may be another',
    code: `try { db; } catch (error) { error.meta; }`,
    says: [`'error' is of type 'unknown'`],
  },
  {
    title: 'a field that the meta of an error has not',
    code: `declare const caught: unknown;\nif (EmailTaken.is(caught)) caught.meta.emial;`,
    says: [`'emial' does not exist on type '{ email: string; }'`, `Did you mean 'email'?`],
  },
  {
    title: 'an error of the catalogue that there is not',
    code: `defaultErrors.NotFond();`,
    says: [`'NotFond' does not exist`, `Did you mean 'NotFound'?`],
  },
  {
    title: 'a misspelt option of an error',
    code: `defineError(409, 'EmailTaken', { metaa: z.object({}) });`,
    says: [`'metaa' does not exist in type 'DefineErrorOptions`],
  },
];

const servers: readonly TypeMistake[] = [
  {
    title: 'a server without the context that its capabilities need',
    code: `createServer({ capabilities });`,
    says: [`'context' is missing in type`],
  },
  {
    title: 'a context that lacks what a capability needs',
    code: `createServer({ context: defineContext(() => ({ user: undefined })), capabilities });`,
    says: [`'db' is missing in type`, `but required in type`],
  },
  {
    title: 'a context whose field is of another type',
    code: `createServer({ context: defineContext(() => ({ db: 'pg', user: undefined })), capabilities });`,
    says: [`property 'db' are incompatible`, `'string' is not assignable to type 'Db'`],
  },
  {
    title: 'a plain function in place of a context',
    code: `createServer({ context: () => ({ db, user: undefined }), capabilities });`,
    says: [`ContextBuilder<`],
  },
  {
    title: 'a function among the capabilities',
    code: `createServer({ context, capabilities: { users: { getUser, find: async () => 1 } } });`,
    says: [`'() => Promise<number>' is not assignable to type`, `AnyCapability`],
  },
  {
    title: 'a factory among the capabilities',
    code: `createServer({ context, capabilities: { users: { getUser, cap } } });`,
    says: [`'CapabilityFactory<Context`, `AnyCapability`],
  },
  {
    title: 'a group that is not awaited',
    code: `createServer({ context, capabilities: { users: Promise.resolve({ getUser }) } });`,
    says: [`Promise<`, `AnyCapability`],
  },
  {
    title: 'a list of capabilities',
    code: `createServer({ context, capabilities: [getUser] });`,
    says: [`is not assignable to type 'GroupTree'`],
  },
  {
    title: 'a misspelt option of a server',
    code: `createServer({ context, capabilites: capabilities });`,
    says: [`'capabilites' does not exist`, `Did you mean to write 'capabilities'?`],
  },
  {
    title: 'a misspelt hook',
    code: `createServer({ context, capabilities, hooks: { onResponce: () => {} } });`,
    says: [`'onResponce' does not exist in type 'Hooks'`, `Did you mean to write 'onResponse'?`],
  },
  {
    title: 'a key that there is not',
    code: `server.invoke({ capability: 'users.getUsr', input: { id: '1' } });`,
    says: [`'"users.getUsr"' is not assignable to type '"users.getUser"'`],
  },
  {
    title: 'an input that is missing',
    code: `server.invoke({ capability: 'users.getUser' });`,
    says: [`'input' is missing in type`, `but required in type '{ readonly input: { id: string; }; }'`],
  },
  {
    title: 'an input with another field',
    code: `server.invoke({ capability: 'users.getUser', input: { idd: '1' } });`,
    says: [`'idd' does not exist in type '{ id: string; }'`],
  },
  {
    title: 'a result that is read as another',
    code: `async () => { const user = await server.invoke({ capability: 'users.getUser', input: { id: '1' } }); return user.nam; };`,
    says: [`'nam' does not exist on type '{ id: string; name: string; }'`, `Did you mean 'name'?`],
  },
  {
    title: 'a replacement that there is not',
    code: `createServer({ capabilities: { users: { old: capability(() => 1).deprecated({ use: 'users.new' }) } } });`,
    says: [`No capability has the key 'users.new', which .deprecated({ use }) names.`],
  },
  {
    title: 'a test server without its context',
    code: `testServer({ capabilities });`,
    says: [`'context' is missing in type`],
  },
  {
    title: 'a key that a test server has not',
    code: `async () => (await testServer({ context, capabilities })).invoke({ capability: 'users.getUsr', input: { id: '1' } });`,
    says: [`'"users.getUsr"' is not assignable to type '"users.getUser"'`],
  },
  {
    title: 'a transport that is not called',
    code: `createServer({ context, capabilities, transports: [restTransport] });`,
    says: [`is not assignable to type 'Transport<`],
  },
  {
    title: 'one transport in place of a list',
    code: `createServer({ context, capabilities, transports: restTransport() });`,
    says: [`'Transport<never, unknown>' is missing the following properties from type 'readonly Transport<`],
  },
  {
    title: 'a fetch handler of a transport',
    code: `toFetchHandler(restTransport());`,
    says: [`'Transport<never, unknown>' is missing the following properties from type 'Server<any>'`],
  },
  {
    title: 'a transport of its own that tells its routes as text',
    code: `const own: Transport = { name: 'own', start: async () => ({ routes: ['GET /'] }), stop: async () => {} }; void own;`,
    says: [`'string' is not assignable to type 'ServedRoute'`],
  },
];

const plugins: readonly TypeMistake[] = [
  {
    title: 'a plugin that declares a key again',
    code: `const again = definePlugin({ capabilities: { users: { getUser } } });\ncreateServer({ context, capabilities, plugins: [again] });`,
    says: [`Two owners declare the capability 'users.getUser'. Rename it in one of them.`],
  },
  {
    title: 'a plugin that sets a field again',
    code: `const again = definePlugin({ context: () => ({ db: 1 }) });\ncreateServer({ context, capabilities, plugins: [again] });`,
    says: [`Two owners set 'db' in the context. Rename it in one of them.`],
  },
  {
    title: 'a plugin that reads what the context has not',
    code: `const reader = definePlugin({ context: (_request, ctx: { session: Session }) => ({ token: ctx.session.token }) });\ncreateServer({ context, capabilities, plugins: [reader] });`,
    says: [`'session' is missing in type`],
  },
  {
    title: 'a capability of a plugin that the context does not fit',
    code: `const more = definePlugin({ capabilities: { more: { getUser } } });\ncreateServer({ plugins: [more] });`,
    says: [`'context' is missing in type`],
  },
  {
    title: 'a misspelt option of a plugin',
    code: `definePlugin({ capabilites: {} });`,
    says: [`'capabilites' does not exist`, `Did you mean to write 'capabilities'?`],
  },
  {
    title: 'a plugin that adds a text',
    code: `definePlugin({ context: () => 'x' });`,
    says: [`'string' is not assignable to type`, `object`],
  },
];

const rest: readonly TypeMistake[] = [
  {
    title: 'an override of a key that there is not',
    code: `void ({ overrides: { 'users.getUsr': { method: 'GET', path: '/u' } } } satisfies RestOptions<KeyOf<typeof capabilities>>);`,
    says: [`'users.getUsr'' does not exist in type 'RouteOverrides<"users.getUser">'`],
  },
  {
    title: 'an override of a key that the server has not',
    code: `createServer({ context, capabilities, transports: [restTransport({ overrides: { 'users.getUsr': { method: 'GET', path: '/u' } } })] });`,
    says: [`'"users.getUsr"' is not assignable to type '"users.getUser"'`],
  },
  {
    title: 'a method that there is not',
    code: `restTransport({ overrides: { 'users.getUser': { method: 'GETT', path: '/u' } } });`,
    says: [`'"GETT"' is not assignable to type`, `Did you mean '"GET"'?`],
  },
  {
    title: 'a path without its slash',
    code: `restTransport({ overrides: { 'users.getUser': { method: 'GET', path: 'u' } } });`,
    says: ["'\"u\"' is not assignable to type '`/${string}`'"],
  },
  {
    title: 'an override without its path',
    code: `restTransport({ overrides: { 'users.getUser': { method: 'GET' } } });`,
    says: [`'path' is missing in type '{ method: "GET"; }'`],
  },
  {
    title: 'a misspelt option of REST',
    code: `restTransport({ overides: {} });`,
    says: [`'overides' does not exist in type 'RestOptions`, `Did you mean to write 'overrides'?`],
  },
  {
    title: 'a case of paths that there is not',
    code: `restTransport({ urlCase: 'pascal' });`,
    says: [`'"pascal"' is not assignable to type 'UrlCase | undefined'`],
  },
  {
    title: 'a port that is a text',
    code: `restTransport({ port: process.env['PORT'] });`,
    says: [`'string | undefined' is not assignable to type 'number | undefined'`],
  },
  {
    title: 'a list of origins',
    code: `restTransport({ cors: { origin: ['https://a.example'] } });`,
    says: [`'string[]' is not assignable to type`],
  },
  {
    title: 'capabilities of a transport that the context does not fit',
    code: `createServer({ transports: [restTransport({ capabilities })] });`,
    says: [`db`],
  },
  {
    title: 'an override of a document',
    code: `generateOpenAPI(capabilities, { overrides: { 'users.getUsr': { method: 'GET', path: '/u' } } });`,
    says: [`'users.getUsr'' does not exist`],
  },
  {
    title: 'a limit of a file that is a text',
    code: `uploadedFile({ maxSize: '1MB' });`,
    says: [`'string' is not assignable to type 'number`],
  },
  {
    title: 'an id of an event that is a number',
    code: `sse({ id: '1' }, { id: 7 });`,
    says: [`'number' is not assignable to type 'string`],
  },
  {
    title: 'a name that the package has not',
    code: `capix.createApp({});`,
    says: [`'createApp' does not exist on type`],
  },
];

export const mistakes: readonly TypeMistake[] = [
  ...output,
  ...declaring,
  ...contexts,
  ...enhancing,
  ...errors,
  ...servers,
  ...plugins,
  ...rest,
];
