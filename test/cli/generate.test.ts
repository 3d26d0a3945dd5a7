import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { cleanEnvironment, cliEntry } from '../helpers/run-capix.ts';
import { readTree, scaffold, typeErrors, writeTree } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

async function keysOf(cwd: string, options: readonly string[] = []): Promise<readonly string[]> {
  const { stdout } = await askCapix(['list', '--json', ...options], { cwd });
  const { data } = JSON.parse(stdout) as { data: { capabilities: readonly { key: string }[] } };
  return data.capabilities.map(({ key }) => key);
}

/** The files of `src` that are not as they were. */
async function changedIn(
  folder: string,
  before: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const after = await readTree(join(folder, 'src'));
  return Object.fromEntries(Object.entries(after).filter(([path, text]) => before[path] !== text));
}

describe('in a scaffold, capix generate', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await scaffold();
  });

  test('capability writes the file, the group and their lines, and nothing else', async () => {
    const before = await readTree(join(cwd, 'src'));
    const { stdout, stderr, exitCode } = await askCapix(
      ['generate', 'capability', 'users', 'getUser', '--input'],
      {
        cwd,
      },
    );
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toBe(
      [
        'Created src/capabilities/users/get-user.ts',
        'Created src/capabilities/users/index.ts',
        "Changed src/capabilities/index.ts: + export * as users from './users/index.ts';",
        '',
        'users.getUser  GET /users/:id',
        '',
      ].join('\n'),
    );
    const changed = await changedIn(cwd, before);
    expect(changed).toEqual({
      'capabilities/index.ts': `${before['capabilities/index.ts']}export * as users from './users/index.ts';\n`,
      'capabilities/users/index.ts': "export { getUser } from './get-user.ts';\n",
      'capabilities/users/get-user.ts': expect.stringContaining(
        'export const getUser = cap(z.object({ id: z.string() })',
      ),
    });
  });

  test('puts a nested group where it belongs', async () => {
    await askCapix(['g', 'capability', 'products/variants', 'list'], { cwd });
    const tree = await readTree(join(cwd, 'src', 'capabilities', 'products'));
    expect(tree).toMatchObject({
      'index.ts': "export * as variants from './variants/index.ts';\n",
      'variants/index.ts': "export { list } from './list.ts';\n",
      'variants/list.ts': expect.stringContaining('export const list = cap('),
    });
  });

  test.each([
    [['g', 'c', 'health'], 'health'],
    [['g', 'c', 'users.delete', '--input'], 'users.delete'],
    [['g', 'c', 'users', 'cap'], 'users.cap'],
    [['g', 'c', 'users', 'z', '--input'], 'users.z'],
    [['g', 'c', 'order-items', 'bulk_status'], 'orderItems.bulkStatus'],
    [['g', 'c', 'orderItems', 'listOrderItems'], 'orderItems.listOrderItems'],
  ])('capix %j makes %s', async (args, key) => {
    expect(await askCapix([...args], { cwd })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await keysOf(cwd)).toContain(key);
  });

  test('says what is missing where the path has an id and the input has none', async () => {
    const { stdout, stderr } = await askCapix(['g', 'c', 'users', 'unfollow', '--dry-run'], {
      cwd,
    });
    expect(stdout).toContain('\n\nusers.unfollow  DELETE /users/:id/follow\n');
    expect(stderr).toMatch(/^note: the path has an id that the input lacks/);
  });

  test('with --json says the same as one document', async () => {
    const { stdout } = await askCapix(['g', 'c', 'users', 'listUsers', '--dry-run', '--json'], {
      cwd,
    });
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      data: {
        key: 'users.listUsers',
        method: 'GET',
        path: '/users',
        dryRun: true,
        files: [
          { kind: 'created', path: 'src/capabilities/users/list-users.ts' },
          {
            kind: 'changed',
            path: 'src/capabilities/users/index.ts',
            line: "export { listUsers } from './list-users.ts';",
          },
        ],
      },
    });
  });

  test('group writes an empty group, which a capability then fills', async () => {
    await askCapix(['g', 'group', 'billing/invoices'], { cwd });
    const index = join(cwd, 'src', 'capabilities', 'billing', 'invoices', 'index.ts');
    expect(await readFile(index, 'utf8')).toBe('export {};\n');
    await askCapix(['g', 'c', 'billing/invoices', 'createInvoice'], { cwd });
    expect(await readFile(index, 'utf8')).toBe(
      "export { createInvoice } from './create-invoice.ts';\n",
    );
  });

  test('has made a project that compiles strictly and keeps its own order', async () => {
    expect(await typeErrors(cwd)).toBe('');
    expect((await keysOf(cwd)).slice(0, 5)).toEqual([
      'items.getItem',
      'items.listItems',
      'items.createItem',
      'users.getUser',
      'users.delete',
    ]);
  });
});

