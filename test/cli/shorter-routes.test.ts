import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

test('check advises where a named route says its group twice, which fails nothing, and show says it too', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability, group } from 'capix';
      import * as z from 'zod';
      const ById = z.object({ id: z.string() });
      export const patients = { importPatients: capability(z.object({}), () => 1), merge: capability(z.object({}), () => 1) };
      export const ticks = { watchTicks: capability(z.object({}), () => 1, 'query') };
      export const apiKeys = { revokeApiKey: capability(ById, () => 1) };
      export const visits = group('/orgs/:orgId', {
        confirmVisit: capability(z.object({ orgId: z.string() }), () => 1),
        bulkVisits: capability(z.object({ orgId: z.string() }), () => 1).route('POST', '/bulk'),
      });`,
  });
  const { stdout, stderr, exitCode } = await ask(['check', '--strict']);
  expect(stderr).toBe(
    [
      "note: `patients.importPatients` is POST /patients/import-patients, which says the group twice. Shorter: .route('POST', '/patients/import')",
      "note: `ticks.watchTicks` is GET /ticks/watch-ticks, which says the group twice. Shorter: .route('GET', '/ticks/watch')",
      "note: `apiKeys.revokeApiKey` is POST /api-keys/revoke-api-key, which says the group twice. Shorter: .route('POST', '/api-keys/:id/revoke')",
      "note: `visits.confirmVisit` is POST /orgs/:orgId/confirm-visit, which says the group twice. Shorter: .route('POST', '/confirm')",
      '',
    ].join('\n'),
  );
  expect([stdout, exitCode]).toEqual(['No problems in 6 capabilities\n', 0]);
  const { data } = JSON.parse((await ask(['check', '--strict', '--json'])).stdout);
  expect(data.problems).toEqual([]);
  expect(data.hints).toHaveLength(4);
  expect(data.hints[0]).toEqual({
    key: 'patients.importPatients',
    message:
      '`patients.importPatients` is POST /patients/import-patients, which says the group twice. Shorter:',
    write: ".route('POST', '/patients/import')",
  });
  const shown = (await ask(['show', 'patients.importPatients'])).stdout;
  expect(shown).toContain(
    [
      'Because    `importPatients` matches no prefix and has the intent `mutation`.',
      "             It says the group twice. Shorter: .route('POST', '/patients/import')",
    ].join('\n'),
  );
  expect((await ask(['show', 'patients.merge'])).stdout).not.toContain('twice');
});
