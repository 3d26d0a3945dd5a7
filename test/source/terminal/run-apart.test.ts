import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { cleanEnvironment, packageRoot } from '../../helpers/run-capix.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** Runs itself apart; the process apart says what it gets, and ends by itself at the second SIGINT. */
const command = `
import { writeSync } from 'node:fs';
import { runApart } from './source/terminal/keep-stdout.ts';
if (process.env.CAPIX_STDOUT === undefined) void runApart(process.argv);
else {
  const data = Number(process.env.CAPIX_STDOUT);
  let count = 0;
  process.on('SIGINT', () => {
    count += 1;
    writeSync(data, 'SIGINT ' + count + '\\n');
    if (count === 2) process.exit(7);
  });
  setInterval(() => {}, 1_000);
  writeSync(1, 'to descriptor 1');
  writeSync(data, process.argv.slice(2).join(' ') + '\\n');
}
`;

it('gives the process apart stdout as its own descriptor, each SIGINT of a program once, and ends as it does', async () => {
  const file = join(await temporaryFolder(), 'command.mjs');
  const { outputFiles } = await build({
    stdin: { contents: command, resolveDir: packageRoot, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  await writeFile(file, outputFiles[0]?.text ?? '');
  const child = execa(process.execPath, [file, 'list', '--json'], {
    env: cleanEnvironment(),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
  });
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  const { stdout, stderr, exitCode } = await child;
  expect(stdout).toBe('list --json\nSIGINT 1\nSIGINT 2');
  expect(stderr).toBe('to descriptor 1');
  expect(exitCode).toBe(7);
});
