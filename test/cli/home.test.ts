import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { expectFields } from '../helpers/json-page.ts';
import { scaffold } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

it('the first screen has a text, for screen readers, and data, for a prompt', async () => {
  const cwd = await scaffold();
  const text = /^Capabilities +3 in 1 group, 0 guarded\nProblems +✓ none\nServer +not running\n$/;
  const asked = await askCapix(['--plain'], { cwd });
  expect(asked).toMatchObject({ exitCode: 0, stderr: '' });
  expect(asked.stdout).toMatch(text);
  expect((await askCapix([], { cwd, env: { CAPIX_PLAIN: '1' } })).stdout).toMatch(text);
  const { data } = JSON.parse((await askCapix(['--json'], { cwd })).stdout) as { data: object };
  expectFields('## Commands', 'capix', data);
  expect(data).toEqual({ capabilityCount: 3, errorCount: 0, warningCount: 0, servers: [] });
});

it('says where there is no project, and prints its help where nobody asks for text', async () => {
  const cwd = await temporaryFolder();
  expect(await askCapix(['--plain'], { cwd })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('No capabilities file at src/capabilities.ts.'),
  });
  expect((await askCapix([], { cwd })).stdout).toMatch(/^Usage: capix/);
});

it('prints no escape sequence of a name that others wrote', async () => {
  const cwd = await scaffold();
  const states = join(cwd, 'node_modules', '.cache', 'capix', 'servers');
  await mkdir(states, { recursive: true });
  const state = {
    pid: process.pid,
    urls: ['http://a.test/\u001B[2J'],
    startedAt: 1,
    phase: 'ready',
  };
  await writeFile(join(states, `${process.pid}.json`), JSON.stringify(state));
  const { stdout } = await askCapix(['--plain'], { cwd });
  expect(stdout).toContain('http://a.test/');
  expect(stdout).not.toContain('\u001B');
});
