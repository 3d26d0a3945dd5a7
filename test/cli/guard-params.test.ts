import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

const capabilitiesOf = (factory: string, members = '') => `
  import { capability, defaultErrors, defineGuard, group } from 'capix';
  import * as z from 'zod';
  const { Forbidden, NotFound } = defaultErrors;
  const mustBeMember = defineGuard((_ctx: object, { params }) => ({ role: params.orgId }), {
    name: 'mustBeMember', params: ['orgId'], errors: [NotFound],
  });
  const mustBeAdmin = defineGuard((_ctx: { role: string }) => {}, { name: 'mustBeAdmin', errors: [Forbidden] });
  const memberCap = capability.guard(mustBeMember).input(z.object({ orgId: z.string() }));
  const adminCap = memberCap.guard(mustBeAdmin);
  const createKey = ${factory}(z.object({}), () => null);
  export const orgs = group('/orgs/:orgId', { createKey });
  ${members}
`;

test('membership and roles are guards that list, show and diff see', async () => {
  const project = await openProject({
    'src/capabilities.ts': capabilitiesOf('adminCap'),
    'before/capabilities.ts': capabilitiesOf('memberCap'),
  });
  expect((await project.ask(['list'])).stdout).toMatch(/createKey +POST +\/orgs\/:orgId +2 guards/);
  const { stdout: shown } = await project.ask(['show', 'orgs.createKey']);
  expect(shown).toContain(
    [
      '  Guards     mustBeMember (reads :orgId; 404 NotFound)',
      '             mustBeAdmin (403 Forbidden)',
    ].join('\n'),
  );
  const weaker = await project.ask(['diff', 'src/capabilities.ts', 'before/capabilities.ts']);
  expect(weaker.stdout).toContain('guard `mustBeAdmin` was removed');
  const stricter = await project.ask(['diff', 'before/capabilities.ts', 'src/capabilities.ts']);
  expect(stricter.stdout).toContain('guard `mustBeAdmin` was added');
});

test('check names a route and an override that lack the parameter, and an input without the field', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': capabilitiesOf(
      'memberCap',
      `export const notes = {
        getNote: memberCap(z.object({ id: z.string() }), () => null),
        getOne: (capability.guard(mustBeMember) as any)(z.object({ id: z.string() }), () => null).route('GET', '/x/:orgId'),
      };
      export const restOptions = { overrides: { 'orgs.createKey': { method: 'POST', path: '/keys' } } };`,
    ),
  });
  const { stdout, exitCode } = await ask(['check', '--json']);
  const { data } = JSON.parse(stdout) as {
    readonly data: {
      readonly problems: readonly { code: string; message: string; hint: string }[];
    };
  };
  const found = data.problems.filter(({ code }) => /missing-param|invalid-enhancer/.test(code));
  expect(found).toMatchObject([
    {
      code: 'missing-param',
      message:
        '`orgs.createKey` is POST /keys, and its guard `mustBeMember` reads the parameter `:orgId`.',
      hint: "Give the route that parameter: group('/…/:orgId', …) around it, or .route('POST', '/…/:orgId').",
    },
    { code: 'missing-param', message: expect.stringContaining('`notes.getNote`') as string },
    {
      code: 'invalid-enhancer',
      message:
        'The guard mustBeMember of `notes.getOne` reads `orgId`, and the input has no such field.',
      hint: 'Add it: .input(z.object({ orgId: z.string() })).',
    },
  ]);
  expect(exitCode).toBe(1);
});
