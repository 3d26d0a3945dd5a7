import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectToCommand } from '../helpers/connect-to-tools.ts';
import { type ContractProject, makeContractProject } from '../helpers/contract-project.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { runScript, typeErrors } from '../helpers/scaffold.ts';
import { startProject } from '../helpers/start-project.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let project: ContractProject;
beforeAll(async () => {
  project = await makeContractProject();
});

describe('capix new', () => {
  it('new [name] creates factories, context, server, three items, settings and rules for AI editors', async () => {
    const cwd = await temporaryFolder();
    expect(await runCapix(['new', 'shop', '--no-install', '--no-git'], { cwd })).toMatchObject({
      exitCode: 0,
    });
    const files = await readdir(join(cwd, 'shop'), { recursive: true });
    const items = ['get', 'list', 'create'].map((name) => `src/capabilities/items/${name}.ts`);
    expect(files).toEqual(
      expect.arrayContaining([
        'src/capabilities.ts',
        'src/context.ts',
        'src/server.ts',
        ...items,
        'tsconfig.json',
        'package.json',
        '.cursor/rules',
      ]),
    );
  });

  it('new writes rules on capability naming, guard usage, error style and the two factories', async () => {
    const rules = await project.read('.cursor/rules');
    for (const subject of [
      'Capability naming',
      'Guard usage',
      'Error definition style',
      'Two factories',
    ])
      expect(rules).toContain(subject);
    expect(rules).toContain('authCap');
  });
});

describe('capix generate', () => {
  it('generate capability [group] <name> writes src/capabilities/<group>/<kebab-name>.ts; g is short for it', async () => {
    expect(await project.capix('generate', 'capability', 'orders', 'listOpenOrders')).toMatchObject(
      { exitCode: 0 },
    );
    expect(await project.read('src/capabilities/orders/list-open-orders.ts')).toContain(
      'export const listOpenOrders =',
    );
    expect(await project.capix('g', 'capability', 'health')).toMatchObject({ exitCode: 0 });
    expect(await project.read('src/capabilities/health.ts')).toContain('export const health =');
  });

  it('generate capability makes a camelCase name of one with separators: products/variants list', async () => {
    expect(await project.capix('g', 'capability', 'products/variants', 'list')).toMatchObject({
      exitCode: 0,
    });
    expect(await project.read('src/capabilities/products/variants/list.ts')).toContain(
      'export const list =',
    );
    expect(await project.capix('g', 'capability', 'orders', 'bulk-status')).toMatchObject({
      exitCode: 0,
    });
    expect(await project.read('src/capabilities/orders/bulk-status.ts')).toContain(
      'export const bulkStatus =',
    );
  });

  it('generate capability --input adds an input schema with an id, a string', async () => {
    await project.capix('g', 'capability', 'orders', 'getOrder', '--input');
    expect(await project.read('src/capabilities/orders/get-order.ts')).toContain(
      'z.object({ id: z.string() })',
    );
    expect(await project.data('show', 'orders.getOrder')).toMatchObject({
      method: 'GET',
      path: '/orders/:id',
    });
  });

  it('generate group <name> writes src/capabilities/<name>/index.ts; g is short for it', async () => {
    expect(await project.capix('generate', 'group', 'invoices')).toMatchObject({ exitCode: 0 });
    expect(await project.capix('g', 'group', 'refunds')).toMatchObject({ exitCode: 0 });
    for (const group of ['invoices', 'refunds'])
      expect(await project.read(`src/capabilities/${group}/index.ts`)).toContain('export');
  });
});

describe('capix dev', () => {
  it('dev [entry] serves src/server.ts, or another entry', async () => {
    const byDefault = await startProject(project.folder);
    expect((await fetch(`${byDefault.url}/items`)).status).toBe(200);
    await byDefault.dev.stop();
    await project.write({ 'src/other.ts': "import './server.js';\n" });
    const other = await startProject(project.folder, {}, ['src/other.ts']);
    expect((await fetch(`${other.url}/items`)).status).toBe(200);
    await other.dev.stop();
  });

  it('dev restarts on change', async () => {
    const { dev, url } = await startProject(project.folder);
    await dev.waitFor(/items\.createItem/);
    const before = dev.output().length;
    await project.write({
      'src/capabilities/items/list.ts':
        "import { cap } from '../../context.js';\nexport const listItems = cap(() => ['changed']);\n",
    });
    await dev.waitFor(/list\.ts changed, reloaded in \d+ ms/, before);
    expect(await (await fetch(`${url}/items`)).json()).toEqual({ data: ['changed'] });
    await dev.stop();
  });
});

describe('capix check', () => {
  it('check reports duplicate routes, naming conflicts and missing schemas', async () => {
    await project.write({
      'bad/caps.ts': `
        import { capability } from 'capix';
        import * as z from 'zod';
        const none = z.object({});
        export const users = {
          listUsers: capability(none, () => 1), findUsers: capability(none, () => 2),
          sendMail: capability(none, () => 3), sendmail: capability(none, () => 4),
          deleteUser: capability((input) => input),
        };`,
    });
    const { stdout, exitCode } = await project.capix('check', '--config', 'bad/caps.ts');
    expect(exitCode).toBe(1);
    for (const code of ['duplicate-route', 'naming-conflict', 'missing-schema'])
      expect(stdout).toContain(code);
    expect(stdout).toMatch(/users\.listUsers.*users\.findUsers/);
  });
});

