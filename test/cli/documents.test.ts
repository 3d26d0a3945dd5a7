import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { askCapix } from '../helpers/ask-capix.ts';
import { scaffold, typeErrors, writeTree } from '../helpers/scaffold.ts';

interface ClientModule {
  readonly createClient: (options: object) => Readonly<Record<string, object>>;
}

let folder: string;
beforeAll(async () => {
  folder = await scaffold();
});

const run = (...args: string[]) => askCapix(args, { cwd: folder });
const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');

describe('capix openapi', () => {
  it('writes the document with the defaults', async () => {
    const { stdout, stderr, exitCode } = await run('openapi');
    const document = JSON.parse(stdout) as { readonly paths: object };
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Capix API', version: '0.1.0' },
    });
    expect(Object.keys(document.paths)).toEqual(['/items/{id}', '/items']);
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  it('takes every flag', async () => {
    const { stdout } = await run(
      'openapi',
      '--title',
      'Shop',
      '--api-version',
      '2.0.0',
      '--description',
      'Sells',
      '--server',
      'https://a.example',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      info: { title: 'Shop', version: '2.0.0', description: 'Sells' },
      servers: [{ url: 'https://a.example' }],
    });
  });

  it('uses the routes of restOptions, unless --url-case says otherwise', async () => {
    await writeTree(folder, {
      'src/snake.ts': `
        import { capability } from 'capix';
        import * as z from 'zod';
        export const restOptions = { urlCase: 'snake', overrides: { 'things.other': { method: 'GET', path: '/else/:where' } } };
        export const capabilities = {
          things: { bulkStatus: capability(z.object({ tenant: z.string() }), () => 1), other: capability(() => 1) },
        };
      `,
    });
    const pathsOf = async (...args: string[]): Promise<string[]> =>
      Object.keys(
        (
          JSON.parse((await run('openapi', '--config', 'src/snake.ts', ...args)).stdout) as {
            paths: object;
          }
        ).paths,
      );
    expect(await pathsOf()).toEqual(['/things/bulk_status', '/else/{where}']);
    expect(await pathsOf('--url-case', 'camel')).toEqual(['/things/bulkStatus', '/else/{where}']);
  });

  it('takes its texts from restOptions.docs, edits the document, and says which names were guessed', async () => {
    await writeTree(folder, {
      'src/texts.ts': `
        import { capability } from 'capix';
        import * as z from 'zod';
        const Pet = z.object({ id: z.string(), get young() { return z.array(Pet).optional(); } });
        const docs = { title: 'Pets', tags: { pets: 'All of them' }, edit: (document: object) => ({ ...document, 'x-team': 'red' }) };
        export const restOptions = { docs };
        export const capabilities = { pets: { getPet: capability(z.object({ id: z.string() }), (pet) => pet).output(Pet), listPets: capability(() => []).output(z.array(Pet)) } };
      `,
    });
    const { stdout, stderr } = await run(
      'openapi',
      '--config',
      'src/texts.ts',
      '--api-version',
      '3.0.0',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      info: { title: 'Pets', version: '3.0.0' },
      tags: [{ name: 'pets', description: 'All of them' }],
      'x-team': 'red',
    });
    expect(stderr).toBe(
      "Named after where they occur first: Pet. Give their schemas names that stay: .meta({ id: 'Pet' }).\n",
    );
  });

  it('writes YAML by the name of the file', async () => {
    const options = ['openapi', '--title', 'My shop', '--output', 'api.yaml'];
    expect(await run(...options)).toMatchObject({ exitCode: 0 });
    expect(parse(await read('api.yaml'))).toEqual(
      JSON.parse((await run('openapi', '--title', 'My shop')).stdout),
    );
    expect(await run(...options)).toMatchObject({ exitCode: 0 });
  });

  it('writes a client that imports its runtime, or carries it', async () => {
    expect(await run('client', '--output', 'src/api/client.ts')).toMatchObject({ exitCode: 0 });
    expect(await read('src/api/client.ts')).toContain("from 'capix/client'");
    expect(await run('client', '--output', 'src/api/client.ts', '--standalone')).toMatchObject({
      exitCode: 0,
    });
    expect(await read('src/api/client.ts')).not.toMatch(/^import /m);
    expect(await run('client', '--output', 'src/api/client.mjs', '--standalone')).toMatchObject({
      exitCode: 0,
    });
    const { createClient } = (await import(
      pathToFileURL(join(folder, 'src/api/client.mjs')).href
    )) as ClientModule;
    expect(Object.keys(createClient({ baseUrl: 'http://localhost' })['items'] ?? {})).toContain(
      'getItem',
    );
  });

  it('refuses an unknown case as wrong usage', async () => {
    expect(await run('openapi', '--url-case', 'upper')).toMatchObject({ stdout: '', exitCode: 2 });
  });

  it('fails with both keys where two capabilities have one route', async () => {
    await writeTree(folder, {
      'src/twice.ts': `
        import { capability } from 'capix';
        export const capabilities = { a: { listA: capability(() => 1), findA: capability(() => 1) } };
      `,
    });
    const { stdout, stderr, exitCode } = await run('openapi', '--config', 'src/twice.ts');
    expect(stderr).toContain('`a.listA` and `a.findA` are both GET /a');
    expect([stdout, exitCode]).toEqual(['', 1]);
    const failure = JSON.parse(
      (await run('openapi', '--config', 'src/twice.ts', '--json')).stdout,
    ) as object;
    expect(failure).toMatchObject({ ok: false, error: { code: 'InvalidRoutes' } });
  });
});

