import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type GitProject, openGitProject } from '../helpers/git-project.ts';

const users = (fields: string, first = ''): string => `
import { capability } from 'capix';
import { writeFileSync } from 'node:fs';
import * as z from 'zod';
${first}
export const users = { getUser: capability(z.object({ ${fields} }), () => 1).output(z.int()) };
`;

/** A line of code that leaves a trace in the project. */
const LEAVE_TRACE = `writeFileSync(process.env.TRACE, 'it ran');`;

interface Foreign extends GitProject {
  readonly trace: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A project with lock files, and a branch \`stranger\` whose code leaves a trace where it runs. */
async function openForeign(first = LEAVE_TRACE): Promise<Foreign> {
  const project = await openGitProject({ 'src/capabilities.ts': users('id: z.string()') });
  const { capix, git, root, commit } = project;
  await capix(['lock']);
  await commit({});
  await git('checkout', '--quiet', '-b', 'stranger');
  await project.write('src/capabilities.ts', users('id: z.string(), unit: z.string()'));
  await capix(['lock']);
  await capix(['openapi', '--output', 'openapi.json']);
  await commit({
    'src/capabilities.ts': users('id: z.string(), unit: z.string()', first),
    'notes.txt': 'a: [b',
  });
  await git('checkout', '--quiet', 'main');
  const trace = join(root, 'trace.txt');
  return { ...project, trace, env: { TRACE: trace } };
}

const UNIT = 'breaking  `unit` was added, required';

test('a document of a ref is read by git, and nothing of the ref runs', async () => {
  const { capix, trace, env, root, write } = await openForeign();
  for (const file of ['openapi.json', 'capix.lock.json', './capix.lock.json']) {
    const { stdout } = await capix(['diff', 'capix.lock.json', `stranger:${file}`], { env });
    expect(stdout, file).toContain(UNIT);
  }
  await write('docs/read.md', '');
  const inside = await capix(['diff', '../capix.lock.json', 'stranger:capix.lock.json'], {
    env,
    cwd: join(root, 'docs'),
  });
  expect(inside.stdout).toContain(UNIT);
  expect(existsSync(trace)).toBe(false);
  const code = await capix(['diff', 'capix.lock.json', 'stranger:src/capabilities.ts'], { env });
  expect(code.stderr).toContain(
    'stranger:src/capabilities.ts is a file of code: name the folder of its project',
  );
  const broken = await capix(['diff', 'capix.lock.json', 'stranger:notes.txt'], { env });
  expect(broken.stderr).toMatch(/^error: stranger:notes\.txt:1:6: /);
});

test('--no-run compares the lock files of both sides, and runs neither code nor settings', async () => {
  const { capix, trace, env, git, commit, write } = await openForeign();
  const { stdout, exitCode } = await capix(
    ['diff', 'main', 'stranger', '--no-run', '--fail-on', 'breaking'],
    { env },
  );
  expect(stdout).toContain(UNIT);
  expect(exitCode).toBe(1);
  const settings = `require('fs').writeFileSync(process.env.TRACE, ''); module.exports = {};`;
  await write('capix.config.cjs', settings);
  expect(await capix(['diff', 'stranger', '--no-run'], { env })).toMatchObject({
    stdout: expect.stringContaining('risky     `unit`'),
    stderr: expect.stringContaining('note: capix.config.cjs is code, and was not run'),
  });
  expect(existsSync(trace)).toBe(false);
  await git('checkout', '--quiet', '-b', 'unlocked');
  await git('rm', '--quiet', 'capix.lock.json');
  await commit({});
  for (const sides of [['main'], ['main', 'unlocked'], ['unlocked', 'main']])
    expect(await capix(['diff', ...sides, '--no-run'], { env }), sides.join()).toMatchObject({
      stderr: expect.stringMatching(/^error: \S.* has no capix\.lock\.json, and --no-run runs no/),
      exitCode: 1,
    });
});

test('--no-run notes code that changed after the lock file was written, and nothing where none did', async () => {
  const { capix, env, git, commit, write } = await openForeign();
  const diff = async (...sides: string[]): Promise<string> =>
    (await capix(['diff', ...sides, '--no-run'], { env })).stderr;
  expect(await diff('main', 'stranger')).toBe('');
  await commit({ 'src/notes.test.ts': 'export {};', 'README.md': 'Users' });
  expect(await diff('HEAD')).toBe('');
  await commit({ 'src/capabilities.ts': users('id: z.string(), more: z.string()') });
  const stale =
    /^note: capix\.lock\.json of HEAD may be stale: it was written in [0-9a-f]+ of \d{4}-\d\d-\d\d, and code changed after it \(src\/capabilities\.ts\)\. `capix lock --check`, which runs the code, tells\.$/m;
  expect(await diff('HEAD', 'stranger')).toMatch(stale);
  expect(await diff('stranger')).toContain(
    'note: capix.lock.json of the working tree may be stale',
  );
  await capix(['lock']);
  // Whoever has written it is about to commit it.
  expect(await diff('stranger...')).toBe('');
  await git('add', '-A');
  await commit({});
  expect(await diff('HEAD', 'stranger')).toBe('');
  await write('src/capabilities.ts', users('id: z.string()'));
  expect(await diff('HEAD')).toContain('note: capix.lock.json of the working tree may be stale');
});

test('code outside of the history gets no env file and no secret, unless --env gives them', async () => {
  const print =
    'console.log([process.env.DATABASE_URL, process.env.NPM_TOKEN, process.env.REGION].join());';
  const { capix, git, write, commit } = await openForeign(print);
  await commit({ '.env': 'DATABASE_URL=postgres:secret\n' });
  const env = { NPM_TOKEN: 'npm', REGION: 'eu' };
  expect((await capix(['diff', 'stranger'], { env })).stderr).toMatch(/^,,eu\n/);
  expect((await capix(['diff', 'stranger', '--env'], { env })).stderr).toMatch(
    /^postgres:secret,npm,eu\n/,
  );
  // What has been merged has run here.
  await git('merge', '--quiet', '--no-edit', 'stranger');
  await write('src/capabilities.ts', users('id: z.string()'));
  expect((await capix(['diff', 'HEAD'], { env })).stderr).toBe('postgres:secret,npm,eu\n');
});

test('code that cannot do without what it did not get is refused with the names and the way', async () => {
  const first = `if (!process.env.DATABASE_URL) throw new Error('no database');`;
  const { capix, commit } = await openForeign(first);
  await commit({ '.env': 'DATABASE_URL=postgres:secret\n' });
  const { stderr, exitCode } = await capix(['diff', 'stranger'], { env: { NPM_TOKEN: 'npm' } });
  expect(stderr).toContain('no database');
  // The machine that runs the tests may have secrets of its own.
  expect(stderr).toMatch(/got neither env files nor secrets \(DATABASE_URL, [^)]*\): --env/);
  expect(stderr).not.toContain('postgres:secret');
  expect(exitCode).toBe(1);
  expect((await capix(['diff', 'stranger', '--env'])).exitCode).toBe(0);
});