describe('capix list and show', () => {
  it('list, or ls, prints Capabilities (<n>), then key, method, route and guards of each', async () => {
    const { stdout } = await project.capix('list');
    expect(stdout).toMatch(
      /^Capabilities \(\d+\)\n\n {2}items\.getItem +GET +\/items\/:id +public\n/,
    );
    expect(stdout).toMatch(/\n {2}users\.getMe +GET +\/users\/me +1 guard\n/);
    expect((await project.capix('ls')).stdout).toBe(stdout);
  });

  it('show <capability> prints input, output, intent, route and guards', async () => {
    const { stdout } = await project.capix('show', 'items.createItem');
    expect(stdout).toMatch(/^items\.createItem\n/);
    expect(stdout).toMatch(/Route +POST \/items\n/);
    expect(stdout).toMatch(/Intent +mutation/);
    expect(stdout).toMatch(/Guards +public\n/);
    expect(stdout).toMatch(/\nInput\n {2}name +string +required/);
    expect(stdout).toMatch(/\nOutput\n {2}id +string +required/);
    expect((await project.capix('show', 'users.getMe')).stdout).toMatch(/Guards +mustBeUser/);
  });
});

describe('capix call', () => {
  it('call <capability> [input] runs it without a server, with input as JSON', async () => {
    const { stdout, exitCode } = await project.capix('call', 'items.createItem', '{"name":"Tea"}');
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { id: '1', name: 'Tea' }]);
    expect(await project.capix('call', 'items.createItem')).toMatchObject({ exitCode: 1 });
  });

  it('call has a stub context: behind a guard that wants a user it rejects', async () => {
    const { stderr, exitCode } = await project.capix('call', 'users.getMe');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Unauthorized');
  });
});

describe('capix writes documents', () => {
  it('docs prints Markdown, or writes it to --output <file>', async () => {
    const { stdout } = await project.capix('docs');
    expect(stdout).toMatch(/^# shop\n/);
    expect(stdout).toContain('`GET /items/:id`');
    await project.capix('docs', '--output', 'api.md');
    expect(await project.read('api.md')).toBe(stdout);
  });

  it('client --output <file> writes a typed fetch client, which compiles and calls the server', async () => {
    expect(await project.capix('client', '--output', 'src/client.ts')).toMatchObject({
      exitCode: 0,
    });
    await project.write({
      'src/use-client.ts': [
        "import { createClient } from './client.js';",
        "const client = createClient({ baseUrl: process.argv[2] ?? '' });",
        "const item: { id: string; name: string } = await client.items.createItem({ name: 'Tea' });",
        'console.log(JSON.stringify(await client.items.getItem({ id: item.id })));\n',
      ].join('\n'),
    });
    expect(await typeErrors(project.folder)).toBe('');
    await runScript(project.folder, 'build');
    const { dev, url } = await startProject(project.folder);
    const { stdout } = await runCapix([url], { entry: join(project.folder, 'dist/use-client.js') });
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Tea' });
    await dev.stop();
  });

  it('openapi prints OpenAPI 3.1, or writes it to --output <file>', async () => {
    const { stdout } = await project.capix('openapi');
    expect(JSON.parse(stdout)).toMatchObject({
      openapi: '3.1.0',
      paths: { '/items/{id}': { get: {} } },
    });
    await project.capix('openapi', '--output', 'openapi.json');
    expect(await project.read('openapi.json')).toBe(stdout);
  });

  it('ai-context prints a JSON document for AI assistants, or writes it to --output <file>', async () => {
    const { stdout } = await project.capix('ai-context');
    expect(JSON.parse(stdout)).toMatchObject({
      framework: 'capix',
      capabilities: expect.arrayContaining([expect.objectContaining({ key: 'items.getItem' })]),
    });
    await project.capix('ai-context', '--output', 'context.json');
    expect(await project.read('context.json')).toBe(stdout);
  });

  it('sync-ai-context brings .capix-context.json up to date in place', async () => {
    await project.write({ '.capix-context.json': '{"old": true}' });
    expect(await project.capix('sync-ai-context')).toMatchObject({ exitCode: 0 });
    expect(await project.read('.capix-context.json')).toBe(
      (await project.capix('ai-context')).stdout,
    );
  });
});

describe('capix mcp', () => {
  it('mcp serves capabilities as tools over stdio, with a stub context', async () => {
    const client = await connectToCommand(project.folder);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['items_getItem', 'items_listItems', 'items_createItem']),
    );
    const made = await client.callTool({ name: 'items_createItem', arguments: { name: 'Tea' } });
    expect(made.structuredContent).toMatchObject({ data: { name: 'Tea' } });
    const refused = await client.callTool({ name: 'users_getMe', arguments: {} });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('Unauthorized');
  });
});

describe('capix diff', () => {
  it('diff <config-a> <config-b> compares the capabilities of two files', async () => {
    const file = (users: string) =>
      `import { capability } from 'capix';\nexport const users = { ${users} };\n`;
    await project.write({
      'a.ts': file('getMe: capability(() => 1), listUsers: capability(() => [])'),
      'b.ts': file("getMe: capability(() => 1, 'mutation'), createUser: capability(() => 1)"),
    });
    const { stdout, exitCode } = await project.capix('diff', 'a.ts', 'b.ts');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Added \(1\)\n\n {2}users\.createUser/);
    expect(stdout).toMatch(/Removed \(1\)\n\n {2}users\.listUsers/);
    expect((await project.capix('diff', 'a.ts', 'a.ts')).stdout).toBe('No differences\n');
  });
});
