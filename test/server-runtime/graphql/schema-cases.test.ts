import { type GraphQLSchema, graphql, printSchema, printType, validateSchema } from 'graphql';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toGraphqlSchema } from '../../../server-runtime/graphql/index.ts';
import {
  capability,
  createServer,
  type GroupTree,
  pageOf,
  stream,
} from '../../../server-runtime/index.ts';

async function schemaOf(
  capabilities: GroupTree,
  fields?: Record<string, string>,
): Promise<GraphQLSchema> {
  const schema = await toGraphqlSchema(createServer({ capabilities }), { fields });
  expect(validateSchema(schema)).toEqual([]);
  return schema;
}

async function ask(schema: GraphQLSchema, source: string, variableValues?: object) {
  return JSON.parse(
    JSON.stringify(await graphql({ schema, source, variableValues: variableValues as never })),
  ) as unknown;
}

/** Answers with the input that the handler gets. */
function echo(input: z.ZodType) {
  return capability(input, (sent: unknown) => ({ sent })).output(z.object({ sent: z.unknown() }));
}

function typeOf(schema: GraphQLSchema, name: string): string {
  const type = schema.getType(name);
  if (type === undefined) throw new TypeError(`There is no ${name}.`);
  return printType(type);
}

const Payment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('card'), number: z.string() }),
  z.object({ kind: z.literal('cash') }),
]);
const User = z.object({ id: z.string(), name: z.string() });

it('39 `kind` in two branches of one document', async () => {
  const listPayments = capability(() => [
    { kind: 'card' as const, number: '4' },
    { kind: 'cash' as const },
  ]).output(z.array(Payment));
  const schema = await schemaOf({ payments: { listPayments } });
  const text =
    '{ listPayments { ... on PaymentCard { kind number } ... on PaymentCash { kind } } }';
  expect(await ask(schema, text)).toEqual({
    data: { listPayments: [{ kind: 'card', number: '4' }, { kind: 'cash' }] },
  });
});

it('40 same shape twice is one type', async () => {
  const copy = z.object({ id: z.string(), name: z.string() });
  const schema = await schemaOf({
    users: {
      mergeUsers: capability(() => ({ id: '1', name: 'a' })).output(copy),
      promote: capability(() => ({ id: '1', name: 'a' })).output(copy),
      listUsers: capability(() => []).output(z.array(User)),
      getUser: capability(() => ({ id: '1', name: 'a' })).output(User),
    },
  });
  expect(printSchema(schema)).toContain('usersPromote: User\n');
  expect(printSchema(schema).match(/^type \w+/gm)).toEqual([
    'type Query',
    'type User',
    'type Mutation',
  ]);
});

it('41 two shapes, one name', async () => {
  const small = z.object({ id: z.string() });
  const schema = await schemaOf({
    users: {
      getUser: capability(() => ({ id: '1', name: 'a' })).output(User),
      listUsers: capability(() => []).output(z.array(small)),
    },
  });
  expect(typeOf(schema, 'Query')).toContain('listUsers: [User2!]');
  expect(typeOf(schema, 'User2')).toBe('type User2 {\n  id: ID!\n}');
});

it('42 colliding fields fail at start with a fix', async () => {
  const one = capability(() => 1);
  const pairs = [
    { a: { bC: one }, aB: { c: one } },
    { user: { getUser: one }, users: { getUser: one } },
  ];
  await expect(schemaOf(pairs[0]!)).rejects.toThrow(
    "`a.bC` and `aB.c` are one field in GraphQL: `aBC`. Name one of them: `graphqlTransport({ fields: { 'aB.c': 'aBC2' } })`.",
  );
  await expect(schemaOf(pairs[1]!)).rejects.toThrow(
    "graphqlTransport({ fields: { 'users.getUser': 'usersGetUser' } })",
  );
  const solved = await schemaOf(pairs[1]!, { 'users.getUser': 'usersGetUser' });
  expect(typeOf(solved, 'Query')).toBe('type Query {\n  getUser: JSON\n  usersGetUser: JSON\n}');
  await expect(schemaOf(pairs[1]!, { 'users.getUser': 'a-b' })).rejects.toThrow(
    'The field "a-b" of `users.getUser` is not a name of GraphQL.',
  );
  await expect(schemaOf({ a: { getB: one } }, { 'a.getC': 'c' })).rejects.toThrow(
    'names `a.getC`, and there is no such capability',
  );
});

