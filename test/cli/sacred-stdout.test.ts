import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type FixtureProject, openProject } from '../helpers/fixture-project.ts';
import { cleanEnvironment, cliEntry } from '../helpers/run-capix.ts';

/** Code that writes to descriptor 1 in each way that does not pass `process.stdout`, at import and in a handler. */
const loud = `
import { execSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { capability } from 'capix';
import * as z from 'zod';
const shout = (word) => {
  writeSync(1, word + '-FD1 ');
  execSync('echo ' + word + '-CHILD', { stdio: 'inherit' });
};
shout('IMPORT');
await new Promise((resolve) =>
  new Worker("require('node:fs').writeSync(1, 'WORKER-FD1 ')", { eval: true }).once('exit', resolve));
export const a = {
  getItem: capability(z.object({ id: z.string() }), ({ id }) => { shout('HANDLER'); return id; })
    .output(z.string()).describe('Gives an item'),
};
`;

const open = (): Promise<FixtureProject> => openProject({ 'src/capabilities.ts': loud });

const isJson = (text: string): boolean => JSON.parse(text) !== undefined;
const begins =
  (start: string) =>
  (text: string): boolean =>
    text.startsWith(start);

const commands: readonly (readonly [
  words: readonly string[],
  fits: (stdout: string) => boolean,
])[] = [
  [['list', '--json'], isJson],
  [['show', 'a.getItem'], begins('a.getItem')],
  [['check'], begins('No problems in 1 capability')],
  [['openapi'], isJson],
  [['ai-context'], isJson],
  [['docs'], begins('# ')],
  [['client'], begins('// ')],
  [['call', 'a.getItem', '{"id":"1"}', '--json'], isJson],
  [['diff', 'src/capabilities.ts'], begins('No ')],
  [['lock'], begins('capix.lock.json')],
  [['generate', 'capability', 'b', 'getThing', '--dry-run', '--json'], isJson],
  [['mcp', '--list', '--json'], isJson],
];

it('nothing but what the command itself writes reaches stdout, text or data, also where that is a socket, whatever the code does with file descriptor 1', async () => {
  const { capix } = await open();
  const run = async ([words, fits]: (typeof commands)[number]) => ({
    words,
    fits,
    ...(await capix(words, { through: 'sockets' })),
  });
  const told = await Promise.all(commands.map(run));
  for (const { words, fits, stdout, stderr } of told) {
    expect(stdout, words.join(' ')).toSatisfy(fits);
    expect(stdout).not.toContain('IMPORT');
    expect(stderr).toMatch(/IMPORT-FD1 IMPORT-CHILD\n[^]*WORKER-FD1/);
  }
  expect(told.find(({ words }) => words[0] === 'call')?.stderr).toContain(
    'HANDLER-FD1 HANDLER-CHILD\n',
  );
});

it('completion writes candidates alone, and runs no code of the project for them', async () => {
  const { capix } = await open();
  await capix(['check']);
  const { stdout, stderr, exitCode } = await capix(['completion', 'words'], {
    input: 'call\na.\n',
    through: 'sockets',
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^a\.getItem\t[^\n]*\n$/);
});

/** Runs a script that knows the command as `$0 $1`. */
const inShell = async (script: string, cwd: string): Promise<string> =>
  (
    await promisify(execFile)('sh', ['-c', script, process.execPath, cliEntry], {
      cwd,
      env: cleanEnvironment(),
    })
  ).stdout;

it('the same holds in a pipe, also when its reader goes away, and in a file, which keeps what others write to it', async () => {
  const { root } = await open();
  const [whole, start, written] = await Promise.all([
    inShell('"$0" "$1" list --json 2>noise | cat', root),
    inShell('"$0" "$1" list --json 2>/dev/null | head -c 3', root),
    inShell(
      '(echo before; "$0" "$1" call a.getItem --id 7; echo after) >out 2>/dev/null; cat out',
      root,
    ),
  ]);
  expect(whole).toSatisfy(isJson);
  expect(await readFile(join(root, 'noise'), 'utf8')).toContain('IMPORT-FD1 IMPORT-CHILD');
  expect([start, written]).toEqual(['{\n ', 'before\n"7"\nafter\n']);
});
