import { expect, test } from 'vitest';
import { openFixture, openProject } from '../helpers/fixture-project.ts';

test('show tells route and why, intent, guards, enhancers, place and fields of one capability', async () => {
  const { ask } = await openFixture('shop');
  const { stdout, stderr, exitCode } = await ask(['show', 'items.createItem']);
  expect(stdout).toBe(
    [
      'items.createItem',
      '',
      '  Route      POST /items',
      '  Because    `createItem` starts with `create`.',
      '  Intent     mutation, from the name',
      '  Guards     mustBeUser (401 Unauthorized; http bearer)',
      '  Enhancers  withTimeout (timeoutMs: 5000)',
      '  Errors     400 BadRequest, where the input does not fit',
      '             401 Unauthorized, from mustBeUser',
      '             504 Timeout, from withTimeout',
      '  Source     src/capabilities/items/create.ts:14',
      '',
      'Input',
      '  name   string            required, 1 to 80 characters  Shown in the shop',
      '  price  number            required, more than 0',
      "  kind   'lamp' | 'chair'  default \"lamp\"",
      '  since  date              optional',
      '  tags   object[]          optional',
      '    label   string   required',
      '    weight  integer  optional',
      '  note   string | null     required',
      '',
      'Output',
      '  none declared',
      '',
    ].join('\n'),
  );
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
});

test('show tells description, output, input guards and deprecation where they are declared', async () => {
  const { ask } = await openFixture('shop');
  const item = (await ask(['show', 'items.getItem'])).stdout;
  expect(item).toContain('\n  Gives one item.\n');
  expect(item).toContain('Because    `getItem` starts with `get` and the input has `id`.');
  expect(item).toContain('Guards     public');
  expect(item).toContain('Output\n  id    string  required\n  name  string  required\n');
  const checkout = (await ask(['show', 'carts.checkout'])).stdout;
  expect(checkout).toContain('Intent     mutation, as declared');
  expect(checkout).toContain('             ownCart (sees the input)\n');
  expect(checkout).toContain('Deprecated since 2026-01-01, use items.createItem');
});

test('show lists each error that guards, enhancers and the capability itself declare once, and from where', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability, defaultErrors, defineError, defineGuard, defineInputGuard, defineMiddleware } from 'capix';
      const Gone = defineError(410, 'Gone');
      const { Unauthorized, Forbidden } = defaultErrors;
      const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser', errors: [Unauthorized, Forbidden] });
      const mustOwn = defineInputGuard(() => {}, { name: 'mustOwn', errors: [Forbidden] });
      const strict = defineMiddleware(({ next }) => next(), { name: 'strict', errors: [Gone] });
      export const items = {
        drop: capability(() => 1).guard(mustBeUser).inputGuard(mustOwn).enhance(strict).errors(defaultErrors.NotFound, Gone),
        list: capability(() => 1),
      };
    `,
  });
  expect((await ask(['show', 'items.drop'])).stdout).toContain(
    [
      '  Errors     401 Unauthorized, from mustBeUser',
      '             403 Forbidden, from mustBeUser, mustOwn',
      '             410 Gone, from strict',
      '             404 NotFound',
      '',
    ].join('\n'),
  );
  expect((await ask(['show', 'items.list'])).stdout).not.toContain('Errors');
  const { data } = JSON.parse((await ask(['show', 'items.drop', '--json'])).stdout) as {
    data: object;
  };
  expect(data).toMatchObject({
    errors: [
      { name: 'NotFound', status: 404 },
      { name: 'Gone', status: 410 },
    ],
    enhancers: [{ name: 'strict', errors: [{ name: 'Gone', status: 410 }] }],
  });
});

test('show says so where no schema is declared', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      export const items = { list: capability(() => []) };
    `,
  });
  expect((await ask(['show', 'items.list'])).stdout).toContain(
    'Input\n  none declared: the handler gets the fields as they arrive\n',
  );
});

const types: readonly [string, string][] = [
  ['z.string()', 'string  required'],
  ['z.email()', 'string (email)  required'],
  ['z.string().length(3)', 'string  required, exactly 3 characters'],
  ['z.string().min(1)', 'string  required, at least 1 character'],
  ['z.string().regex(/^a/)', 'string  required, matches /^a/'],
  ['z.int()', 'integer  required'],
  ['z.number().min(0).max(5)', 'number  required, 0 to 5'],
  ['z.number().multipleOf(5)', 'number  required, a multiple of 5'],
  ['z.boolean().default(true)', 'boolean  default true'],
  ["z.literal('a')", "'a'  required"],
  ["z.enum(['a', 'b']).optional()", "'a' | 'b'  optional"],
  ['z.union([z.string(), z.number()])', 'string | number  required'],
  ['z.string().nullable()', 'string | null  required'],
  ['z.array(z.string()).max(2)', 'string[]  required, at most 2 items'],
  ["z.array(z.enum(['a', 'b']))", "('a' | 'b')[]  required"],
  ['z.tuple([z.string(), z.number()])', '[string, number]  required'],
  ['z.record(z.string(), z.number())', 'record of number  required'],
  [
    "z.discriminatedUnion('by', [z.object({ by: z.literal('card'), number: z.string() }), z.object({ by: z.literal('cash'), tip: z.number().optional() })])",
    "{ by: 'card', number } | { by: 'cash', tip? }  required",
  ],
  ['z.object({ name: z.string() }).nullable()', 'object | null  required'],
  ['z.object({ get child() { return node.optional(); } })', 'object  required'],
  ['z.enum(["it\'s", "b"])', `"it's" | 'b'  required`],
  ['z.date()', 'date  required'],
  ['z.bigint()', 'bigint  required'],
  ["z.custom((value) => typeof value === 'symbol')", 'any  required'],
  ['z.coerce.number()', 'number  required'],
  ['z.coerce.date()', 'date  required'],
  ['z.coerce.boolean()', 'boolean  required'],
  ['z.custom((file) => file.size < 1000)', 'file  required'],
  ['z.array(z.file()).optional()', 'file[]  optional'],
  ['z.any()', 'any  required'],
  ['z.string().transform((text) => text.length)', 'string  required'],
  ["z.string().describe('Two\\nlines')", 'string  required  Two lines'],
];