it('the field of a capability depends on its key alone', async () => {
  const one = capability(() => 1);
  const schema = await schemaOf({
    users: { getUser: one, getStats: one, list: one, registerUser: one, getActiveUsers: one },
    admin: { users: { getUser: one } },
    health: one,
    orderLines: { getOrderLine: one },
  });
  const fields = printSchema(schema).match(/^ {2}\w+(?=: JSON)/gm);
  expect(fields?.map((each) => each.trim()).toSorted()).toEqual([
    'adminGetUser',
    'getOrderLine',
    'getUser',
    'health',
    'registerUser',
    'usersGetActiveUsers',
    'usersGetStats',
    'usersList',
  ]);
});

it('43 `zip-code` both ways', async () => {
  const Address = z.object({ 'zip-code': z.string() });
  const schema = await schemaOf({
    places: { getPlace: capability(z.object({ at: Address }), ({ at }) => at).output(Address) },
  });
  expect(await ask(schema, '{ getPlace(at: { zip_code: "1" }) { zip_code } }')).toEqual({
    data: { getPlace: { zip_code: '1' } },
  });
});

it('44 null of optional dropped, of nullable kept, absent stays', async () => {
  const input = z.object({
    a: z.string().optional(),
    b: z.string().nullable(),
    c: z.string().nullish(),
  });
  const schema = await schemaOf({ things: { findThings: echo(input) } });
  const text =
    'query ($a: String, $b: String, $c: String) { findThings(a: $a, b: $b, c: $c) { sent } }';
  expect(await ask(schema, text, { a: null, b: null })).toEqual({
    data: { findThings: { sent: { b: null } } },
  });
  expect(await ask(schema, text, { b: 'x', c: null })).toEqual({
    data: { findThings: { sent: { b: 'x', c: null } } },
  });
  expect(await ask(schema, text, {})).toMatchObject({
    data: { findThings: null },
    errors: [{ extensions: { code: 'BadRequest', status: 400 } }],
  });
});

it('45 `@oneOf` with two keys, none, null', async () => {
  const schema = await schemaOf({
    payments: { findPayments: echo(Payment), getPayment: echo(z.object({ by: Payment })) },
  });
  const find = 'query ($input: FindPaymentsInput!) { findPayments(input: $input) { sent } }';
  expect(typeOf(schema, 'FindPaymentsInput')).toContain('@oneOf');
  expect(await ask(schema, find, { input: { card: { number: '4' } } })).toEqual({
    data: { findPayments: { sent: { kind: 'card', number: '4' } } },
  });
  expect(await ask(schema, find, { input: { cash: true } })).toEqual({
    data: { findPayments: { sent: { kind: 'cash' } } },
  });
  for (const input of [{ card: { number: '4' }, cash: true }, {}, { cash: null }])
    expect(await ask(schema, find, { input })).toEqual({
      errors: [
        expect.objectContaining({ message: expect.stringMatching(/FindPaymentsInput|null/) }),
      ],
    });
  expect(await ask(schema, find, { input: { cash: false } })).toMatchObject({
    errors: [{ message: 'cash can only be true', extensions: { code: 'BadRequest' } }],
  });
  expect(await ask(schema, '{ getPayment(by: { card: { number: "4" } }) { sent } }')).toEqual({
    data: { getPayment: { sent: { by: { kind: 'card', number: '4' } } } },
  });
});

it('46 recursive in and out', async () => {
  interface Tree {
    name: string;
    kids: Tree[];
  }
  const TreeSchema: z.ZodType<Tree> = z.object({
    name: z.string(),
    get kids() {
      return z.array(TreeSchema);
    },
  });
  interface Chain {
    next: Chain;
  }
  const ChainSchema: z.ZodType<Chain> = z.object({
    get next() {
      return ChainSchema;
    },
  });
  const schema = await schemaOf({
    trees: {
      getTree: capability(z.object({ tree: TreeSchema }), ({ tree }) => tree).output(TreeSchema),
      findChain: echo(z.object({ chain: ChainSchema })),
    },
  });
  expect(typeOf(schema, 'Tree')).toBe('type Tree {\n  name: String!\n  kids: [Tree!]!\n}');
  expect(typeOf(schema, 'TreesFindChainChainInput')).toBe(
    'input TreesFindChainChainInput {\n  next: TreesFindChainChainInput\n}',
  );
  const text =
    '{ getTree(tree: { name: "a", kids: [{ name: "b", kids: [] }] }) { kids { name } } }';
  expect(await ask(schema, text)).toEqual({ data: { getTree: { kids: [{ name: 'b' }] } } });
});