describe('capix generate never', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await scaffold();
    await askCapix(['g', 'group', 'users'], { cwd });
  });

  test.each([
    ['overwrites a file', ['c', 'items', 'get'], 'src/capabilities/items/get.ts exists already', 1],
    [
      'takes a name that is exported from elsewhere',
      ['c', 'items', 'getItem'],
      "exports 'getItem' already",
      1,
    ],
    ['takes the name of a group for a capability', ['c', 'items'], "exports 'items' already", 1],
    ['makes a group twice', ['group', 'items'], 'The group items exists already', 1],
    ['leaves the folder', ['c', '../..', 'x'], 'leads out of the capabilities folder', 2],
    ['leaves the folder for a group', ['group', '../x'], 'leads out of the capabilities folder', 2],
    ['takes what is not a name', ['c', 'users', '1st'], 'cannot be the name', 2],
    ['goes without a name', ['c'], 'The name of the capability is missing', 2],
    ['goes without the name of a group', ['group'], 'The name of the group is missing', 2],
    ['guesses what to generate', [], 'capability|c [options] [group] [name]', 2],
    ['takes a name for what to generate', ['getUser'], "unknown command 'getUser'", 2],
    ['writes on a dry run', ['c', 'users', 'getUser', '--dry-run'], '', 0],
  ])('%s', async (_, args, message, code) => {
    const before = await readTree(join(cwd, 'src'));
    const { stderr, exitCode } = await askCapix(['generate', ...args], { cwd });
    expect(stderr).toContain(message);
    expect(exitCode).toBe(code);
    expect(await readTree(join(cwd, 'src'))).toEqual(before);
  });

  test('lists a capability twice, though its file is replaced by force', async () => {
    await askCapix(['g', 'c', 'users', 'getUser'], { cwd });
    const index = join(cwd, 'src', 'capabilities', 'users', 'index.ts');
    const before = await readFile(index, 'utf8');
    const { stdout } = await askCapix(['g', 'c', 'users', 'getUser', '--input', '--force'], {
      cwd,
    });
    expect(stdout).toBe(
      'Changed src/capabilities/users/get-user.ts\n\nusers.getUser  GET /users/:id\n',
    );
    expect(await readFile(index, 'utf8')).toBe(before);
  });
});

