import { expect, it } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

const capabilities = `import { capability } from 'capix';
import * as z from 'zod';
export const items = {
  getItem: capability(z.object({ id: z.string() }), ({ id }) => ({ id, mode: process.env.DRIVE })),
};`;

it('every command finds the project as capix.config.ts says, and refuses a setting that does not exist', async () => {
  const { capix, write } = await openProject({
    'api/all.js': capabilities,
    'local.env': 'DRIVE=test-drive',
    'capix.config.ts': `import { type CapixConfig, defineConfig } from 'capix';
      console.log('settings are read');
      const config: CapixConfig = { capabilities: 'api/all.js', envFiles: ['local.env'] };
      export default defineConfig(config);`,
  });
  expect((await capix(['call', 'items.getItem', '{"id":"1"}', '--json'])).stdout).toContain('test-drive');
  expect(await capix(['list'])).toMatchObject({
    stdout: expect.stringMatching(/^Capabilities \(1\)\n\n {2}items\.getItem/),
    stderr: 'settings are read\n',
    exitCode: 0,
  });
  await write('capix.json', '{ "capabilitys": "api/all.js" }');
  const { stdout, exitCode } = await capix(['check', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    error: {
      code: 'InvalidSettings',
      message: 'capix.json, capabilitys: there is no such setting (did you mean `capabilities`?).',
      hint: 'The page docs/config.md lists the settings.',
    },
  });
  expect(exitCode).toBe(1);
});

it('-w runs a command in a package of the workspace, also before the command', async () => {
  const { capix } = await openProject({
    'pnpm-workspace.yaml': 'packages: [apps/*]\n',
    'apps/a/package.json': '{ "name": "@acme/a", "type": "module" }',
    'apps/a/src/capabilities.js': capabilities,
    'apps/b/package.json': '{ "name": "@acme/b", "type": "module" }',
    'apps/b/src/capabilities.js': capabilities.replaceAll('items', 'things'),
  });
  expect((await capix(['list', '-w', 'b'])).stdout).toContain('things.getItem');
  const { stdout, exitCode } = await capix(['-w', 'c', 'list', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'Usage', hint: 'It has @acme/a, @acme/b.' } });
  expect(exitCode).toBe(2);
  const chosen = await capix(['check']);
  expect(chosen.stderr).toContain(
    'The workspace has 2 projects: @acme/a (apps/a), @acme/b (apps/b).\nChoose one with -w',
  );
});