it('47 epoch ms out and in', async () => {
  const ms = 1_806_400_000_000;
  const At = z.object({ at: z.int() });
  const schema = await schemaOf({
    things: { getThing: capability(At, ({ at }) => ({ at })).output(At) },
  });
  expect(await ask(schema, `{ getThing(at: ${ms}) { at } }`)).toEqual({
    data: { getThing: { at: ms } },
  });
});

it('48 `id: 1`', async () => {
  const schema = await schemaOf({ users: { findUser: echo(z.object({ id: z.string() })) } });
  expect(await ask(schema, '{ findUser(id: 1) { sent } }')).toEqual({
    data: { findUser: { sent: { id: '1' } } },
  });
});

it('49 default in SDL', async () => {
  const input = z.object({
    state: z.enum(['in-progress', 'done']).default('in-progress'),
    tags: z.array(z.string()).default(['a']),
    limit: z.number().default(20),
    more: z.object({ a: z.number() }).default({ a: 1 }),
  });
  const schema = await schemaOf({ things: { findThings: echo(input) } });
  expect(typeOf(schema, 'Query')).toContain(
    'findThings(state: FindThingsState = in_progress, tags: [String!] = ["a"], limit: Float = 20, more: FindThingsMoreInput): ',
  );
  expect(await ask(schema, '{ findThings { sent } }')).toEqual({
    data: {
      findThings: { sent: { state: 'in-progress', tags: ['a'], limit: 20, more: { a: 1 } } },
    },
  });
});

it('50 deprecated field and argument', async () => {
  const input = z.object({
    old: z.string().optional().meta({ deprecated: true }),
    must: z.string().meta({ deprecated: true }),
  });
  const getUser = capability(input, () => ({ id: '1' })).output(
    z.object({ id: z.string().meta({ deprecated: true }) }),
  );
  const schema = await schemaOf({
    users: {
      getUser: getUser.deprecated({ since: '2027-01-31', use: 'users.findUser' }),
      findUser: echo(input),
      getUsers: echo(input).deprecated(),
    },
  });
  const query = typeOf(schema, 'Query');
  expect(query).toContain(
    'getUser(old: String @deprecated, must: String!): User @deprecated(reason: "Deprecated since 2027-01-31. Use `findUser`.")',
  );
  expect(query).toMatch(/getUsers\(.*\): \w+ @deprecated$/m);
  expect(typeOf(schema, 'User')).toContain('id: ID! @deprecated');
});

it('51 no queries at all', async () => {
  const schema = await schemaOf({
    things: {
      createThing: capability(() => 1),
      watch: capability(async function* () {
        yield 1;
      }).output(stream(z.number())),
    },
  });
  expect(printSchema(schema)).toContain('type Query {\n  """There are no queries here."""\n');
  expect(printSchema(schema)).toContain('type Subscription {\n  thingsWatch: Float\n}');
});

it('52 descriptions with quotes and newlines', async () => {
  const words = 'Says """so"""\nand "more" \\ than that.';
  const getUser = capability(z.object({ id: z.string().describe(words) }), () => ({ id: '1' }))
    .output(z.object({ id: z.string().describe(words) }).describe(words))
    .describe(words);
  const schema = await schemaOf({ users: { getUser } });
  expect(schema.getQueryType()?.getFields()['getUser']?.description).toBe(words);
  expect(schema.getQueryType()?.getFields()['getUser']?.args[0]?.description).toBe(words);
  expect(schema.getType('User')?.description).toBe(words);
  expect(printSchema(schema)).toContain('Says \\"""so\\"""');
});

it('an object without fields is no argument; a record and an open object are JSON', async () => {
  const schema = await schemaOf({
    items: {
      listItems: echo(z.object({})),
      listRows: echo(z.looseObject({})),
      listNotes: echo(z.record(z.string(), z.string())),
    },
  });
  const query = typeOf(schema, 'Query');
  expect(query).toContain('listItems: ');
  expect(query).toContain('itemsListRows(input: JSON!): ');
  expect(query).toContain('itemsListNotes(input: JSON!): ');
  expect(await ask(schema, '{ listItems { sent } }')).toEqual({
    data: { listItems: { sent: {} } },
  });
});

it('a page of a list leaves its name to the items', async () => {
  const Event = z.object({ id: z.string() }).meta({ id: 'Event' });
  const schema = await schemaOf({
    events: {
      listEvents: capability.output(pageOf(Event))(() => ({ items: [{ id: '1' }] }), 'query'),
      getEvent: capability(() => ({ id: '1' })).output(Event),
    },
  });
  expect(typeOf(schema, 'EventPage')).toContain('items: [Event!]!');
  expect(typeOf(schema, 'Query')).toContain('getEvent: Event');
  expect(schema.getType('Event2')).toBeUndefined();
});
