import type { TypeMistake } from './type-mistake.ts';

export const declarationMistakes: readonly TypeMistake[] = [
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
    says: [`Before the handler stands a schema: z.object({ id: z.string() })`],
  },
  {
    title: 'a shape in place of a schema that comes first',
    code: `cap.input({ id: z.string() });`,
    says: [`Give a schema: .input(z.object({ id: z.string() }))`],
  },
  {
    title: 'a guard of another input before its handler',
    code: `cap.input(ById).inputGuard(defineInputGuard(({ userId }: { userId: string }) => void userId));`,
    says: [`'userId' is missing in type '{ id: string; }'`],
  },
  {
    title: 'a handler that is forgotten',
    code: `cap(ById);`,
    says: [`'HandlerOf<RawFields, Context, unknown>'`],
  },
  {
    title: 'a handler before its schema',
    code: `cap(({ id }: { id: string }) => id, ById);`,
    says: [`is not assignable to parameter of type`, `Schema`],
  },
  {
    title: 'an intent that there is not',
    code: `cap(ById, ({ id }) => id, 'read');`,
    says: [`An intent is 'query', 'mutation', 'update', 'replace' or 'delete'`],
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
    says: [`A schema of zod 3 cannot be used: npm install zod@^4.2.0`],
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
    saysIn54: [`is not assignable to type 'Capability<ZodObject<{ id: ZodString; }`],
  },
  {
    title: 'a member of a group whose input lacks a field of its path',
    code: `group('/orgs/:orgId', { items: { getItem: cap(ById, () => 1) } });`,
    says: [`orgId`],
  },
  {
    title: 'an input that is a sketch of a schema',
    code: `cap.input({ a: 'string' });`,
    says: ['Give a schema: .input(z.object({ id: z.string() }))'],
  },
  {
    title: 'an input that is a text',
    code: `cap.input('id');`,
    says: ['Give a schema: .input(z.object({ id: z.string() }))'],
  },
  {
    title: 'a method in place of an intent, behind a schema',
    code: `cap(ById, () => null, 'get');`,
    says: ["An intent is 'query', 'mutation', 'update', 'replace' or 'delete'"],
  },
  {
    title: 'a method in place of an intent, without a schema',
    code: `capability(() => null, 'get');`,
    says: ["Behind it stands an intent: 'query', 'mutation', 'update', 'replace' or 'delete'"],
  },
  {
    title: 'an intent that comes first',
    code: `capability('query', () => null);`,
    says: ["Behind it stands an intent: 'query', 'mutation', 'update', 'replace' or 'delete'"],
  },
  {
    title: 'one object of all parts',
    code: `cap({ input: ById }, () => null);`,
    says: [`Before the handler stands a schema: z.object({ id: z.string() })`],
  },
  {
    title: 'a method in place of an intent, of a handler that comes last',
    code: `cap.input(ById).output(ById)(({ id }) => ({ id }), 'POST');`,
    says: ["An intent is 'query', 'mutation', 'update', 'replace' or 'delete'"],
  },
];
