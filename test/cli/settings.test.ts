import { join } from 'node:path';
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
    'capix.config.ts': `import { type CapixConfig, defineConfig } from 'capix/config';
      console.log('settings are read');
      const config: CapixConfig = { capabilities: 'api/all.js', envFiles: ['local.env'] };
      export default defineConfig(config);`,
  });
  expect((await capix(['call', 'items.getItem', '{"id":"1"}', '--json'])).stdout).toContain(
    'test-drive',
  );
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
      message:
        'capix.config.ts, capabilitys: there is no such setting (did you mean `capabilities`?).',
      hint: 'The page docs/config.md lists the settings.',
    },
  });
  expect(exitCode).toBe(1);
});

it('settings and capabilities of another project are read by one compiler, which is none of where the command runs', async () => {
  const other = await openProject({
    'package.json': '{"type": "module"}',
    'src/all.ts': `import { capability } from 'capix';
      enum Unit { gram = 'g' }
      export const items = { listItems: capability((): Unit[] => [Unit.gram]) };`,
    'capix.config.ts': `enum Level { off = 'off' }
      export default { capabilities: 'src/all.ts', check: { rules: { 'missing-description': Level.off as 'off' } } };`,
  });
  const here = await openProject({
    'node_modules/@swc/core/package.json':
      '{"name": "@swc/core", "version": "0.0.1", "main": "index.js"}',
    'node_modules/@swc/core/index.js': `throw new Error('another compiler');`,
  });
  const config = join(other.root, 'src/all.ts');
  expect(
    await here.capix(['call', 'items.listItems', '--config', config, '--plain']),
  ).toMatchObject({
    stdout: expect.stringContaining('g'),
    stderr: '',
    exitCode: 0,
  });
});
