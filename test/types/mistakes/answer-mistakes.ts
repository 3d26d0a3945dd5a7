import type { TypeMistake } from './type-mistake.ts';

export const answerMistakes: readonly TypeMistake[] = [
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
    title: 'a wrong field in a handler that comes last',
    code: `cap.input(ById).output(UserSchema)(({ id }) => ({ id, name: 7, role: 'admin' }));`,
    says: [`'number' is not assignable to type 'string'`],
  },
  {
    title: 'an answer that may be missing, of a handler that comes last',
    code: `cap.input(ById).output(UserSchema)(({ id }, ctx) => ctx.db.find(id));`,
    says: [`'undefined' is not assignable to type`],
  },
  {
    title: 'something that is declared between the answer and the handler',
    code: `cap.input(ById).output(UserSchema).describe('Get a user');`,
    says: [`'describe' does not exist on type 'HandlerTaker<`],
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
    says: [
      `.user' are incompatible`,
      `'Promise<User | undefined>' is missing the following properties`,
    ],
  },
  {
    title: 'a wrong field behind an input and an output',
    code: `cap.input(ById).output(UserSchema)(() => ({ id: 1, name: 'Ada', role: 'admin' }));`,
    says: [`'number' is not assignable to type 'string'`],
  },
  {
    title: 'a wrong field of an asynchronous answer behind an input and an output',
    code: `cap.input(ById).output(UserSchema)(async ({ id }) => ({ id, name: 'Ada', role: 'owner' }));`,
    says: [`'"owner"' is not assignable to type '"admin" | "member"'`],
  },
  {
    title: 'an answer that may be missing behind an input and an output',
    code: `cap.input(ById).output(UserSchema)(({ id }, ctx) => ctx.db.find(id));`,
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
    says: [`'id' does not exist on type 'Reply<{ id: string; }, undefined>'`],
  },
  {
    title: 'a reply whose data does not fit',
    code: `cap(() => reply({ id: 1 }, { status: 201 })).output(ById, { status: 201 });`,
    says: [`'number' is not assignable to type 'string'`],
  },
  {
    title: 'a reply of a status that is not declared',
    code: `createServer({ capabilities: { one: capability(() => reply({ id: '1' }, { status: 202 })).output(ById) } });`,
    says: [
      `A handler replies with the status 202, which is not declared. Declare it: .output(schema, { status: 202 })`,
    ],
  },
  {
    title: 'a reply of a status that is not declared, of a handler that comes last',
    code: `cap.input(ById).output(ById)(() => reply({ id: '1' }, { status: 202 }));`,
    says: [
      `This status is not declared. Declare it before the handler: .output(schema, { status: 202 })`,
    ],
  },
  {
    title: 'a value where an answer without content is declared',
    code: `cap(() => ({ id: '1' })).output(noContent);`,
    says: [`'{ id: string; }' is not assignable to type`],
  },
  {
    title: 'an item of a stream that does not fit',
    code: `cap(async function* () { yield { id: 1 }; }).output(stream(ById));`,
    says: [`Type '{ id: number; }' is not assignable to type`],
  },
  {
    title: 'a reply of a status that is not declared, in a promise',
    code: `cap.input(ById).output(ById)(async ({ id }) => reply({ id }, { status: 202 }));`,
    says: [`This status is not declared. Declare it before the handler`],
  },
  {
    title: 'a reply of a status that is not declared, beside a plain value',
    code: `cap.input(ById).output(ById).output(UserSchema, { status: 201 })(async ({ id }) => id === '1' ? reply({ id }, { status: 202 }) : { id });`,
    says: [`This status is not declared. Declare it before the handler`],
  },
  {
    title: 'a list in place of a page',
    code: `cap.output(pageOf(ById))(() => [{ id: '1' }]);`,
    says: [`An answer of pageOf(…) is an object: return { items, nextCursor }`],
  },
  {
    title: 'a promise of a list in place of a page',
    code: `cap.output(pageOf(ById))(async ({ limit }) => [{ id: String(limit) }]);`,
    says: [`An answer of pageOf(…) is an object: return { items, nextCursor }`],
  },
  {
    title: 'a list in place of a page, of a handler that comes first',
    code: `cap(() => [{ id: '1' }]).output(pageOf(ById));`,
    says: [`'items' is missing in type '{ id: string; }[]' but required in type 'Page<`],
  },
  {
    title: 'a page whose items are of another type',
    code: `cap.output(pageOf(ById))(() => ({ items: [{ id: 1 }] }));`,
    says: [`'number' is not assignable to type 'string'`],
  },
  {
    title: 'a field that the input of a page has not',
    code: `cap.output(pageOf(ById))(({ offset }) => ({ items: [{ id: String(offset) }] }));`,
    says: [`'offset' does not exist on type 'PageInput'`],
  },
  {
    title: 'a list in place of a stream',
    code: `cap.output(stream(ById))(() => [{ id: '1' }]);`,
    says: [`An answer of stream(…) comes one by one: async function* () { yield* items; }`],
  },
  {
    title: 'a shape in place of the schema of an answer',
    code: `cap(() => ({ id: '1' })).output({ id: z.string() });`,
    says: [`Give a schema: .output(z.object({ id: z.string() }))`],
  },
  {
    title: 'a shape in place of the schema of an answer, before the handler',
    code: `cap.output({ id: z.string() })(() => ({ id: '1' }));`,
    says: [`Give a schema: .output(z.object({ id: z.string() }))`],
  },
  {
    title: 'a shape in place of the schema of a second answer',
    code: `cap.output(ById).output({ id: z.string() }, { status: 201 })(() => ({ id: '1' }));`,
    says: [`Give a schema: .output(z.object({ id: z.string() }))`],
  },
  {
    title: 'a status in place of an answer',
    code: `cap.output(201, ById)(() => ({ id: '1' }));`,
    says: [`Give a schema: .output(z.object({ id: z.string() }))`],
  },
  {
    title: 'a misspelt option of a reply',
    code: `reply({ id: '1' }, { staus: 201 });`,
    says: [`'staus' does not exist`, `Did you mean to write 'status'?`],
  },
];
