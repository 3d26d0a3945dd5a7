import { expect, test } from 'vitest';
import { openFixture, openProject } from '../helpers/fixture-project.ts';

test('a project without problems passes, strictly too', async () => {
  const { capix } = await openFixture('shop');
  const passed = { stdout: 'No problems in 4 capabilities\n', stderr: '', exitCode: 0 };
  expect(await capix(['check'])).toEqual(passed);
  expect(await capix(['check', '--strict'])).toEqual(passed);
});

test('check reports errors before warnings, each with place, reason and what to do, and exits with 1', async () => {
  const { capix } = await openFixture('flawed');
  const { stdout, stderr, exitCode } = await capix(['check']);
  expect(stdout).toBe(`error    invalid-override  src/capabilities.ts:13
  The override of \`users.getURL\` has the method "FETCH"; use one of GET, POST, PUT, PATCH, DELETE.

error    unknown-override  src/capabilities.ts
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

error    unguarded  src/capabilities.ts:18
  \`me.secret\` is declared with \`authCap\`, but has no guard: everybody may call it.
  Give the factory its guard: const authCap = capability.withContext<Context>().guard(mustBeUser).

warning  intent-contradiction  src/capabilities.ts:15
  \`users.createNote\` declares the intent \`query\`, but its name starts with \`create\`, which makes it \`mutation\` (POST /users).
  Rename it, or declare \`mutation\` or nothing.

warning  missing-path-field  src/capabilities.ts:11
  \`users.updateUser\` is PATCH /users/:id, but its input has no field \`id\`: the handler never sees it.
  Add \`id: z.string()\` to the input, rename the capability, or give it a path of its own in \`overrides\`.

warning  missing-schema  src/capabilities.ts:12
  \`users.removeUser\` has no input schema, but its path has \`:id\`: it gets raw, unvalidated text.
  Give it one: capability(z.object({ id: z.string() }), handler).

6 errors, 3 warnings in 8 capabilities
`);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
});

test('check --json gives the findings as one envelope, with the same exit code', async () => {
  const { capix } = await openFixture('flawed');
  const { stdout, exitCode } = await capix(['check', '--json']);
  const { ok, data } = JSON.parse(stdout) as { ok: boolean; data: { capabilityCount: number; problems: object[] } };
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
  ['a handler that leaves its input alone needs no schema', 'logout: cap(async (_input, ctx) => ctx.requestId)', []],
  ['a handler that reads its input needs a schema', 'login: cap((input) => input)', ['missing-schema']],
  ['a path parameter needs a schema', 'cancelOrder: cap(() => null)', ['missing-schema']],
  ['a path parameter needs its field', 'cancelOrder: cap(z.object({ order: id }), () => null)', ['missing-path-field']],
  ['a factory called auth… needs a guard', 'me: authCap(() => null)', ['unguarded']],
  ['a guard of the capability will do', 'me: authCap(() => null).guard(guard)', []],
  ['a factory that carries its guard will do', 'me: authGuarded(() => null)', []],
  ['a public factory needs no guard', 'me: cap(() => null)', []],
  ['an intent that the name confirms is no contradiction', "createOrder: cap(() => null, 'mutation')", []],
  ['an intent against the name is a contradiction', "createOrder: cap(() => null, 'query')", ['intent-contradiction']],
  [
    'names that differ in letter case conflict',
    'pay: cap(() => 1), Pay: cap(() => 1)',
    ['duplicate-route', 'naming-conflict'],
  ],
];

test.each(declarations)('%s: %s', async (_, declaration, codes) => {
  const { capix } = await openProject({
    'src/capabilities.ts': `
import { capability, defineGuard } from 'capix';
import * as z from 'zod';
const id = z.string();
const guard = defineGuard(() => {});
const cap = capability;
const authCap = capability.withContext<any>();
const authGuarded = capability.guard(guard);
export const orders = {
  ${declaration},
};
`,
  });
  const { stdout } = await capix(['check', '--json']);
  const { data } = JSON.parse(stdout) as { data: { problems: { code: string }[] } };
  expect(data.problems.map(({ code }) => code)).toEqual(codes);
});

test('warnings alone pass, and fail with --strict', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      export const orders = { login: capability((input) => input) };
    `,
  });
  expect((await capix(['check'])).exitCode).toBe(0);
  const { stdout, exitCode } = await capix(['check', '--strict']);
  expect(stdout).toContain('0 errors, 1 warning in 1 capability\n');
  expect(exitCode).toBe(1);
});

test('keys that are one name without their dots conflict', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      const done = capability(() => null);
      export const capabilities = { orders: { pay: done }, ordersPay: done };
    `,
  });
  const { stdout, exitCode } = await capix(['check']);
  expect(stdout).toContain('`orders.pay` and `ordersPay` are the same name once the dots are gone');
  expect(exitCode).toBe(1);
});

test('a config file that exports no capability is a warning', async () => {
  const { capix } = await openProject({ 'src/capabilities.ts': 'export const version = 1;' });
  const { stdout } = await capix(['check']);
  expect(stdout).toContain(
    'warning  no-capabilities  src/capabilities.ts\n  src/capabilities.ts exports no capability.',
  );
});
