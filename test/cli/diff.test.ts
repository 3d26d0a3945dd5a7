import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

const before = `
import { capability, defineGuard, withTimeout } from 'capix';
import * as z from 'zod';
const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser' });
export const users = {
  getUser: capability(z.object({ id: z.string() }), () => 1),
  listUsers: capability(() => []),
  updateUser: capability(z.object({ id: z.string(), email: z.string().optional() }), () => 1),
  ban: capability(() => 1).guard(mustBeUser),
  report: capability(() => 1),
};
`;

const after = `
import { capability, defineGuard, withTimeout } from 'capix';
import * as z from 'zod';
const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser' });
export const users = {
  fetchUser: capability(z.object({ id: z.string() }), () => 1),
  findUsers: capability(() => []),
  updateUser: capability(z.object({ id: z.string(), email: z.string(), name: z.string().optional() }), () => 1),
  ban: capability(() => 1),
  report: capability(() => 1, 'query').guard(mustBeUser).enhance(withTimeout(1000)).tool(false),
};
export const restOptions = { overrides: { 'users.fetchUser': { method: 'GET', path: '/users/one' } } };
`;

async function openTwo(
  files: Readonly<Record<string, string>> = { 'before.ts': before, 'after.ts': after },
) {
  return openProject(files);
}

test('diff tells what was added, removed and changed, how bad it is, why and for whom', async () => {
  const { ask } = await openTwo();
  const { stdout, stderr, exitCode } = await ask(['diff', 'before.ts', 'after.ts']);
  expect(stdout).toBe(`Added (2)

  users.fetchUser  GET /users/one
  users.findUsers  GET /users

Removed (2)

  users.getUser    GET /users/:id
    breaking  was removed: its route answers 404 or 405 (HTTP callers, typed client, agents)
  users.listUsers  GET /users
    breaking  was removed; \`users.findUsers\` has its route: clients and agents know it by its key (typed client, agents)

Changed (3)

  users.updateUser  PATCH /users/:id
    breaking  \`email\` became required: callers that leave it out are refused (HTTP callers, typed client, agents)
    safe      \`name\` was added, optional: callers may leave it out (HTTP callers, typed client, agents)
  users.ban         POST /users/ban
    risky     guard \`mustBeUser\` was removed: it is open to more callers (HTTP callers, typed client, agents)
  users.report      GET /users/report
    breaking  route changed from POST /users/report to GET /users/report: requests to the old route are not answered (HTTP callers, typed client)
    breaking  guard \`mustBeUser\` was added: some calls may be refused (HTTP callers, typed client, agents)
    breaking  the tool is hidden, it was shown: agents know it by name (agents)
    risky     timeout is 1000 ms, it was 30000 ms: slow calls that were answered may end in 504 (HTTP callers, typed client, agents)
    risky     intent is \`query\`, it was \`mutation\`: agents decide by it whether a call needs consent (agents)

6 breaking, 3 risky, 3 safe
`);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
});

test('an error that is declared anew is risky and one less is safe; those of a guard are said with the guard', async () => {
  const declare = (drop: string): string => `
    import { capability, defaultErrors, defineGuard, withRateLimit } from 'capix';
    const { Conflict, Forbidden, NotFound, Unauthorized } = defaultErrors;
    const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser', errors: [Unauthorized] });
    const mustBeAdmin = defineGuard(() => {}, { name: 'mustBeAdmin', errors: [Unauthorized, Forbidden] });
    export const items = { drop: capability(() => 1)${drop} };
  `;
  const { ask } = await openTwo({
    'before.ts': declare('.guard(mustBeUser).errors(NotFound)'),
    'after.ts': declare(
      '.guard(mustBeAdmin).errors(Conflict).enhance(withRateLimit({ limit: 5, windowMs: 1000 }))',
    ),
  });
  expect((await ask(['diff', 'before.ts', 'after.ts'])).stdout).toBe(`Changed (1)

  items.drop  POST /items/drop
    risky     guard \`mustBeAdmin\` was added: some calls may be refused (HTTP callers, typed client, agents)
    risky     guard \`mustBeUser\` was removed: it is open to more callers (HTTP callers, typed client, agents)
    risky     error \`409 Conflict\` was added: callers may get an error that they are not ready for (HTTP callers, typed client, agents)
    risky     error \`429 TooManyRequests\` was added: callers may get an error that they are not ready for (HTTP callers, typed client, agents)
    risky     error \`404 NotFound\` was removed: code of typed clients that handles it does not compile (typed client)

0 breaking, 5 risky, 0 safe
`);
});

test('the same contract has no differences, wherever it is declared', async () => {
  const { ask } = await openTwo({ 'before.ts': before, 'lib/other.ts': `// moved\n\n${before}` });
  expect(await ask(['diff', 'before.ts', 'lib/other.ts', '--fail-on', 'risky'])).toEqual({
    stdout: 'No differences\n',
    stderr: '',
    exitCode: 0,
  });
});

test.each([
  ['breaking', { 'before.ts': before, 'after.ts': after }, 1],
  ['risky', { 'before.ts': before, 'after.ts': after }, 1],
  ['breaking', { 'before.ts': before, 'after.ts': before.replace('.guard(mustBeUser)', '') }, 0],
  ['risky', { 'before.ts': before, 'after.ts': before.replace('.guard(mustBeUser)', '') }, 1],
  [
    'risky',
    {
      'before.ts': before,
      'after.ts': before.replace('report:', 'more: capability(() => 1), report:'),
    },
    0,
  ],
  ['open', { 'before.ts': before, 'after.ts': before.replace('.guard(mustBeUser)', '') }, 1],
  [
    'open',
    { 'before.ts': before, 'after.ts': before.replace('report: capability(() => 1),', '') },
    0,
  ],
  [
    'open',
    {
      'before.ts': before,
      'after.ts': before.replace("'mustBeUser' }", "'mustBeAnybody' }"),
    },
    1,
  ],
])('--fail-on %s of %# exits with what it should', async (failOn, files, exitCode) => {
  const { ask } = await openTwo(files);
  expect((await ask(['diff', 'before.ts', 'after.ts', '--fail-on', failOn])).exitCode).toBe(
    exitCode,
  );
});

test('diff --json gives the differences as one envelope', async () => {
  const { ask } = await openTwo();
  const { stdout } = await ask(['diff', 'before.ts', 'after.ts', '--json']);
  const { data } = JSON.parse(stdout) as {
    data: { class: string; changed: { key: string; changes: object[] }[] };
  };
  expect(data.class).toBe('breaking');
  expect(data.changed[0]?.key).toBe('users.updateUser');
  expect(data.changed[0]?.changes[0]).toEqual({
    rule: 'input-field-required',
    class: 'breaking',
    at: 'input.email',
    message: '`email` became required',
    reason: 'callers that leave it out are refused',
    audience: ['http', 'client', 'agents'],
    before: 'optional',
    after: 'required',
  });
});

test.each([
  [['diff', 'before.ts'], 'No capabilities file at src/capabilities.ts.', 1],
  [['diff', 'before.ts', 'after.ts', '--fail-on', 'safe'], '--fail-on', 2],
  [['diff', 'before.ts', 'gone.ts'], 'gone.ts is neither a file, a URL nor a git ref.', 1],
])('%j is refused with its reason', async (args, reason, exitCode) => {
  const { ask } = await openTwo();
  const result = await ask(args);
  expect(result.stderr).toContain(reason);
  expect(result.exitCode).toBe(exitCode);
});
