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
  await write('capix.config.ts', 'export default { capabilitys: "api/all.js" }');
  const { stdout, exitCode } = await capix(['check', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    error: {
      code: 'InvalidSettings',
      message: 'capix.config.ts, capabilitys: there is no such setting (did you mean `capabilities`?).',
      hint: 'The page docs/config.md lists the settings.',
    },
  });
  expect(exitCode).toBe(1);
});
