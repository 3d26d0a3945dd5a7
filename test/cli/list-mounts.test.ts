import { expect, it } from 'vitest';
import { type FixtureProject, openProject } from '../helpers/fixture-project.ts';

/** A project whose `restOptions` mount a handler at `/auth`, with these capabilities of a group `sessions`. */
async function open(more: string, options = `prefix: '/api', mounts: { '/auth': handler }`) {
  return openProject({
    'src/capabilities.ts': `
import * as z from 'zod';
import { capability } from 'capix';
const handler = () => new Response('auth');
export const restOptions = { ${options} };
export const capabilities = {
  items: { listItems: capability(() => []) },
  sessions: { ${more} },
};
`,
  });
}

interface CheckData {
  readonly problems: readonly { readonly code: string; readonly keys: readonly string[] }[];
}
async function check({ ask }: FixtureProject): Promise<CheckData & { readonly exitCode: unknown }> {
  const { stdout, exitCode } = await ask(['check', '--json']);
  return { ...(JSON.parse(stdout) as { readonly data: CheckData }).data, exitCode };
}

it('list names what is mounted, with its prefix, and documents say nothing of it', async () => {
  const project = await open('listSessions: capability(() => [])');
  expect((await project.ask(['list'])).stdout).toBe(
    [
      'Capabilities (2)',
      '',
      '  items.listItems        GET  /api/items     public',
      '  sessions.listSessions  GET  /api/sessions  public',
      '',
      'Mounts (1)',
      '',
      '  /api/auth/*',
      '',
    ].join('\n'),
  );
  const { stdout } = await project.ask(['list', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ data: { mounts: ['/api/auth'] } });
  expect(await check(project)).toMatchObject({ problems: [], exitCode: 0 });
  const document = (await project.ask(['openapi'])).stdout;
  expect(document).toContain('/api/sessions');
  expect(document).not.toContain('/api/auth');
});

it('check finds each route that is at the path of what is mounted, or below it', async () => {
  const project = await open(
    `signIn: capability.route('POST', '/auth/sign-in')(() => null),
     signOut: capability.route('POST', '/sign-out').route('GET', '/auth')(() => null, 'query'),
     authorize: capability.route('POST', '/authorize')(() => null),`,
  );
  const { problems, exitCode } = await check(project);
  expect(problems).toMatchObject([
    {
      code: 'mounted-route',
      severity: 'error',
      keys: ['sessions.signIn'],
      message:
        '`sessions.signIn` is POST /api/auth/sign-in, which the handler that is mounted at /api/auth would answer.',
      file: 'src/capabilities.ts',
    },
    { code: 'mounted-route', keys: ['sessions.signOut'] },
  ]);
  expect(exitCode).toBe(1);
});

it('the tool refuses mounts that no server takes', async () => {
  const project = await open(
    'listSessions: capability(() => [])',
    `mounts: { '/auth': 'handler' }`,
  );
  const { stderr, exitCode } = await project.ask(['list']);
  expect(stderr).toContain(
    '`restOptions` mounts: /auth takes a function of a Request, got string.',
  );
  expect(exitCode).toBe(1);
});
