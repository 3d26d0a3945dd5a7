import { cp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFixture, openProject } from '../helpers/fixture-project.ts';
import { packageRoot } from '../helpers/run-capix.ts';

test('list prints the count, an empty line, and a line for each capability in the order of declaration', async () => {
  const { ask } = await openFixture('shop');
  const { stdout, stderr, exitCode } = await ask(['list']);
  expect(stdout).toBe(
    [
      'Capabilities (4)',
      '',
      '  items.getItem     GET   /items/:id       public',
      '  items.listItems   GET   /items           public',
      '  items.createItem  POST  /items           1 guard',
      '  carts.checkout    POST  /carts/checkout  2 guards',
      '',
    ].join('\n'),
  );
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
});

test('ls is list', async () => {
  const { ask } = await openFixture('shop');
  expect((await ask(['ls'])).stdout).toBe((await ask(['list', '--plain'])).stdout);
});

test('--config names the capabilities file, after the command', async () => {
  const one = (name: string): string =>
    `import { capability } from 'capix';\nexport const health = { ${name}: capability(() => 1) };\n`;
  const { ask } = await openProject({
    'src/capabilities.ts': one('a'),
    'b.ts': one('b'),
    'c.ts': one('c'),
  });
  const listed = async (...words: string[]): Promise<string | undefined> =>
    /health\.(\w)/.exec((await ask(words)).stdout)?.[1];
  expect(await listed('list')).toBe('a');
  expect(await listed('list', '--config', 'b.ts')).toBe('b');
  expect(await listed('list', '--config=c.ts')).toBe('c');
  expect(await ask(['--config', 'b.ts', 'list'])).toMatchObject({
    stderr: expect.stringContaining("option '--config' stands before the command, not after it"),
    exitCode: 2,
  });
});

test('list --json gives the routes as one envelope, with the place of each declaration', async () => {
  const { ask } = await openFixture('shop');
  const { stdout, exitCode } = await ask(['list', '--json']);
  const { ok, data } = JSON.parse(stdout) as {
    ok: boolean;
    data: { capabilities: Record<string, unknown>[] };
  };
  expect(ok).toBe(true);
  expect(data.capabilities.map(({ key }) => key)).toEqual([
    'items.getItem',
    'items.listItems',
    'items.createItem',
    'carts.checkout',
  ]);
  expect(data.capabilities[0]).toEqual({
    key: 'items.getItem',
    method: 'GET',
    path: '/items/:id',
    intent: 'query',
    guards: [],
    description: 'Gives one item.',
    deprecated: false,
    source: { file: 'src/capabilities/items/get.ts', line: 4, column: 24 },
  });
  expect(data.capabilities[3]).toMatchObject({
    guards: ['mustBeUser', 'ownCart'],
    deprecated: true,
  });
  expect(exitCode).toBe(0);
});

test('a project without capabilities lists none', async () => {
  const { ask } = await openProject({ 'src/capabilities.ts': 'export const capabilities = {};' });
  expect(await ask(['list'])).toEqual({
    stdout: 'Capabilities (0)\n\n',
    stderr: [
      'src/capabilities.ts exports no capability.',
      'It should export groups of them, for example: `export const capabilities = { users: { getUser } };`',
      'Write the first one: `capix generate capability users getUser --input`.',
      '',
    ].join('\n'),
    exitCode: 0,
  });
});

test.each([
  [
    'the export `capabilities`',
    'export const capabilities = { items: { list } };\nexport default { other: { list } };',
  ],
  ['the default export', 'export default { items: { list } };\nexport const other = { list };'],
  ['the named exports', 'export const items = { list };'],
  [
    'the named exports beside a default export that is a function',
    'export default () => 1;\nexport const items = { list };',
  ],
])('the group tree is %s', async (_, exports) => {
  const { ask } = await openProject({
    'src/capabilities.ts': `import { capability } from 'capix';\nconst list = capability(() => []);\n${exports}\n`,
  });
  const { stdout } = await ask(['list']);
  expect(stdout).toBe('Capabilities (1)\n\n  items.list  GET  /items  public\n');
});

