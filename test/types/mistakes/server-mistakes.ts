import type { TypeMistake } from './type-mistake.ts';

export const serverMistakes: readonly TypeMistake[] = [
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
    says: [
      `'input' is missing in type`,
      `but required in type '{ readonly input: { id: string; }; }'`,
    ],
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
    says: [
      `'Transport<never, unknown, never>' is missing the following properties from type 'readonly Transport<`,
    ],
  },
  {
    title: 'a fetch handler of a transport',
    code: `toFetchHandler(restTransport());`,
    says: [
      `'Transport<never, unknown, never>' is missing the following properties from type 'Server<any>'`,
    ],
  },
  {
    title: 'a transport of its own that tells its routes as text',
    code: `const own: Transport = { name: 'own', start: async () => ({ routes: ['GET /'] }), stop: async () => {} }; void own;`,
    says: [`'string' is not assignable to type 'ServedRoute'`],
  },
];
