import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capix-start-'));
  // A project of somebody else, and broken.
  await writeFile(join(folder, 'package.json'), '{ "name": "Not A Name", "version": ');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('capix', () => {
  it.each(['--version', '-v'])('answers %s with its own version, wherever it is', async (flag) => {
    const { version } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
    expect(await runCapix([flag], { cwd: folder })).toEqual({
      stdout: `${version}\n`,
      stderr: '',
      exitCode: 0,
    });
  });

  it.each([[['--help']], [['-h']], [['help']], [[]]])(
    'prints its help on stdout for %j',
    async (words) => {
      const { stdout, stderr, exitCode } = await runCapix(words, { cwd: folder });
      expect(stdout).toMatch(/^Usage: capix \[options\]/);
      expect(stdout).not.toContain('\u001B');
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    },
  );

  it('refuses an unknown command with exit code 2', async () => {
    const { stdout, stderr, exitCode } = await runCapix(['no-such-command'], { cwd: folder });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^error: /);
  });
});