test('functions and other values that are not capabilities are passed over', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      export { capability };
      export const version = 3;
      export const items = { list: capability(() => []), helper() {}, limit: 10, at: new Date(), none: null };
    `,
  });
  expect((await ask(['list'])).stdout).toBe(
    'Capabilities (1)\n\n  items.list  GET  /items  public\n',
  );
});

test('restOptions give the routes that the server has', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      const done = capability(() => null);
      export const capabilities = { orderLines: { bulkStatus: done, ship: done } };
      export const restOptions = {
        urlCase: 'snake',
        overrides: { 'orderLines.ship': { method: 'PUT', path: '/orders/:orderId/ship' } },
      };
    `,
  });
  expect((await ask(['list'])).stdout).toBe(
    [
      'Capabilities (2)',
      '',
      '  orderLines.bulkStatus  POST  /order_lines/bulk_status  public',
      '  orderLines.ship        PUT   /orders/:orderId/ship     public',
      '',
    ].join('\n'),
  );
});

test('two capabilities of one route are listed, and stderr points to check', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      export const users = { listUsers: capability(() => []), findUsers: capability(() => []) };
    `,
  });
  const { stdout, stderr, exitCode } = await ask(['list']);
  expect(stdout).toContain('Capabilities (2)');
  expect(stderr).toBe('1 problem with the routes. Run `capix check`.\n');
  expect(exitCode).toBe(0);
});

test('--config names another capabilities file, of another project too', async () => {
  const shop = await openFixture('shop');
  const other = await openProject({
    'lib/api.ts':
      "import { capability } from 'capix';\nexport const api = { ping: capability(() => 1, 'query') };\n",
  });
  expect((await other.ask(['list', '--config', 'lib/api.ts'])).stdout).toContain(
    'api.ping  GET  /api/ping  public',
  );
  const { stdout } = await other.ask([
    'list',
    '--config',
    join(shop.root, 'src', 'capabilities.ts'),
  ]);
  expect(stdout).toContain('Capabilities (4)');
});

test('list works from a folder inside the project', async () => {
  const { root, ask } = await openFixture('shop');
  expect((await ask(['list'], { cwd: join(root, 'src', 'capabilities') })).stdout).toContain(
    'Capabilities (4)',
  );
});

test('capabilities of another copy of capix are known', async () => {
  const { root, ask } = await openFixture('shop');
  const copy = join(root, 'node_modules', 'capix');
  await rm(copy);
  await cp(join(packageRoot, 'dist', 'server-runtime'), join(copy, 'dist', 'server-runtime'), {
    recursive: true,
  });
  await cp(join(packageRoot, 'package.json'), join(copy, 'package.json'));
  await symlink(join(packageRoot, 'node_modules'), join(copy, 'node_modules'), 'junction');
  expect((await ask(['list'])).stdout).toContain('Capabilities (4)');
});

test('500 routes that are declared twice keep their order, and the reason comes last', async () => {
  const groups = Array.from({ length: 500 }, (_, index) => `g${index}`);
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      const group = () => ({ listB: capability(() => []), listA: capability(() => []) });
      export const capabilities = { ${groups.map((group) => `${group}: group()`).join(', ')} };
    `,
  });
  const listed = await ask(['list']);
  const keys = [...listed.stdout.matchAll(/^ {2}(\S+) /gm)].map(([, key]) => key);
  expect(keys).toEqual(groups.flatMap((group) => [`${group}.listB`, `${group}.listA`]));
  expect(listed.stderr).toBe('500 problems with the routes. Run `capix check`.\n');
  const checked = await ask(['check', '--json']);
  const { problems } = JSON.parse(checked.stdout).data as {
    problems: readonly { code: string; keys: string[] }[];
  };
  const twice = problems.filter(({ code }) => code === 'duplicate-route');
  expect(twice.map((problem) => problem.keys)).toEqual(
    groups.map((group) => [`${group}.listB`, `${group}.listA`]),
  );
});
