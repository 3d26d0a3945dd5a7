import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

const shop = `
import { capability, defaultErrors } from 'capix';
import * as z from 'zod';
const { NotFound } = defaultErrors;
const query = z.object({ page: z.int().min(1).max(1000), words: z.array(z.string()).optional(), kind: z.enum(['a', 'b']) });
export const restOptions = {
  overrides: {
    'shop.listBroken': { method: 'GET', path: '/broken' },
    'shop.listOther': { method: 'GET', path: '/other' },
    'shop.getDeclared': { method: 'GET', path: '/declared/:id' },
  },
};
export const capabilities = { shop: {
  listSound: capability(query, ({ page }) => [page]).output(z.array(z.int())),
  listBroken: capability(query, ({ words = [] }) => {
    if (words.length > 1) throw new TypeError('no room for two words');
    return [];
  }),
  listOther: capability(query, ({ page }) => ({ page: page > 10 ? undefined : page }) as { page: number }).output(z.object({ page: z.int() })),
  getMissing: capability(z.object({ id: z.string() }), () => {
    throw NotFound('not here');
  }),
  getDeclared: capability(z.object({ id: z.uuid() }), () => {
    throw NotFound('not here');
  }).errors(NotFound),
  deleteAll: capability(z.object({ id: z.string() }), () => {
    throw new Error('a probe must not change anything');
  }),
} };
`;

interface Probed {
  readonly problems: readonly {
    readonly code: string;
    readonly keys: readonly string[];
    readonly line: number;
    readonly message: string;
    readonly hint: string;
  }[];
  readonly probe: {
    readonly seed: number;
    readonly calls: number;
    readonly probed: readonly string[];
    readonly refused: readonly string[];
    readonly skipped: readonly string[];
  };
}

test('check --probe calls the queries with generated inputs, and tells the smallest that is not answered as declared', async () => {
  const { capix } = await openProject({ 'src/capabilities.ts': shop });
  const { stdout, exitCode } = await capix(['check', '--probe', '--seed', '7', '--json']);
  const { problems, probe } = (JSON.parse(stdout) as { data: Probed }).data;
  expect(problems.map(({ code, keys }) => `${code} ${keys[0]}`)).toEqual([
    'probe-failed shop.listBroken',
    'probe-failed shop.listOther',
    'probe-undeclared shop.getMissing',
  ]);
  const [broken, other] = problems;
  expect(broken?.message).toContain('`shop.listBroken` answers 500 Internal (TypeError: no room for two words)');
  expect(broken?.message).toMatch(/The smallest input: \{.*"words":\["",""\].*\}$/);
  expect(broken?.line).toBe(16);
  expect(broken?.hint).toContain("Try it: capix call shop.listBroken '{");
  expect(other?.message).toMatch(/"page":11\b/);
  // The output is checked by code of capix: the declaration is the place to look at.
  expect(other).toMatchObject({ file: 'src/capabilities.ts', line: 19 });
  expect(probe.skipped).toEqual(['shop.deleteAll']);
  expect(probe.probed).toHaveLength(5);
  expect(probe.calls).toBeGreaterThan(200);
  expect(exitCode).toBe(1);
  const again = await capix(['check', '--probe', '--seed', '7', '--json']);
  expect(again.stdout).toBe(stdout);
  const all = await capix(['check', '--probe-mutations']);
  expect(all.stdout).toContain('a probe must not change anything');
  expect(all.stdout).toMatch(/^probed {3}6 capabilities with \d+ calls, seed \d+$/m);
});

const guarded = `
import { capability, defaultErrors, defineContext, defineGuard } from 'capix';
import * as z from 'zod';
export const context = defineContext(({ headers }) => ({ user: headers.authorization?.replace('Bearer ', '') }));
const mustBeUser = defineGuard(
  (ctx: { user?: string }) => {
    if (!ctx.user) throw defaultErrors.Unauthorized();
  },
  { name: 'mustBeUser', errors: [defaultErrors.Unauthorized], security: { type: 'http', scheme: 'bearer' } },
);
export const orders = {
  listOrders: capability.guard(mustBeUser)(z.object({ page: z.int().min(1).max(1000) }), ({ page }) => {
    if (page > 3) throw new TypeError('no such page');
    return [];
  }),
  countOrders: capability(z.object({}), () => 1, 'query'),
};
`;

test('check --probe gets past guards with headers or a context, and says where it did not', async () => {
  const { capix } = await openProject({ 'src/capabilities.ts': guarded });
  const refused = await capix(['check', '--probe']);
  expect(refused.stdout).toMatch(
    /^probed {3}2 capabilities with \d+ calls, seed \d+\n {2}The guards of orders\.listOrders let no call pass\. Give a credential: -H /m,
  );
  expect(refused.exitCode).toBe(0);
  for (const given of [
    ['-H', 'authorization: Bearer ann'],
    ['--context', '{ "user": "ann" }'],
  ]) {
    const { stdout, exitCode } = await capix(['check', '--probe', '--json', ...given]);
    const { problems, probe } = (JSON.parse(stdout) as { data: Probed }).data;
    expect(problems[0]?.message).toMatch(/`orders\.listOrders` answers 500 .*no such page.*\{"page":4\}$/);
    expect(probe.refused).toEqual([]);
    expect(exitCode).toBe(1);
  }
  const alone = await capix(['check', '-H', 'authorization: Bearer ann']);
  expect([alone.stderr, alone.exitCode]).toEqual([
    expect.stringContaining('option --header: it is for the calls of --probe'),
    2,
  ]);
});
