import type { TypeMistake } from './type-mistake.ts';

export const transportMistakes: readonly TypeMistake[] = [
  {
    title: 'a parameter of a route that is no field of the input',
    code: `cap(ById, ({ id }) => id).route('PUT', '/users/:userId');`,
    says: [`The input has no field userId. Add it: z.object({ userId: z.string() })`],
  },
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
    says: [`'"pascal"' is not assignable to type`],
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
  {
    title: 'a link to a key that there is not',
    code: `createServer({ context, capabilities: { ...capabilities, posts: { getPost } }, transports: [graphqlTransport({ links: { Post: { author: ['users.getUsr', (post: { authorId: string }) => ({ id: post.authorId })] } } })] });`,
    says: ['users.getUsr'],
  },
  {
    title: 'a link that reads a field that no answer has',
    code: `createServer({ context, capabilities: { ...capabilities, posts: { getPost } }, transports: [graphqlTransport({ links: { Post: { author: ['users.getUser', (post: { writerId: string }) => ({ id: post.writerId })] } } })] });`,
    says: ['writerId'],
  },
  {
    title: 'a link that reads a field of another type',
    code: `createServer({ context, capabilities: { ...capabilities, posts: { getPost } }, transports: [graphqlTransport({ links: { Post: { author: ['users.getUser', (post: { authorId: number }) => ({ id: String(post.authorId) })] } } })] });`,
    says: ['authorId'],
  },
  {
    title: 'a link that sends a field of another type',
    code: `createServer({ context, capabilities: { ...capabilities, posts: { getPost } }, transports: [graphqlTransport({ links: { Post: { author: ['users.getUser', (post: { pages: number }) => ({ id: post.pages })] } } })] });`,
    says: ["'number' is not assignable to type 'string'"],
  },
  {
    title: 'a link that sends another field',
    code: `createServer({ context, capabilities: { ...capabilities, posts: { getPost } }, transports: [graphqlTransport({ links: { Post: { author: ['users.getUser', (post: { authorId: string }) => ({ userId: post.authorId })] } } })] });`,
    says: ["'id' is missing"],
  },
];
