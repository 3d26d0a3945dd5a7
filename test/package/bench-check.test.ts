import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { cleanEnvironment, packageRoot } from '../helpers/run-capix.ts';

const bench = join(packageRoot, 'test', 'bench', 'run.mjs');
const lossy = fileURLToPath(new URL('fixtures/lossy-server.mjs', import.meta.url));

it('fails where requests lose most of their speed, and says in which scenario', async () => {
  const words = [bench, '--check', '--quick', '--no-build', '--server', lossy];
  const options = { cwd: packageRoot, env: cleanEnvironment(), extendEnv: false, reject: false };
  const { stdout, exitCode } = await execa(process.execPath, words, options);
  expect(stdout).toMatch(/^hello .* below 0\.7 of it$/m);
  expect(stdout).toMatch(/^create .* below 0\.7 of it$/m);
  expect(exitCode).toBe(1);
});
