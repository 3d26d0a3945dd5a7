import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

const mistakes = `
import { capability, defineGuard, uploadedFile, withCache } from 'capix';
import * as z from 'zod';
const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser' });
const mustPay = defineGuard((ctx: { paid?: boolean }) => { if (!ctx.paid) throw new Error(); }, { name: 'mustPay' });
const none = () => 1;
export const users = {
  getLines: capability(z.object({ lines: z.array(z.string()) }), none).route('GET', '/lines/:lines'),
  findUsers: capability(z.object({ picture: uploadedFile(), constructor: z.string() }), none),
  searchUsers: capability(z.string(), none),
  pickUsers: capability(z.object({ at: z.object({ x: z.number() }) }), none).takes({ headers: { at: 'x-at' } }),
  countUsers: capability(z.object({}), () => ({ byName: new Map(), ids: new Set() })).output(
    z.object({ byName: z.map(z.string(), z.int()), ids: z.set(z.string()) }),
  ),
  oldUsers: capability(z.object({}), none, 'query').deprecated({ use: 'users.gone' }),
  makeUsers: capability(z.object({ rows: z.array(z.object({ prototype: z.string() })) }), none, 'query').output(z.object({})).output(z.object({ byName: z.map(z.string(), z.int()) }), { status: 202 }),
  createUser: capability(z.object({}), none).guard(mustBeUser),
  removeUser: capability(z.object({ id: z.string() }), none),
  sendMail: capability(z.object({ to: z.object({ a: z.string() }).meta({ id: 'Address' }) }), none).guard(mustBeUser),
  listLetters: capability(z.object({}), () => []).output(z.array(z.object({ c: z.string() }).meta({ id: 'Letter' }))),
  postLetter: capability(z.object({ letter: z.object({ d: z.string() }).meta({ id: 'Letter' }) }), none).guard(mustBeUser),
  makeBill: capability(z.object({}), none).guard(mustPay).enhance(withCache({ ttlMs: 1000 })),
  findBill: capability(z.object({}), none, 'query').guard(mustPay).enhance(withCache({ ttlMs: 1000 })),
  allBills: capability(z.object({ off: z.number().nullable(), on: z.number().nullish() }), none),
  getBill: capability(z.object({ billId: z.string() }), none).route('GET', '/bills/:bilId'),
  sendLetter: capability(z.object({ to: z.object({ b: z.string() }).meta({ id: 'Address' }) }), none).guard(mustBeUser),
};
export const restOptions = {
  overrides: {
    'users.findUsers': { method: 'GET', path: '/users/find' },
    'users.searchUsers': { method: 'GET', path: '/users/search' },
    'users.pickUser': { method: 'GET', path: '/users/pick' },
    'users.pickUsers': { method: 'GET', path: '/users/{id}' },
  },
};
`;

interface Checked {
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly keys: readonly string[];
    readonly line?: number;
    readonly hint?: string;
  }[];
  readonly ignored: readonly { readonly reason: string }[];
}

test('check finds each mistake, with its rule, its place and what mends it', async () => {
  const { capix } = await openProject({ 'src/capabilities.ts': mistakes });
  const { data } = JSON.parse((await capix(['check', '--json'])).stdout) as { data: Checked };
  const found = data.problems.map(
    ({ code, keys }) => `${code} ${keys.at(-1)?.replace('users.', '')}`,
  );
  expect(found).toEqual(
    expect.arrayContaining([
      'object-in-query getLines',
      'object-in-query pickUsers',
      'file-in-query findUsers',
      'unsendable-field allBills',
      'unsafe-field findUsers',
      'input-not-object searchUsers',
      'lossy-output countUsers',
      'unknown-replacement oldUsers',
      'unsafe-field makeUsers',
      'lossy-output makeUsers',
      'unguarded-mutation removeUser',
      'duplicate-schema-id sendLetter',
      'duplicate-schema-id postLetter',
      'invalid-enhancer makeBill',
      'invalid-enhancer findBill',
      'missing-path-field getBill',
      'unknown-override pickUser',
      'invalid-override pickUsers',
    ]),
  );
  expect(
    data.problems.filter(({ line, hint }) => line === undefined || hint === undefined),
  ).toEqual([]);
  const lineOf = (text: string): number =>
    mistakes.split('\n').findIndex((line) => line.includes(text)) + 1;
  const hintOf = (code: string): string => {
    const { line, hint } = data.problems.find((problem) => problem.code === code) ?? {};
    return `${line} ${hint}`;
  };
  expect(hintOf('unknown-override')).toBe(
    `${lineOf("'users.pickUser':")} Did you mean \`users.pickUsers\`?`,
  );
  expect(hintOf('invalid-override')).toBe(
    `${lineOf("'users.pickUsers':")} A segment is text (percent-encoded: %3F for ?) or one parameter, \`:id\`, or at the end \`*rest\`.`,
  );
  expect(hintOf('missing-path-field')).toBe(
    `${lineOf("'/bills/:bilId'")} Did you mean \`billId\`? The path is then /bills/:billId.`,
  );
  expect(hintOf('invalid-enhancer')).toBe(
    `${lineOf('makeBill')} Remove withCache, or declare the intent \`query\`.`,
  );
});

