import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

const before = `
import { capability } from 'capix';
import * as z from 'zod';
export const users = {
  getUser: capability(z.object({ id: z.string() }), () => 1),
  updateUser: capability(z.object({ id: z.string(), email: z.string().optional(), 'a|b': z.string() }), () => 1),
};
`;
const after = `
import { capability } from 'capix';
import * as z from 'zod';
export const users = {
  updateUser: capability(z.object({ id: z.string(), email: z.string().default('x'), 'a|b': z.int(), page: z.int().optional() }), () => 1),
  listUsers: capability(z.object({}), () => []),
};
`;

function openTwo(settings?: object) {
  return openProject({
    'before.ts': before,
    'after.ts': after,
    ...(settings === undefined ? {} : { 'capix.json': JSON.stringify(settings) }),
  });
}

const sides = ['diff', 'before.ts', 'after.ts'];

test('every output tells the same changes', async () => {
  const { capix } = await openTwo();
  const run = async (...options: readonly string[]): Promise<string> =>
    (await capix([...sides, ...options])).stdout;
  expect(await run('--semver')).toBe('major\n');
  expect(await run('--markdown')).toBe(`### API contract

**2 breaking, 1 risky, 2 safe**, from \`before.ts\` to \`after.ts\`: a major version.

| | Capability | Change | For | Rule |
|---|---|---|---|---|
| **breaking** | \`users.getUser\`<br>\`GET /users/:id\` | was removed: its route answers 404 or 405 | all | \`capability-removed\` |
| **breaking** | \`users.updateUser\`<br>\`PATCH /users/:id\` | \`a\\|b\` changed from string to integer: values of the old type are refused | all | \`input-type-narrower\` |
| **risky** | \`users.updateUser\`<br>\`PATCH /users/:id\` | \`email\` has the default "x", it was none: callers that leave it out get another response | all | \`input-default-changed\` |

<details><summary>2 safe</summary>

| | Capability | Change | For | Rule |
|---|---|---|---|---|
| safe | \`users.updateUser\`<br>\`PATCH /users/:id\` | \`page\` was added, optional: callers may leave it out | all | \`input-field-added\` |
| safe | \`users.listUsers\`<br>\`GET /users\` | was added: nobody called it before | all | \`capability-added\` |

</details>
`);
  expect((await run('--format', 'github')).split('\n').filter(Boolean)).toEqual([
    expect.stringMatching(
      /^::error file=after\.ts,title=capability-removed%3A users\.getUser::breaking: users\.getUser: was removed/,
    ),
    expect.stringMatching(
      /^::error file=after\.ts,line=5,col=15,title=input-type-narrower%3A users\.updateUser::breaking: /,
    ),
    expect.stringMatching(
      /^::warning file=after\.ts,line=5,col=15,title=input-default-changed%3A users\.updateUser::risky: /,
    ),
    expect.stringMatching(/^::notice file=after\.ts,line=5,col=15,title=input-field-added/),
    expect.stringMatching(
      /^::notice file=after\.ts,line=6,col=14,title=capability-added%3A users\.listUsers::/,
    ),
  ]);
});

test('capix.json gives rules other classes, and ignores changes with a reason', async () => {
  const entry = { rule: 'capability-removed', capability: 'users.get*', reason: 'nobody used it' };
  const { capix } = await openTwo({
    diff: {
      rules: {
        'input-default-changed': 'safe',
        'input-type-narrower': { severity: 'risky', reason: 'beta' },
      },
      ignore: [entry],
    },
  });
  const { stdout, exitCode } = await capix([...sides, '--fail-on', 'breaking']);
  expect(stdout).toContain(
    'Ignored (1)\n\n  users.getUser  was removed (capability-removed): nobody used it\n\n0 breaking, 1 risky, 3 safe',
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Added (1)\n\n  users.listUsers  GET /users\n\n');
});

test('a rule holds for what is added, too', async () => {
  const { capix, write } = await openTwo({ diff: { rules: { 'capability-added': 'risky' } } });
  const { stdout } = await capix(sides);
  expect(stdout).toContain(
    'users.listUsers  GET /users\n    risky     was added: nobody called it before',
  );
  expect(stdout).toMatch(/2 breaking, 2 risky, 1 safe\n$/);
  await write('capix.json', '{ "diff": { "rules": { "capability-added": "off" } } }');
  expect((await capix(sides)).stdout).toContain(
    '  users.listUsers  was added (capability-added): the rule is off',
  );
});

test('a rule that does not exist is refused with its place', async () => {
  const { capix, write } = await openTwo();
  await write('capix.json', '{ "diff": { "rules": { "no-such-rule": "off" } } }');
  const { stderr, exitCode } = await capix(sides);
  expect(stderr).toContain('capix.json, diff.rules.no-such-rule: there is no rule of this id.');
  expect(exitCode).toBe(1);
});
