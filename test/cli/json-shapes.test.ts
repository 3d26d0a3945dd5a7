import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, expect, it } from 'vitest';
import { cliErrors } from '../../source/cli/errors/cli-errors.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { cliEntry, packageRoot, runCapix } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Schema = Readonly<Record<string, unknown>>;

const schemas = JSON.parse(await readFile(join(packageRoot, 'docs', 'json-schemas.json'), 'utf8')) as {
  readonly $defs: Readonly<Record<string, Schema>>;
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(toClosed(schemas) as Schema, 'closed');

/** The same schemas, by which a field that they do not name is a fault. */
function toClosed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toClosed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, toClosed(value)]));
  const isObject = closed['type'] === 'object' && 'properties' in closed && closed['title'] === undefined;
  return isObject ? { additionalProperties: false, ...closed } : closed;
}

function expectFits(name: string, document: unknown): void {
  const validate = ajv.getSchema(`closed#/$defs/${name}`) as ValidateFunction;
  const faults = validate(document) ? [] : validate.errors;
  expect(faults, JSON.stringify(document, undefined, 2)).toEqual([]);
}

let folder: string;
let created: unknown;
beforeAll(async () => {
  const parent = await temporaryFolder();
  created = JSON.parse((await runCapix(['new', 'shop', '--no-install', '--no-git', '--json'], { cwd: parent })).stdout);
  folder = join(parent, 'shop');
  await mkdir(join(folder, 'node_modules'));
  for (const [name, target] of [
    ['capix', packageRoot],
    ['zod', join(packageRoot, 'node_modules', 'zod')],
  ] as const)
    await symlink(target, join(folder, 'node_modules', name), 'junction');
  await writeTree(folder, {
    'src/rich.ts': `
      import { capability, defaultErrors, defineGuard, withTimeout } from 'capix';
      import * as z from 'zod';
      const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser', security: { type: 'http', scheme: 'bearer' }, errors: [defaultErrors.Forbidden] });
      const Item = z.object({ id: z.string(), name: z.string() });
      const getItem = capability.guard(mustBeUser)(z.object({ id: z.string() }), ({ id }) => {
        if (id === '9') throw defaultErrors.NotFound('There is no item 9');
        return { id, name: 'Pen' };
      }).output(Item).describe('Get one item').enhance(withTimeout(1000)).deprecated({ use: 'items.findItem', since: '1.0' }).tool({ readOnly: true });
      const findItem = capability(z.object({ q: z.string() }), () => [], 'query');
      const createItem = capability(z.object({ name: z.string() }), () => ({ id: '1' }));
      export const capabilities = { items: { getItem, findItem, createItem } };
    `,
    'src/before.ts': `
      import { capability } from 'capix';
      import * as z from 'zod';
      const getItem = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Pen' })).output(z.object({ id: z.string(), price: z.number() }));
      const removeItem = capability(z.object({ id: z.string() }), () => null);
      export const capabilities = { items: { getItem, removeItem } };
    `,
    'calls/first.json': JSON.stringify({ call: 'items.listItems', input: {}, expect: { status: 200 } }),
  });
});

const rich = ['--config', 'src/rich.ts'];

it.each<readonly [string, readonly string[]]>([
  ['list', ['list', ...rich]],
  ['show', ['show', 'items.getItem', ...rich]],
  ['check', ['check', '--agents', ...rich]],
  ['check', ['check', '--probe', '--seed', '1', ...rich]],
  ['check', ['check', '--dry-run', ...rich]],
  ['diff', ['diff', 'src/before.ts', 'src/rich.ts']],
  ['lock', ['lock']],
  ['call', ['call', 'items.getItem', '{"id":"1"}', ...rich]],
  ['failure', ['call', 'items.getItem', '{"id":"9"}', ...rich]],
  ['savedCalls', ['call', '--all']],
  ['openapi', ['openapi', '--output', 'api.json']],
  ['client', ['client', '--output', 'src/client.ts']],
  ['ai-context', ['ai-context', '--output', 'context.json']],
  ['docs', ['docs']],
  ['sync-ai-context', ['sync-ai-context']],
  ['generate', ['generate', 'capability', 'users', 'getUser', '--input', '--dry-run']],
  ['generate', ['generate', 'group', 'orders', '--dry-run']],
  ['mcp', ['mcp', '--list', ...rich]],
  ['failure', ['show', 'items.getItm', ...rich]],
])('the document of %s is as its schema says: capix %j', async (name, words) => {
  const { stdout } = await runCapix([...words, '--json'], { cwd: folder });
  const document = JSON.parse(stdout) as { readonly ok: boolean; readonly data: unknown };
  expect(document.ok).toBe(name !== 'failure');
  expectFits(name, name === 'savedCalls' ? document.data : document);
});

it('the document of new is as its schema says', () => {
  expect(created).toMatchObject({ ok: true });
  expectFits('new', created);
});

it('each line of dev is as its schema says', async () => {
  const words = ['dev', '--json', '--no-watch', '--port', '0'];
  const dev = startInBackground([process.execPath, cliEntry, ...words], { cwd: folder });
  const [ready] = await dev.waitFor(/\{"event":"ready".*\}/);
  await dev.stop('SIGINT');
  expectFits('dev', JSON.parse(ready));
});

it('every command with --json has a schema, and every error its code in that of failures', async () => {
  const commands = await readFile(join(packageRoot, 'docs', 'commands.md'), 'utf8');
  const withJson = commands
    .split(/^### /m)
    .filter((section) => section.startsWith('`capix') && section.includes('`--json`'))
    .map((section) => /capix ([\w-]+)/.exec(section)?.[1] ?? '');
  expect(withJson.length).toBeGreaterThan(10);
  expect(Object.keys(schemas.$defs)).toEqual(expect.arrayContaining(withJson));
  const failure = JSON.stringify(schemas.$defs['failure']);
  for (const code of Object.keys(cliErrors)) expect(failure).toContain(`"${code}"`);
});
