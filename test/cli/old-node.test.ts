import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { transform } from 'esbuild';
import { expect, it } from 'vitest';
import { cliEntry, packageRoot, runCapix } from '../helpers/run-capix.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Runs the tool in a Node that says it is another version. */
async function runAs(version: string, args: readonly string[]) {
  const disguise = join(await temporaryFolder(), 'disguise.mjs');
  await writeFile(
    disguise,
    `Object.defineProperty(process.versions, 'node', { value: '${version}' });`,
  );
  return runCapix(args, { env: { NODE_OPTIONS: `--import=${disguise}` } });
}

it.each(['18.20.8', '20.18.3', '20.9.0', '12.22.12'])(
  'Node %s is told that it is too old, in one line',
  async (version) => {
    expect(await runAs(version, ['list'])).toEqual({
      stdout: '',
      stderr: `error: capix needs Node 20.19 or newer. This is Node ${version}, ${process.execPath}\n`,
      exitCode: 1,
    });
  },
);

it('with --json that is one document', async () => {
  const { stdout, stderr, exitCode } = await runAs('18.20.8', ['list', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    error: {
      code: 'OldNode',
      message: expect.stringContaining('capix needs Node 20.19 or newer.'),
    },
  });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
});

it.each(['20.19.0', '21.0.0', '22.1.0', '100.0.0'])('Node %s is not', async (version) => {
  expect(await runAs(version, ['--version'])).toMatchObject({ stderr: '', exitCode: 0 });
});

it('the oldest version is that of package.json', async () => {
  const { engines } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  expect(engines.node).toBe('>=20.19.0');
});

it('the entry can be read by a Node that knows neither modules nor any syntax after ES2015', async () => {
  const text = (await readFile(cliEntry, 'utf8')).replace(/^#!.*/, '');
  // As CommonJS, which is what a Node without modules takes it for.
  expect(() => new Script(text)).not.toThrow();
  const [asOld, asIs] = await Promise.all(
    ['es2015', 'esnext'].map((target) =>
      transform(text, { target, supported: { 'dynamic-import': true } }),
    ),
  );
  expect(asOld?.code).toBe(asIs?.code);
});