test('every kind of field has a readable type', async () => {
  const fields = types.map(([schema], index) => `f${index}: z.object({ field: ${schema} })`);
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      import * as z from 'zod';
      const node = z.object({ get next() { return node.optional(); } });
      export const all = { types: capability(z.object({ ${fields.join(', ')} }), () => 1) };
    `,
  });
  const { stdout } = await ask(['show', 'all.types']);
  const shown = stdout.split('\n').filter((line) => line.startsWith('    field  '));
  expect(shown).toEqual(types.map(([, text]) => `    field  ${text}`));
});

test('show --json gives the whole of a capability with JSON Schema', async () => {
  const { ask } = await openFixture('shop');
  const { data } = JSON.parse((await ask(['show', 'items.createItem', '--json'])).stdout) as {
    data: object;
  };
  expect(data).toMatchObject({
    key: 'items.createItem',
    groups: ['items'],
    name: 'createItem',
    intent: 'mutation',
    method: 'POST',
    path: '/items',
    rule: { id: 'create', prefix: 'create' },
    guards: [
      {
        name: 'mustBeUser',
        errors: [{ name: 'Unauthorized', status: 401 }],
        security: [{ type: 'http', scheme: 'bearer' }],
      },
    ],
    enhancers: [{ name: 'withTimeout', settings: { timeoutMs: 5000 } }],
    timeoutMs: 5000,
    input: { json: { type: 'object', required: ['name', 'price', 'note'] } },
    source: { file: 'src/capabilities/items/create.ts', line: 14 },
  });
});

test.each([
  ['items.getItm', 'Did you mean `items.getItem`?'],
  ['getItem', 'Did you mean `items.getItem`?'],
  ['nothing.alike', '`capix list` shows them all.'],
])('the unknown key %s is wrong usage', async (key, hint) => {
  const { ask } = await openFixture('shop');
  expect(await ask(['show', key])).toEqual({
    stdout: '',
    stderr: `error: No capability \`${key}\`.\n${hint}\n`,
    exitCode: 2,
  });
});

test('without a key show is wrong usage', async () => {
  const { ask } = await openFixture('shop');
  expect(await ask(['show'])).toEqual({
    stdout: '',
    stderr:
      "error: missing required argument 'capability'\nFor example `capix show items.getItem`.\n",
    exitCode: 2,
  });
});

test('the key of a group is no capability, but says which there are', async () => {
  const { ask } = await openFixture('shop');
  expect(await ask(['show', 'items'])).toEqual({
    stdout: '',
    stderr:
      'error: No capability `items`: it is a group.\nIt has `items.getItem`, `items.listItems` and `items.createItem`.\n',
    exitCode: 2,
  });
  const { stdout, exitCode } = await ask(['show', 'carts', '--json']);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    error: {
      code: 'UnknownCapability',
      message: 'No capability `carts`: it is a group.',
      hint: 'It has `carts.checkout`.',
    },
  });
});

test('of a large group show names the first, of a group in a group those inside', async () => {
  const many = Array.from({ length: 12 }, (_, index) => `get${index}: capability(() => 1)`).join(
    ', ',
  );
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      export const shop = { things: { ${many} } };
    `,
  });
  expect((await ask(['show', 'shop'])).stderr).toMatch(
    /`shop\.things\.get0`, .*`shop\.things\.get7` and 4 more, which `capix list` shows\.\n$/,
  );
});

test('escape sequences in a description or a route do not reach the terminal', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      import * as z from 'zod';
      const input = z.object({ id: z.string().describe('\\u001B[31mred') });
      export const items = { getItem: capability(input, () => 1).describe('\\u001B]0;title\\u0007Gives') };
    `,
  });
  const { stdout } = await ask(['show', 'items.getItem']);
  expect(stdout).toContain('  Gives\n');
  expect(stdout).toContain('required  red\n');
  expect(stdout).not.toContain('\u001B');
});

test('show tells the longest body where a capability has a limit of its own', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      import * as z from 'zod';
      const createText = capability(z.object({ text: z.string() }), () => null).takes({ maxBodySize: 20 });
      export const capabilities = { texts: { createText } };
    `,
  });
  expect((await ask(['show', 'texts.createText'])).stdout).toContain(
    'Takes      a body of at most 20 bytes',
  );
  const { stdout } = await ask(['show', 'texts.createText', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ data: { maxBodySize: 20 } });
});
