// Boundary: the project's own code, read by tools. Promise: they need no secret, and say which one a server lacks.
import { expect, test } from 'vitest';
import { openProject } from '../../helpers/fixture-project.ts';

test('commands work where no secret is set, and check warns of the one that a server needs', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
import { capability, defineContext, defineGuard } from 'capix';
import { defineCookie } from 'capix/cookies';
const session = defineCookie('session', { secrets: [process.env.PROJECT_SESSION_KEY] });
export const context = defineContext(({ headers }) => ({ user: session.read(headers) }));
export const users = { getMe: capability((_input, ctx) => ({ name: ctx.user ?? 'nobody' }), 'query') };
`,
  });
  const called = await ask(['call', 'users.getMe', '--header', 'cookie: session=admin']);
  expect(called.stdout).toContain('nobody');
  const { stdout, exitCode } = await ask(['check']);
  expect(stdout).toContain(`warning  missing-secret
  defineCookie session secrets[0]: expected a secret, got undefined. Is a variable of the environment not set?
  A server does not start like this; set the variable where the server runs.
`);
  expect(exitCode).toBe(0);
  const set = { env: { PROJECT_SESSION_KEY: 'a secret of thirty-two characters' } };
  expect((await ask(['check', '--strict'], set)).stdout).toBe('No problems in 1 capability\n');
});
