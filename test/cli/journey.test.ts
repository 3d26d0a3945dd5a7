import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BackgroundProcess, startInBackground } from '../helpers/background-process.ts';
import { makePackedProject, type PackedProject } from '../helpers/packed-project.ts';
import { cleanEnvironment } from '../helpers/run-capix.ts';

/** The way of a newcomer, in its order: each test goes on where the one before it ended. */
describe('from the packed package to a running, growing API', () => {
  let project: PackedProject;
  let dev: BackgroundProcess;
  let base = '';

  beforeAll(async () => {
    project = await makePackedProject();
  }, 180_000);

  /** Runs a command in the project as its user would. */
  function run(file: string, ...args: readonly string[]) {
    const options = { cwd: project.folder, env: cleanEnvironment(), extendEnv: false, reject: false } as const;
    return execa(file, args, { ...options, preferLocal: true, localDir: project.folder });
  }

  /** Status and body of an answer; the error where there is none. */
  async function get(path: string): Promise<unknown> {
    try {
      const response = await fetch(base + path);
      return [response.status, await response.json()];
    } catch (error) {
      return error;
    }
  }

  test('capix new makes a project that depends on the package at hand', async () => {
    expect(project.created).toContain('Next:\n  cd shop\n  npm run dev\n');
    const { dependencies } = JSON.parse(await readFile(join(project.folder, 'package.json'), 'utf8'));
    expect(dependencies.capix).toBe('file:../tool/node_modules/capix');
  });

  test('the project compiles, has no problems, and passes its tests', async () => {
    expect(await run('npm', 'run', '--silent', 'check')).toMatchObject({ exitCode: 0 });
    expect(await run('npm', 'run', '--silent', 'test')).toMatchObject({ exitCode: 0 });
  });

  test('capix list shows its capabilities', async () => {
    const { stdout } = await run('capix', 'list');
    expect(stdout).toBe(
      [
        'Capabilities (3)',
        '',
        '  items.getItem     GET   /items/:id  public',
        '  items.listItems   GET   /items      public',
        '  items.createItem  POST  /items      public',
      ].join('\n'),
    );
  });

  test('capix dev serves it', async () => {
    dev = startInBackground([process.execPath, project.capix, 'dev'], { cwd: project.folder, env: { PORT: '0' } });
    [, base = ''] = await dev.waitFor(/^\[capix\] Server started on (http:\/\/localhost:\d+)$/m);
    expect(await get('/items')).toEqual([200, { data: [] }]);
    expect(await get('/users/7')).toMatchObject([404, { error: 'NotFound' }]);
  });

  test('an edit is served a moment later', async () => {
    const file = join(project.folder, 'src', 'capabilities', 'items', 'list.ts');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('itemStore.list()', "[...itemStore.list(), { id: '0', name: 'Edited' }]"));
    await expect.poll(() => get('/items'), { timeout: 20_000 }).toEqual([200, { data: [{ id: '0', name: 'Edited' }] }]);
    await dev.waitFor(/^\[capix\] src\/capabilities\/items\/list\.ts changed, reloaded in \d+ ms$/m);
  });

  test('a generated capability answers without another edit', async ({ annotate }) => {
    const generated = await run('capix', 'g', 'capability', 'users', 'getUser', '--input');
    const startedAt = performance.now();
    expect(generated.exitCode).toBe(0);
    await expect.poll(() => get('/users/7'), { timeout: 20_000, interval: 10 }).toEqual([200, { data: { id: '7' } }]);
    await annotate(`GET /users/7 answered ${Math.round(performance.now() - startedAt)} ms after capix generate`);
  });

  test('its check tells of the generated handler until somebody writes it', async () => {
    const { stdout, exitCode } = await run('npm', 'run', '--silent', 'check');
    expect(stdout).toContain('`users.getUser` is as `capix generate` wrote it: it does nothing yet.');
    expect(exitCode).toBe(1);
    const file = join(project.folder, 'src', 'capabilities', 'users', 'get-user.ts');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('return { id }', "return { id, name: 'Ann' }"));
    expect(await run('npm', 'run', '--silent', 'check')).toMatchObject({ exitCode: 0 });
  });

  test('Ctrl-C ends it, and nothing listens any more', async () => {
    expect(await dev.stop('SIGINT')).toEqual({ exitCode: 130 });
    expect(await get('/items')).toBeInstanceOf(TypeError);
  });
});
