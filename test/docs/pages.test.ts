import { execa } from 'execa';
import { expect, it } from 'vitest';
import { cleanEnvironment, packageRoot } from '../helpers/run-capix.ts';

it.each([
  ['docs/commands.md says what the help of the built commands says', 'write-command-docs.mjs'],
  ['docs/contract.md has every test of test/contract, by its name, and no other', 'write-contract-page.mjs'],
])('%s', async (_name, script) => {
  const { exitCode, stderr } = await execa(process.execPath, [`scripts/${script}`, '--check'], {
    cwd: packageRoot,
    env: cleanEnvironment(),
    extendEnv: false,
    reject: false,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});