describe('--output', () => {
  it.each(['openapi', 'docs', 'client', 'ai-context'])(
    'of capix %s writes the file whole, in folders that it makes',
    async (name) => {
      const file = `out/${name}/file.txt`;
      const { stdout, stderr, exitCode } = await run(name, '--output', file);
      expect({ stdout, stderr, exitCode }).toEqual({
        stdout: '',
        stderr: `Wrote ${file}\n`,
        exitCode: 0,
      });
      expect(await read(file)).toBe((await run(name)).stdout);
      expect(await readdir(join(folder, 'out', name))).toEqual(['file.txt']);
    },
  );

  it('says why a file cannot be written', async () => {
    const { stderr, exitCode } = await run('openapi', '--output', 'src');
    expect([stderr, exitCode]).toEqual([
      'error: Could not write src: illegal operation on a directory.\nPass --output <file> of a file that can be written.\n',
      1,
    ]);
  });
});

describe('capix client', () => {
  it('writes a file that compiles in the project as it is', async () => {
    await run('client', '--output', 'src/api-client.ts');
    await writeTree(folder, {
      'src/use-client.ts': `
        import { createClient } from './api-client.js';
        export async function firstName(): Promise<string | undefined> {
          const items = await createClient({ baseUrl: 'http://localhost:3000' }).items.listItems();
          return items[0]?.name;
        }
      `,
    });
    expect(await typeErrors(folder)).toBe('');
  });
});

describe('capix docs', () => {
  it('describes every capability by group', async () => {
    const { stdout, exitCode } = await run('docs');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^# shop\n/);
    for (const text of [
      '| [items.getItem](#itemsgetitem) | `GET /items/:id` | public |',
      '## items',
      '### items.createItem',
      '| `name` | body | `string` | yes |',
      '| 400 | `BadRequest` |',
    ]) {
      expect(stdout).toContain(text);
    }
  });

  it('lets no text of a schema become table, HTML or escape sequence', async () => {
    await writeTree(folder, {
      'src/texts.ts': `
        import { capability } from 'capix';
        import { z } from 'zod';
        const schema = z.object({ a: z.enum(['x|y', 'z']).describe('one | two\\nthree <script> \\u001b[31m') });
        export const capabilities = { things: { getThing: capability(schema, () => 1).describe('Reads <b>it</b>. \\u0060code\\u0060') } };
      `,
    });
    const { stdout } = await run('docs', '--config', 'src/texts.ts');
    expect(stdout).toContain(String.raw`one \| two three &lt;script>`);
    expect(stdout).toContain('Reads &lt;b>it&lt;/b>.');
    expect(stdout).not.toContain('\u001b');
  });

  it('is in the envelope with --json', async () => {
    const { stdout } = await run('docs', '--json');
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      data: { markdown: (await run('docs')).stdout },
    });
  });
});

describe('capix ai-context and sync-ai-context', () => {
  it('describe every capability for machines', async () => {
    const { stdout } = await run('ai-context');
    expect(JSON.parse(stdout)).toMatchObject({
      version: 2,
      framework: 'capix',
      project: 'shop',
      config: 'src/capabilities.ts',
      capabilities: [
        {
          key: 'items.getItem',
          tool: 'items_getItem',
          intent: 'query',
          method: 'GET',
          path: '/items/:id',
          source: 'src/capabilities/items/get.ts',
          guards: [],
          input: { required: ['id'] },
        },
        { key: 'items.listItems' },
        { key: 'items.createItem', intent: 'mutation' },
      ],
    });
  });

  it('keep the file in the project up to date, and leave it alone where it is', async () => {
    const sync = async (): Promise<string> => (await run('sync-ai-context')).stdout;
    expect(await sync()).toBe('.capix-context.json created\n');
    expect(await read('.capix-context.json')).toBe((await run('ai-context')).stdout);
    expect(await sync()).toBe('.capix-context.json unchanged\n');
    await writeTree(folder, { '.capix-context.json': '{}' });
    expect(JSON.parse((await run('sync-ai-context', '--json')).stdout)).toEqual({
      ok: true,
      data: { file: '.capix-context.json', result: 'updated' },
    });
  });

  it('write to the root of the project from any folder in it', async () => {
    await run('sync-ai-context');
    const { stdout } = await askCapix(['sync-ai-context'], { cwd: join(folder, 'src') });
    expect(stdout).toBe('.capix-context.json unchanged\n');
  });
});

describe('without a project', () => {
  it.each([
    'openapi',
    'docs',
    'client',
    'ai-context',
    'sync-ai-context',
    'mcp',
    'call items.getItem',
  ])('capix %s says what to do', async (line) => {
    const { stdout, stderr, exitCode } = await run(...line.split(' '), '--config', 'no/such.ts');
    expect(stderr).toContain('error: No capabilities file at no/such.ts.');
    expect([stdout, exitCode]).toEqual(['', 1]);
  });

  it.each(['openapi', 'docs', 'client', 'ai-context', 'sync-ai-context', 'mcp', 'call'])(
    'capix %s has help with an example',
    async (name) => {
      const { stdout, exitCode } = await run(name, '--help');
      expect(stdout).toMatch(new RegExp(`Examples?:\\n {2}\\$ capix ${name}`));
      expect(stdout).toContain('--config <path>');
      expect(exitCode).toBe(0);
    },
  );
});
