import { expect, test } from 'vitest';
import { openFixture, openProject } from '../helpers/fixture-project.ts';

test('a project without problems passes, strictly too', async () => {
  const { ask } = await openFixture('shop');
  const passed = { stdout: 'No problems in 4 capabilities\n', stderr: '', exitCode: 0 };
  expect(await ask(['check'])).toEqual(passed);
  expect(await ask(['check', '--strict'])).toEqual(passed);
});

test('check reports errors before warnings, each with place, reason and what to do, and exits with 1', async () => {
  const { ask } = await openFixture('flawed');
  const { stdout, stderr, exitCode } = await ask(['check']);
  expect(stdout).toBe(`error    invalid-override  src/capabilities.ts:25
  The override of \`users.getURL\` has the method "FETCH".
  Use one of GET, POST, PUT, PATCH, DELETE.

error    unknown-override  src/capabilities.ts:24
  \`overrides\` has an entry for \`users.listUser\`, but no capability has that key.
  Did you mean \`users.listUsers\`?

error    duplicate-route  src/capabilities.ts:10
  \`users.listUsers\` and \`users.findUsers\` are both GET /users.
  Rename one of them, or give \`users.findUsers\` a path of its own: overrides: { 'users.findUsers': { method: 'GET', path: '/users/find-users' } }

error    duplicate-route  src/capabilities.ts:14
  \`users.getURL\` and \`users.getUrl\` are both GET /users/url.
  Rename one of them, or give \`users.getUrl\` a path of its own: overrides: { 'users.getUrl': { method: 'GET', path: '/users/get-url' } }

error    naming-conflict  src/capabilities.ts:14
  \`users.getURL\` and \`users.getUrl\` differ in letter case only.
  Rename one of them.

warning  intent-contradiction  src/capabilities.ts:15
  \`users.createNote\` declares the intent \`query\`, but its name starts with \`create\`, which makes it \`mutation\` (POST /users).
  Rename it, or declare \`mutation\` or nothing.

warning  other-noun  src/capabilities.ts:15
  \`users.createNote\` is POST /users: its first word alone makes the route, and \`Note\` is not what \`users\` holds.
  Give it a route of its own: .route('POST', '/users/:id/notes'). Or rename it, or say in the settings that it is meant.

warning  missing-path-field  src/capabilities.ts:11
  \`users.updateUser\` is PATCH /users/:id, but its input has no field \`id\`: the handler never sees it.
  Add \`id: z.string()\` to the input, or give the capability another name or a path of its own.

warning  missing-schema  src/capabilities.ts:12
  \`users.removeUser\` has no input schema, but its path has \`:id\`: it gets raw, unvalidated text.
  Add one: capability(z.object({ id: z.string() }), handler).

5 errors, 4 warnings in 8 capabilities
`);
  expect(stderr).toMatch(/^note: the pages of every site may read this API.*\n$/);
  expect(exitCode).toBe(1);
});

test('check --json gives the findings as one envelope, with the same exit code', async () => {
  const { ask } = await openFixture('flawed');
  const { stdout, exitCode } = await ask(['check', '--json']);
  const { ok, data } = JSON.parse(stdout) as {
    ok: boolean;
    data: { capabilityCount: number; problems: object[] };
  };
  expect({ ok, count: data.capabilityCount, problems: data.problems.length, exitCode }).toEqual({
    ok: true,
    count: 8,
    problems: 9,
    exitCode: 1,
  });
  expect(data.problems[2]).toMatchObject({
    severity: 'error',
    code: 'duplicate-route',
    keys: ['users.listUsers', 'users.findUsers'],
    file: 'src/capabilities.ts',
    line: 10,
  });
});

const declarations: readonly [string, string, readonly string[]][] = [
  ['a handler that takes no input needs no schema', 'logout: cap(() => null)', []],
  [
    'a handler that leaves its input alone needs no schema',
    'logout: cap(async (_input, ctx) => ctx.requestId)',
    [],
  ],
  [
    'a handler that reads its input needs a schema',
    'login: cap((input) => input)',
    ['missing-schema'],
  ],
  ['a path parameter needs a schema', 'cancelOrder: cap(() => null)', ['missing-schema']],
  [
    'a path parameter needs its field',
    'cancelOrder: cap(z.object({ order: id }), () => null)',
    ['missing-path-field'],
  ],
  [
    'a noun of its own is told',
    'addLine: cap(z.object({ orderId: id }), () => null)',
    ['other-noun'],
  ],
  ['a noun of the group is not', 'addUrgentOrder: cap(z.object({ orderId: id }), () => null)', []],
  ['a word that is no noun is not', 'deleteAll: cap(z.object({ id }), () => null)', []],
  [
    'a route of its own is not',
    "addLine: cap(z.object({ id }), () => null).route('POST', '/orders/:id/lines')",
    [],
  ],
  ['a quality behind a reading verb is not', 'listOpen: cap(() => null)', []],
  ['a plural behind a reading verb is', 'listLines: cap(() => null)', ['other-noun']],
  [
    'an intent that the name confirms is no contradiction',
    "createOrder: cap(() => null, 'mutation')",
    [],
  ],
  [
    'an intent against the name is a contradiction',
    "createOrder: cap(() => null, 'query')",
    ['intent-contradiction'],
  ],
  [
    'names that differ in letter case conflict',
    'pay: cap(() => 1), Pay: cap(() => 1)',
    ['duplicate-route', 'naming-conflict'],
  ],
];