test('two schemas with one id in one input are told by their places, and a large one that occurs often by its first', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts': `
import { capability } from 'capix';
import * as z from 'zod';
const twoOf = z.object({
  bill: z.object({ to: z.object({ a: z.string() }).meta({ id: 'Dup' }) }),
  lines: z.array(z.object({ b: z.string() }).meta({ id: 'Dup' })),
});
const names = Array.from({ length: 40 }, (_, at) => 'aFieldOfTheParcel' + at);
const Parcel = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
const Letter = z.object({ parcel: Parcel, named: Parcel.meta({ id: 'Named' }) });
export const items = {
  makeItem: capability(twoOf, () => 1),
  sendLetter: capability(z.object({ first: Letter, second: Letter }), () => 1),
  sendParcel: capability(z.object({ parcels: z.array(Parcel), other: Parcel }), () => 1),
};
`,
  });
  const { data } = JSON.parse((await capix(['check', '--json'])).stdout) as { data: Checked };
  const messages = data.problems.map(({ code, message }) => `${code}: ${message}`);
  expect(messages).toEqual(
    expect.arrayContaining([
      'duplicate-schema-id: `bill.to` and `lines[]` in the input of `items.makeItem` have different schemas with the id `Dup`: the document calls one of them `Dup2`.',
      'unnamed-schema: `first.parcel` in the input of `items.sendLetter` is a large schema without an `id`, which the document repeats at 3 more places.',
    ]),
  );
  expect(messages.filter((message) => /schema/.test(message))).toHaveLength(2);
});

const small = (more = ''): string => `
import { capability } from 'capix';
import * as z from 'zod';
export const items = {
  // Webhooks send whatever they like.
  // capix-ignore missing-schema: the sender decides
  takeItem: capability((input) => input),
  ${more}
};
`;

test('an answer that is not declared is told where most are', async () => {
  const declared = (name: string): string =>
    `${name}: capability(z.object({}), () => 1, 'query').output(z.int()),`;
  const { capix, write } = await openProject({ 'src/capabilities.ts': small(declared('one')) });
  expect((await capix(['check', '--strict'])).exitCode).toBe(0);
  await write('src/capabilities.ts', small(declared('one') + declared('two')));
  const { stdout, exitCode } = await capix(['check', '--strict']);
  expect(stdout).toMatch(
    /^warning {2}missing-output {2}src\/capabilities\.ts:7\n {2}`items\.takeItem` does not say/,
  );
  expect(exitCode).toBe(1);
});

test('a capability that no server starts with is told beside the others, and only commands that would run it refuse', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts': `
import { capability, withCache } from 'capix';
export const items = {
  makeItem: capability(() => 1, 'mutation').enhance(withCache({ ttlMs: 1000 })),
  countItems: capability(() => 1, 'query'),
};
`,
  });
  expect((await capix(['list', '--plain'])).stdout).toContain('items.countItems');
  for (const command of ['openapi', 'call items.countItems']) {
    const { stderr, exitCode } = await capix(command.split(' '));
    expect(stderr).toContain('src/capabilities.ts: withCache on `items.makeItem`');
    expect(exitCode).toBe(1);
  }
});

test('a rule is off by a comment with a reason, or by capix.json, and told with it', async () => {
  const { capix, write } = await openProject({
    'src/capabilities.ts': small('putItem: capability((input) => input),'),
  });
  const { stdout, exitCode } = await capix(['check', '--strict']);
  expect(stdout).toMatch(/^warning {2}missing-schema {2}src\/capabilities\.ts:8\n/);
  expect(stdout).toMatch(/ignored {2}missing-schema {2}items\.takeItem\n {2}the sender decides: /);
  expect(exitCode).toBe(1);
  const entry = { rule: 'missing-schema', capability: 'items.put*', reason: 'as above' };
  await write('capix.json', JSON.stringify({ check: { ignore: [entry] } }));
  expect((await capix(['check', '--strict'])).exitCode).toBe(0);
  await write(
    'capix.json',
    JSON.stringify({ check: { rules: { 'missing-schema': 'error', 'no-such': 'off' } } }),
  );
  const judged = await capix(['check']);
  expect(judged.stdout).toMatch(/^error {4}missing-schema/);
  expect(judged.stdout).toContain('There is no rule `no-such`.');
  expect(judged.exitCode).toBe(1);
});

test('check prints annotations for a build on GitHub', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts': small('putItem: capability((input) => input),'),
  });
  expect((await capix(['check', '--format', 'github'])).stdout).toMatch(
    /^::warning file=src\/capabilities\.ts,line=8,title=missing-schema%3A items\.putItem::/,
  );
});

test('--agents looks at the tools too', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts': small(
      `far: capability(z.object({}), () => 1).tool({ name: 'a.b' }),
      good: capability(z.object({}), () => 1).output(z.int()).describe('Says one.'),`,
    ),
  });
  const codes = async (...options: readonly string[]): Promise<readonly string[]> => {
    const { data } = JSON.parse((await capix(['check', '--json', ...options])).stdout) as {
      data: Checked;
    };
    return data.problems.map(({ code, keys }) => `${code} ${keys[0]}`);
  };
  expect(await codes()).toEqual([]);
  const found = await codes('--agents');
  expect(found).toEqual(
    expect.arrayContaining(['tool-without-description items.far', 'tool-without-output items.far']),
  );
  expect(found.filter((each) => each.endsWith('items.good'))).toEqual([]);
});

test('files that commands wrote are told where they are old, and written again by sync', async () => {
  const { root, capix, write } = await openProject({ 'src/capabilities.ts': small() });
  await capix([
    'openapi',
    '--output',
    'api.json',
    '--title',
    'Items',
    '--server',
    'https://api.example.org',
  ]);
  await capix(['openapi', '--output', 'docs/api.yaml']);
  await capix(['client', '--output', 'src/client.ts', '--standalone']);
  await capix(['docs', '--output', 'API.md']);
  await capix(['sync-ai-context']);
  await write(
    'docs/own.json',
    '{ "openapi": "3.1.0", "info": { "title": "by hand" }, "paths": {} }',
  );
  const stale = async (): Promise<readonly unknown[]> => {
    const { data } = JSON.parse((await capix(['check', '--json'])).stdout) as { data: Checked };
    return data.problems.map(({ code, hint }) => `${code} ${hint}`).toSorted();
  };
  expect(await stale()).toEqual([]);
  await write(
    'src/capabilities.ts',
    small(`getItem: capability(z.object({ id: z.string() }), () => 1),
      putItem: capability((input) => input),`),
  );
  expect(await stale()).toEqual([
    expect.stringContaining('missing-schema Add one'),
    ...Array.from(
      { length: 5 },
      () => 'stale-file Run `capix sync`, which writes such files again.',
    ),
  ]);
  await write('API.md', 'Written by hand.\n');
  const { stdout } = await capix(['sync']);
  expect(stdout.trim().split('\n').toSorted()).toEqual(
    ['.capix-context.json', 'api.json', 'docs/api.yaml', 'src/client.ts'].map(
      (file) => `${file} updated`,
    ),
  );
  expect(await stale()).toEqual([expect.stringContaining('missing-schema Add one')]);
  expect((await capix(['sync'])).stdout).toBe('Every written file is up to date\n');
  expect(JSON.parse((await capix(['sync', '--json'])).stdout)).toEqual({
    ok: true,
    data: { files: [] },
  });
  const kept = ['API.md', 'docs/own.json', 'src/client.ts', 'api.json'].map((file) =>
    readFile(join(root, file), 'utf8'),
  );
  const [page, own, client = '', document = ''] = await Promise.all(kept);
  expect([page, own]).toEqual(['Written by hand.\n', expect.stringContaining('by hand')]);
  expect(client).toContain('putItem"');
  expect(client).not.toMatch(/^import /m);
  expect(JSON.parse(document)).toMatchObject({
    info: { title: 'Items' },
    servers: [{ url: 'https://api.example.org' }],
  });
});

test('a stale lock file is a warning', async () => {
  const { capix, write } = await openProject({
    'src/capabilities.ts': small('getItem: capability(z.object({ id: z.string() }), () => 1),'),
  });
  await capix(['lock']);
  expect((await capix(['check', '--strict'])).stdout).not.toContain('stale-lock');
  await write('src/capabilities.ts', small());
  expect((await capix(['check'])).stdout).toContain('warning  stale-lock  capix.lock.json');
});

test('a number that zod coerces is told wherever text is read: a query, a path, a header', async () => {
  const source = `
import { answer, capability, pageOf } from 'capix';
import * as z from 'zod';
const none = () => 1;
const text = z.object({ id: z.coerce.number(), tries: z.coerce.number(), at: z.object({ x: z.coerce.bigint() }).optional() });
const digits = z.string().regex(/^[0-9]+$/);
export const items = {
  getItem: capability(text, none).takes({ headers: { tries: 'x-tries' } }),
  createItem: capability(z.object({ size: z.coerce.number() }), none),
  listItems: capability(z.object({ size: z.number(), of: digits.pipe(z.coerce.number()), on: z.coerce.boolean().optional() }), () => ({ items: [] })).output(pageOf(z.string())),
};
`;
  const { capix } = await openProject({ 'src/capabilities.ts': source });
  const { data } = JSON.parse((await capix(['check', '--json'])).stdout) as { data: Checked };
  const found = data.problems.filter(({ code }) => code === 'coerced-text');
  expect(found.map(({ message }) => message)).toEqual([
    '`items.getItem` reads `id` of its path with `z.coerce.number()`, which takes the empty text for 0 and `0x10` for 16.',
    '`items.getItem` reads `tries` of its header with `z.coerce.number()`, which takes the empty text for 0 and `0x10` for 16.',
    '`items.getItem` reads `at.x` of its query with `z.coerce.bigint()`, which takes the empty text for 0 and `0x10` for 16.',
  ]);
  expect(found[0]?.hint).toBe('Instead: `z.number()`, which reads decimal numbers from text.');
});

test('check names the one query of a group that everybody may call', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts': `
import { capability, defaultErrors, defineGuard, defineMiddleware } from 'capix';
import * as z from 'zod';
const mustBeMember = defineGuard(() => {}, { name: 'mustBeMember' });
const mustBeStaff = defineMiddleware(({ next }) => next(), { name: 'mustBeStaff', errors: [defaultErrors.Forbidden] });
const query = capability(z.object({}), () => 1, 'query').output(z.number());
export const patients = { listPatients: query, countPatients: query.guard(mustBeMember), latest: query.use(mustBeStaff) };
export const books = { listBooks: query, countBooks: query, latest: query.guard(mustBeMember) };
export const news = { listNews: query };
`,
  });
  const { stdout, exitCode } = await capix(['check', '--strict', '--json']);
  const { data } = JSON.parse(stdout) as { data: Checked };
  expect(data.problems.map(({ code, keys }) => [code, ...keys])).toEqual([
    ['unguarded-query', 'patients.listPatients'],
  ]);
  expect(exitCode).toBe(1);
});