describe('in a project of another make, capix generate', () => {
  test.each([
    [
      'code',
      "import { capability } from 'capix';\nexport const admin = { ping: capability(() => 1) };\n",
    ],
    ['a name that is renamed', "import * as things from './items/index.js';\nexport { things };\n"],
    ['what cannot be read', 'export {{\n'],
  ])('leaves an index with %s alone, and says the line to write', async (_name, index) => {
    const cwd = await scaffold();
    await writeTree(cwd, { 'src/capabilities/index.ts': index });
    const { stdout, stderr, exitCode } = await askCapix(['g', 'c', 'users', 'getUser'], { cwd });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout:
        'Created src/capabilities/users/get-user.ts\nCreated src/capabilities/users/index.ts\n\nusers.getUser  GET /users\n',
    });
    expect(stderr).toBe(
      "note: src/capabilities/index.ts is left as it is; add this line to it:\n  export * as users from './users/index.ts';\n",
    );
    expect(await readFile(join(cwd, 'src/capabilities/index.ts'), 'utf8')).toBe(index);
  });

  test('follows a group to the folder that it is listed with', async () => {
    const cwd = await scaffold();
    await writeTree(cwd, {
      'src/capabilities/index.ts': "export * as people from './users/index.js';\n",
      'src/capabilities/users/index.ts': 'export {};\n',
    });
    const { stdout } = await askCapix(['g', 'c', 'people', 'getPerson'], { cwd });
    expect(stdout).toContain('Created src/capabilities/users/get-person.ts\n');
    expect(await keysOf(cwd)).toEqual(['people.getPerson']);
  });

  test('adds its line with the extension and the line ends of the others', async () => {
    const cwd = await scaffold();
    await writeTree(cwd, {
      'src/capabilities/index.ts': 'export * as items from "./items/index.ts"; // the shop\r\n',
    });
    await askCapix(['g', 'c', 'users', 'listUsers'], { cwd });
    expect(await readFile(join(cwd, 'src/capabilities/index.ts'), 'utf8')).toBe(
      'export * as items from "./items/index.ts"; // the shop\r\nexport * as users from \'./users/index.ts\';\r\n',
    );
  });

  test('makes paths in the case that the project has', async () => {
    const cwd = await scaffold();
    const config = join(cwd, 'src', 'capabilities.ts');
    await writeFile(
      config,
      (await readFile(config, 'utf8')).replace('= {}', "= { urlCase: 'snake' }"),
    );
    const { stdout } = await askCapix(['g', 'c', 'users', 'bulkStatus'], { cwd });
    expect(stdout).toContain('\n\nusers.bulkStatus  POST /users/bulk_status\n');
    await writeFile(config, "export const other = { prefix: '/v9' }; // urlCase: 'snake'\n");
    const plain = await askCapix(['g', 'c', 'users', 'bulkCheck'], { cwd });
    expect(plain.stdout).toContain('\n\nusers.bulkCheck  POST /users/bulk-check\n');
  });

  test('works without factories and without an index, and says which line is missing', async () => {
    const cwd = await scaffold();
    await writeTree(cwd, { 'api/caps.ts': 'export const restOptions = {};\n' });
    const args = ['g', 'c', 'users', 'getUser', '--input', '--config', 'api/caps.ts'];
    const { stdout, stderr, exitCode } = await askCapix(args, { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Created api/capabilities/users/get-user.ts\n');
    expect(stderr).toContain("export * as capabilities from './capabilities/index.ts';");
    expect(await readFile(join(cwd, 'api/capabilities/users/get-user.ts'), 'utf8')).toContain(
      "import { capability } from 'capix';",
    );
    await writeTree(cwd, {
      'api/caps.ts': "export * as capabilities from './capabilities/index.js';\n",
    });
    const list = await askCapix(['list', '--config', 'api/caps.ts'], { cwd });
    expect(list.stdout).toContain('users.getUser  GET  /users/:id  public');
  });

  test('says how a capabilities file that declares them itself takes in those of the folder', async () => {
    const cwd = await scaffold('small', ['--template', 'minimal']);
    const { stderr } = await askCapix(['g', 'c', 'users', 'getUser', '--input'], { cwd });
    expect(stderr).toBe(
      [
        'note: src/capabilities.ts is left as it is; add these lines to it:',
        "  import * as more from './capabilities/index.ts';",
        '  export const capabilities = { ...more, /* what it has */ };',
        '',
      ].join('\n'),
    );
    const entry = join(cwd, 'src/capabilities.ts');
    const text = await readFile(entry, 'utf8');
    const opened = text.replace('capabilities = {', 'capabilities = {\n  ...more,');
    await writeFile(entry, `import * as more from './capabilities/index.ts';\n${opened}`);
    expect(await typeErrors(cwd)).toBe('');
    expect(await keysOf(cwd)).toEqual(['users.getUser', 'hello']);
  });

  test('takes --config behind the command, and refuses it before', async () => {
    const cwd = await scaffold();
    await writeTree(cwd, {
      'api/caps.ts': "export * as capabilities from './capabilities/index.js';\n",
    });
    const config = ['--config', 'api/caps.ts'];
    const { stdout } = await askCapix(['g', 'c', 'a', '--dry-run', ...config], { cwd });
    expect(stdout).toContain('Would create api/capabilities/a.ts\n');
    expect(await askCapix(['g', ...config, 'c', 'a', '--dry-run'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("option '--config' stands before the command") as unknown,
    });
  });

  test('says as JSON that it is not said what to generate', async () => {
    const { stdout, exitCode } = await askCapix(['generate', '--json'], {
      cwd: await temporaryFolder(),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: { code: 'Usage', hint: expect.stringContaining('generate group') },
    });
    expect(exitCode).toBe(2);
  });

  test('says where there is no project', async () => {
    const { stderr, exitCode } = await askCapix(['g', 'c', 'users', 'getUser'], {
      cwd: await temporaryFolder(),
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('No capabilities file at src/capabilities.ts.');
  });
});

// The shell's limit of a file's size stands for a full disk: folders can be made, and no file has room.
test.skipIf(process.platform === 'win32')(
  'generate that cannot write its files leaves nothing behind, also not the folders of its group',
  async () => {
    const cwd = await scaffold();
    const toPaths = async (): Promise<readonly string[]> =>
      (await readdir(join(cwd, 'src'), { recursive: true })).sort();
    const before = await toPaths();
    const words = ['generate', 'capability', 'refunds/old', 'listRefunds'];
    const script = 'ulimit -f 0; exec "$@"';
    const { exitCode, stdout, stderr } = await execa(
      'sh',
      ['-c', script, 'sh', process.execPath, cliEntry, ...words],
      { cwd, reject: false, env: cleanEnvironment(), extendEnv: false },
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(
      'Could not write src/capabilities/refunds/old/list-refunds.ts: file too large. Nothing was written.',
    );
    expect(await toPaths()).toEqual(before);
  },
);