test.each(declarations)('%s: %s', async (_, declaration, codes) => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
import { capability } from 'capix';
import * as z from 'zod';
const id = z.string();
const cap = capability;
export const orders = {
  ${declaration},
};
`,
  });
  const { stdout } = await ask(['check', '--json']);
  const { data } = JSON.parse(stdout) as { data: { problems: { code: string }[] } };
  expect(data.problems.map(({ code }) => code)).toEqual(codes);
});

const fields: readonly [schema: string, warnings: readonly string[]][] = [
  ['at: z.date()', ['date in at']],
  ['at: z.date().optional()', ['date in at']],
  ['at: z.date().transform(String)', ['date in at']],
  ['at: z.coerce.date()', []],
  ['at: z.iso.datetime()', []],
  [
    'at: z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })',
    [],
  ],
  ['at: z.codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: String })', []],
  ['at: z.preprocess((text) => new Date(String(text)), z.date())', []],
  ['at: z.date().catch(new Date(0))', []],
  ['at: z.union([z.date(), z.string()])', []],
  ['at: z.union([z.date(), z.undefined()])', ['date in at']],
  ['at: z.date().or(z.bigint()).nullable()', ['date in at']],
  ['at: z.union([z.object({ on: z.date() }), z.object({ on: z.undefined() })])', ['date in at.on']],
  ['size: z.bigint(), big: z.coerce.bigint()', ['bigint in size']],
  ['tags: z.set(z.string()), by: z.map(z.string(), z.date())', ['set in tags', 'map in by']],
  ['orders: z.array(z.object({ at: z.date() }))', ['date in orders[].at']],
  [
    'pair: z.tuple([z.string(), z.symbol()]), days: z.record(z.string(), z.date())',
    ['symbol in pair[]', 'date in days'],
  ],
  ['none: z.undefined(), nan: z.nan()', ['undefined in none', 'nan in nan']],
  ['file: z.file(), own: z.custom(() => true), any: z.unknown()', []],
  ['tree', ['date in tree.at']],
];

test('an input field that JSON cannot say is a warning that names it and what to write instead', async () => {
  const declarations = fields.map(
    ([field], index) => `c${index}: capability(z.object({ ${field} }), () => 1)`,
  );
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      import * as z from 'zod';
      const tree = z.object({ at: z.date(), get inner() { return tree.optional(); } });
      export const all = { ${declarations.join(', ')} };
    `,
  });
  const { stdout } = await ask(['check', '--json']);
  const { data } = JSON.parse(stdout) as {
    data: { problems: Record<'message' | 'code' | 'hint', string>[] };
  };
  const found = fields.map(([field], index) => [
    field,
    data.problems
      .filter(({ message }) => message.startsWith(`\`all.c${index}\` `))
      .map(({ message }) => /takes the type (.*), which/.exec(message)?.[1]?.replaceAll('`', '')),
  ]);
  expect(found).toEqual(fields);
  expect(data.problems[0]).toMatchObject({
    severity: 'warning',
    code: 'unsendable-field',
    message: '`all.c0` takes the type `date` in `at`, which JSON cannot say: nobody can send it.',
    hint: 'Instead: `z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })` makes a date of a date-time text; `z.iso.datetime()` keeps the text.',
  });
});

test('warnings alone pass, and fail with --strict', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      export const orders = { login: capability((input) => input) };
    `,
  });
  expect((await ask(['check'])).exitCode).toBe(0);
  const { stdout, exitCode } = await ask(['check', '--strict']);
  expect(stdout).toContain('0 errors, 1 warning in 1 capability\n');
  expect(exitCode).toBe(1);
});

test('keys that are one name without their dots conflict', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      const done = capability(() => null);
      export const capabilities = { orders: { pay: done }, ordersPay: done };
    `,
  });
  const { stdout, exitCode } = await ask(['check']);
  expect(stdout).toContain('`orders.pay` and `ordersPay` are the same name once the dots are gone');
  expect(exitCode).toBe(1);
});

test('a config file that exports no capability is a warning', async () => {
  const { ask } = await openProject({ 'src/capabilities.ts': 'export const version = 1;' });
  const { stdout } = await ask(['check']);
  expect(stdout).toContain(
    'warning  no-capabilities  src/capabilities.ts\n  src/capabilities.ts exports no capability.',
  );
});

test('a noun that is not the group’s comes with the route that was meant, of the fields that the input has', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
import { capability } from 'capix';
import * as z from 'zod';
const id = z.string();
export const orgs = {
  addMember: capability(z.object({ orgId: id, userId: id }), () => null),
  removeMember: capability(z.object({ id, orgId: id, userId: id }), () => null),
};
`,
  });
  const { data } = JSON.parse((await ask(['check', '--json'])).stdout) as {
    data: { problems: { hint: string }[] };
  };
  const routes = data.problems.map(({ hint }) => /\.route\(.*?\)/.exec(hint)?.[0]);
  expect(routes).toContain(".route('POST', '/orgs/:orgId/members')");
  expect(routes).toContain(".route('DELETE', '/orgs/:orgId/members/:userId')");
});
