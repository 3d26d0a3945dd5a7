import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

const flawed = `import { capability } from 'capix';
import * as z from 'zod';

export const users = {
  // Born is a day.
  createUser: capability(z.object({ born: z.date(), name: z.string() }), () => 1),
  deleteUser: capability(z.object({}), () => 1),
  oldUsers: capability(z.object({}), () => 1, 'query').deprecated({ use: 'users.createUsr' }),
  countPosts: capability(z.object({ userId: z.string() }), () => 1).route('GET', '/users/:usrId/posts'),
};
export const restOptions = { overrides: { 'users.creatUser': { method: 'POST', path: '/people' } } };
`;

const mended = `import { capability } from 'capix';
import * as z from 'zod';

export const users = {
  // Born is a day.
  createUser: capability(z.object({ born: z.coerce.date(), name: z.string() }), () => 1),
  deleteUser: capability(z.object({ id: z.string() }), () => 1),
  oldUsers: capability(z.object({}), () => 1, 'query').deprecated({ use: 'users.createUser' }),
  countPosts: capability(z.object({ userId: z.string() }), () => 1).route('GET', '/users/:userId/posts'),
};
export const restOptions = { overrides: { 'users.createUser': { method: 'POST', path: '/people' } } };
`;

test('check --fix mends what is mechanical, says what it changed, and leaves a file alone that changed meanwhile', async () => {
  const { root, capix, write } = await openProject({ 'src/capabilities.ts': flawed });
  const file = join(root, 'src/capabilities.ts');
  const dry = await capix(['check', '--fix', '--dry-run']);
  expect(dry.stdout).toContain(`to fix   unsendable-field  src/capabilities.ts:6
  - createUser: capability(z.object({ born: z.date(), name: z.string() }), () => 1),
  + createUser: capability(z.object({ born: z.coerce.date(), name: z.string() }), () => 1),
`);
  expect(dry.exitCode).toBe(1);
  expect(await readFile(file, 'utf8')).toBe(flawed);

  const inAnHour = new Date(Date.now() + 3_600_000);
  await utimes(file, inAnHour, inAnHour);
  expect((await capix(['check', '--fix'])).stdout).toMatch(
    /^Nothing can be fixed mechanically\.\n\nnot fixed, since its file was changed while it was checked: unknown-override, /,
  );
  expect(await readFile(file, 'utf8')).toBe(flawed);

  await write('src/capabilities.ts', flawed);
  await capix(['lock']);
  await write('capix.lock.json', '{}');
  const { stdout, exitCode } = await capix(['check', '--fix', '--strict', '--json']);
  const { data } = JSON.parse(stdout) as { data: { problems: unknown[]; fixed: { code: string; line?: number }[] } };
  expect(await readFile(file, 'utf8')).toBe(mended);
  expect(data.problems).toEqual([]);
  expect(data.fixed.map(({ code, line }) => `${code} ${line}`)).toEqual([
    'unknown-override 11',
    'unknown-replacement 8',
    'unsendable-field 6',
    'missing-path-field 7',
    'missing-path-field 9',
    'stale-lock undefined',
  ]);
  expect(exitCode).toBe(0);
  expect((await capix(['lock', '--check'])).exitCode).toBe(0);
});
