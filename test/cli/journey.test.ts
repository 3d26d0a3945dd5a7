import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BackgroundProcess, startInBackground } from '../helpers/background-process.ts';
import { makePackedProject, npm, type PackedProject } from '../helpers/packed-project.ts';
import { cleanEnvironment, packageRoot, runCapix } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** The way of a newcomer, in its order: each test goes on where the one before it ended. */
describe('from the packed package to a running, growing API', () => {
  let project: PackedProject;
  let dev: BackgroundProcess;
  let base = '';

  beforeAll(async () => {
    project = await makePackedProject();
  });

  /** Runs a command in the project as its user would. */
  function run(file: string, ...args: readonly string[]) {
    const options = {
      cwd: project.folder,
      env: cleanEnvironment(),
      extendEnv: false,
      reject: false,
    } as const;
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

  test('npm create capix makes a project that depends on the package at hand', async () => {
    expect(project.created).toContain('Next:\n  cd shop\n  npm run dev\n');
    const { dependencies } = JSON.parse(
      await readFile(join(project.folder, 'package.json'), 'utf8'),
    );
    expect(dependencies.capix).toBe('file:../tool/node_modules/capix');
    const [capix, starter] = await Promise.all(
      ['package.json', 'create-capix/package.json'].map(async (file) =>
        JSON.parse(await readFile(join(packageRoot, file), 'utf8')),
      ),
    );
    expect([starter.version, starter.dependencies]).toEqual([
      capix.version,
      { capix: capix.version },
    ]);
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

  test('in production a REST server is two packages and at most 16 MB', async ({ annotate }) => {
    const folder = join(project.folder, '..', 'production');
    await cp(join(project.folder, 'dist'), join(folder, 'dist'), { recursive: true });
    const own = JSON.parse(await readFile(join(project.folder, 'package.json'), 'utf8'));
    own.dependencies.capix = `file:${project.tarball}`;
    await writeFile(join(folder, 'package.json'), JSON.stringify(own));
    await npm(['install', '--package-lock-only', '--no-audit'], folder);
    await npm(['ci', '--omit=dev', '--no-audit'], folder);

    const { packages } = JSON.parse(
      await readFile(join(folder, 'node_modules', '.package-lock.json'), 'utf8'),
    );
    const bytes = await sizeOf(join(folder, 'node_modules'));
    await annotate(`${Object.keys(packages).length} packages, ${(bytes / 1e6).toFixed(1)} MB`);
    expect(Object.keys(packages)).toEqual(['node_modules/capix', 'node_modules/zod']);
    expect(bytes).toBeLessThanOrEqual(16_000_000);

    const env = { NODE_ENV: 'production', PORT: '0' };
    const server = startInBackground([process.execPath, 'dist/server.js'], { cwd: folder, env });
    [, base = ''] = await server.waitFor(/^\[capix\] Server started on (http:\/\/localhost:\d+)\n/);
    expect(await get('/items')).toEqual([200, { data: [] }]);
    expect(await server.stop('SIGTERM')).toEqual({ exitCode: 0 });
  });

  test('a command whose package is missing says which one, and how to get it', async () => {
    const cwd = join(project.folder, '..', 'bare');
    await writeTree(cwd, {
      'package.json': '{}',
      'src/capabilities.ts': 'enum Kind { One }\nexport const capabilities = {};\n',
    });
    const { stderr, exitCode } = await runCapix(['list'], { cwd, entry: project.capix });
    // Node before 22.18 reads no TypeScript without it, and later ones read no enum.
    expect(stderr).toContain('npm install --save-dev @swc/core');
    expect(exitCode).toBe(1);
    const mcp = await runCapix(['mcp'], { cwd, entry: project.capix });
    expect(mcp.stderr).toBe(
      'error: Packages are missing, which capix speaks MCP through. `npm install --save-dev @modelcontextprotocol/server` installs them.\n',
    );
  });

  test('capix dev serves it', async () => {
    dev = startInBackground([process.execPath, project.capix, 'dev'], {
      cwd: project.folder,
      env: { PORT: '0' },
    });
    [, base = ''] = await dev.waitFor(/^\[capix\] Server started on (http:\/\/localhost:\d+)$/m);
    expect(await get('/items')).toEqual([200, { data: [] }]);
    expect(await get('/users/7')).toMatchObject([404, { error: 'NotFound' }]);
  });

  test('an edit is served a moment later', async () => {
    const file = join(project.folder, 'src', 'capabilities', 'items', 'list.ts');
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replace('itemStore.list()', "[...itemStore.list(), { id: '0', name: 'Edited' }]"),
    );
    await expect.poll(() => get('/items')).toEqual([200, { data: [{ id: '0', name: 'Edited' }] }]);
    await dev.waitFor(
      /^\[capix\] src\/capabilities\/items\/list\.ts changed, reloaded in \d+ ms$/m,
    );
  });

  test('a generated capability answers without another edit', async ({ annotate }) => {
    const generated = await run('capix', 'g', 'capability', 'users', 'getUser', '--input');
    const startedAt = performance.now();
    expect(generated.exitCode).toBe(0);
    await expect
      .poll(() => get('/users/7'), { interval: 10 })
      .toEqual([200, { data: { id: '7' } }]);
    await annotate(
      `GET /users/7 answered ${Math.round(performance.now() - startedAt)} ms after capix generate`,
    );
  });

  test('its check tells that the generated capability does not say its answer, until somebody writes that', async () => {
    const { stdout, exitCode } = await run('npm', 'run', '--silent', 'check');
    expect(stdout).toContain('`users.getUser` does not say what it answers with');
    expect(exitCode).toBe(1);
    const file = join(project.folder, 'src', 'capabilities', 'users', 'get-user.ts');
    const text = await readFile(file, 'utf8');
    const written = text.replace('return { id }', "return { id, name: 'Ann' }");
    await writeFile(
      file,
      written.replace('});\n', '}).output(z.object({ id: z.string(), name: z.string() }));\n'),
    );
    expect(await run('npm', 'run', '--silent', 'check')).toMatchObject({ exitCode: 0 });
  });

  test('Ctrl-C ends it, and nothing listens any more', async () => {
    expect(await dev.stop('SIGINT')).toEqual({ exitCode: 130 });
    expect(await get('/items')).toBeInstanceOf(TypeError);
  });
});

/** Bytes of all files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map(async (file) => (await stat(file)).size))).reduce(
    (sum, size) => sum + size,
    0,
  );
}
