import { chmod, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { openProject } from '../helpers/fixture-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { installForOthers, otherUsers } from '../helpers/other-users.ts';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Says on stderr where its bundle lies: each folder on the way from the temporary folder, with its owner and mode. */
const capabilitiesOf = (root: string) => `
  import { readdirSync, statSync } from 'node:fs';
  import { join } from 'node:path';
  const folder = process.env.TMPDIR;
  for (const name of readdirSync(folder)) {
    const { uid, mode } = statSync(join(folder, name));
    if (uid === process.getuid()) console.error('folder', name, (mode & 0o777).toString(8));
  }
  import { capability } from '${root}/dist/server-runtime/index.js';
  export const health = { getHealth: capability(() => 'well') };
`;

/** A project that all users can load. `asOther`: how one of them runs capix. */
async function openForAll() {
  const { root, ...asOther } = await installForOthers();
  const project = await openProject({ 'src/capabilities.ts': capabilitiesOf(root) });
  await chmod(project.root, 0o755);
  return { ...project, asOther };
}

/** As `/tmp` is. */
async function sharedTemporaryFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await chmod(folder, 0o1777);
  return folder;
}

describe('without a node_modules that can be written, capix loads a project', () => {
  it.each(otherUsers())('from a folder of this user alone, of which nobody knows the name (user %s)', async (uid) => {
    const temporary = await sharedTemporaryFolder();
    // What an attacker has prepared, or another user has left.
    await mkdir(join(temporary, 'capix'));
    await writeFile(join(temporary, 'capix', 'mine.txt'), 'mine');
    await chmod(join(temporary, 'capix'), 0o777);
    const { root, capix, asOther } = await openForAll();
    await rm(join(root, 'node_modules'), { recursive: true });
    const { stdout, stderr, exitCode } = await capix(['list'], { env: { TMPDIR: temporary }, uid, ...asOther });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('health.getHealth') });
    expect(stderr.split('\n').filter((line) => line !== 'folder capix 777')).toEqual([
      expect.stringMatching(/^folder capix-\w{6} 700$/),
      '',
    ]);
    expect(await readdir(join(temporary, 'capix'))).toEqual(['mine.txt']);
    expect(await readdir(temporary)).toEqual(['capix']);
  });

  it('and leaves nothing where its code ends the process', async () => {
    const temporary = await sharedTemporaryFolder();
    const { root, capix } = await openProject({ 'src/capabilities.ts': 'process.exit(3);' });
    await rm(join(root, 'node_modules'), { recursive: true });
    const { stderr, exitCode } = await capix(['list'], { env: { TMPDIR: temporary } });
    expect(stderr).toContain("The project's code ended the process with exit code 3");
    expect(exitCode).toBe(1);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('and says why where there is no temporary folder either', async () => {
    const { root, capix } = await openProject({ 'src/capabilities.ts': capabilitiesOf(packageRoot) });
    await rm(join(root, 'node_modules'), { recursive: true });
    const { stderr, exitCode } = await capix(['list'], { env: { TMPDIR: join(root, 'nowhere') } });
    expect(stderr).toBe(
      `error: There is no folder for the bundle of the project: no node_modules that you may write in, and none can be made in ${root}/nowhere ` +
        '(ENOENT). Set TMPDIR to a folder that you may write in.\n',
    );
    expect(exitCode).toBe(1);
  });
});

it.each(otherUsers())('a run of root before hinders no other user (user %s)', async (uid) => {
  const temporary = await sharedTemporaryFolder();
  const { root, capix, asOther } = await openForAll();
  expect((await capix(['list'], { env: { TMPDIR: temporary } })).exitCode).toBe(0);
  // What only its owner may write, who is root in one case, and in the other had it taken away.
  await chmod(join(root, 'node_modules', '.capix'), uid === undefined ? 0o555 : 0o755);
  const { stdout, exitCode } = await capix(['list'], { env: { TMPDIR: temporary }, uid, ...asOther });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('health.getHealth') });
  expect(await readdir(temporary)).toEqual([]);
});

describe('what a killed process leaves in node_modules/.capix', () => {
  const hanging = `console.log('hanging'); setInterval(() => {}, 1000); await new Promise(() => {});`;

  it.each([
    [
      'capix dev',
      async (folder: string) => {
        const dev = openDevJson(folder);
        await dev.waitFor('ready');
        dev.kill('SIGINT');
        await dev.ended;
      },
    ],
    ['capix list', (folder: string) => runCapix(['list', '--config', 'src/none.ts'], { cwd: folder })],
  ])('is removed by the next run of %s, and what a living process has is not', async (_, runAgain) => {
    const folder = await devProject({
      'src/text.ts': hanging,
      'src/none.ts': 'export const capabilities = {};',
    });
    const leftovers = join(folder, 'node_modules/.capix');
    const dev = openDevJson(folder);
    await dev.waitFor('output', ({ line }) => line === 'hanging');
    dev.kill('SIGKILL');
    await dev.ended;
    const [left = '', ...others] = await readdir(leftovers);
    expect(left).toMatch(new RegExp(`^${dev.pid}-`));
    expect(others).toEqual([]);
    const living = `${process.pid}-00000000-0000-4000-8000-000000000000.mjs`;
    await writeTree(leftovers, { [living]: '' });
    await utimes(join(leftovers, left), new Date(), new Date(Date.now() - 2_000));
    await utimes(join(leftovers, living), new Date(), new Date(Date.now() - 2_000));
    await writeTree(folder, { 'src/text.ts': textFile('one') });
    await runAgain(folder);
    expect(await readdir(leftovers)).toEqual([living]);
  });
});
