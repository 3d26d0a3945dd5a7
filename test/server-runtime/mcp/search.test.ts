import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, defaultErrors, defineGuard, type GroupTree } from '../../../server-runtime/index.ts';
import type { McpOptions } from '../../../server-runtime/mcp/index.ts';
import { createRanking } from '../../../server-runtime/mcp/search/create-ranking.ts';
import { connectToUrl, serveTools } from '../../helpers/connect-to-tools.ts';

async function connect(capabilities: GroupTree, options: McpOptions = {}) {
  const client = await connectToUrl(await serveTools({ capabilities }, options));
  const call = async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
    const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: { ...args } });
    return { text: (content as readonly { readonly text: string }[])[0]?.text ?? '', isError, structuredContent };
  };
  return { client, call };
}

const nouns = [
  'order',
  'invoice',
  'customer',
  'product',
  'shipment',
  'refund',
  'warehouse',
  'supplier',
  'coupon',
  'review',
];
const verbs = ['list', 'get', 'create', 'update', 'delete', 'export', 'archive', 'restore', 'count', 'share'];

/** As many capabilities in groups of ten, as long in words as those of real projects. */
function manyCapabilities(count: number): GroupTree {
  const groups: Record<string, Record<string, ReturnType<typeof toCapability>>> = {};
  for (let at = 0; at < count; at++) {
    const noun = `${nouns[Math.floor(at / 10) % nouns.length]}${at < 100 ? '' : Math.floor(at / 100)}`;
    const verb = verbs[at % verbs.length] ?? '';
    (groups[`${noun}s`] ??= {})[`${verb}${noun[0]?.toUpperCase()}${noun.slice(1)}`] = toCapability(verb, noun);
  }
  return groups;
}

function toCapability(verb: string, noun: string) {
  const input = z.object({ id: z.string(), since: z.iso.datetime(), day: z.iso.date(), email: z.email() });
  return capability(input, ({ id }) => ({ verb, noun, id })).describe(
    `${verb} one ${noun} of the shop, with all that belongs to it.`,
  );
}

const shop = {
  orders: {
    refundOrder: capability(z.object({ orderId: z.string(), reason: z.enum(['late', 'broken']) }), ({ orderId }) => ({
      refunded: orderId,
    })).describe('Give the money of an order back'),
    listOrders: capability(z.object({}), () => [], 'query').describe('List orders, newest first'),
  },
  users: { getUser: capability(z.object({ id: z.string() }), ({ id }) => ({ id }), 'query').describe('Get one user') },
} satisfies GroupTree;

describe('the list of tools', () => {
  it.each([200, 1000])('takes less than 2,000 tokens of four characters for %i capabilities', async (count) => {
    const { client } = await connect(manyCapabilities(count));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['find_tools', 'describe_tools', 'call_tool']);
    expect(JSON.stringify(tools).length / 4).toBeLessThan(2000);
  });

  it.each<readonly [string, McpOptions, number]>([
    ['128 capabilities are all listed', {}, 128],
    ['with search: never all are, however many', { search: 'never' }, 200],
  ])('%s', async (_name, options, count) => {
    const { client } = await connect(manyCapabilities(count), options);
    expect((await client.listTools()).tools).toHaveLength(count);
  });

  it('is the three with search: always', async () => {
    const { client } = await connect(shop, { search: 'always' });
    const [find] = (await client.listTools()).tools;
    expect(find?.description).toContain(
      'among 3: names with one line each, the best first. Groups: orders (2), users (1).',
    );
  });
});

describe('an agent that searches', () => {
  it('finds a tool by what it is to do, is told what it takes, and calls it', async () => {
    const { call } = await connect(shop, { search: 'always' });
    const found = await call('find_tools', { query: 'refund the money of an order' });
    expect(found.text.split('\n')).toEqual([
      'orders_refundOrder: Give the money of an order back',
      'orders_listOrders: List orders, newest first',
    ]);
    const { text } = await call('describe_tools', { names: ['orders_refundOrder'] });
    expect(JSON.parse(text)).toMatchObject([
      { name: 'orders_refundOrder', inputSchema: { required: ['orderId', 'reason'] }, annotations: {} },
    ]);
    const input = { orderId: '7', reason: 'late' };
    const called = await call('call_tool', { name: 'orders_refundOrder', input });
    expect(called).toMatchObject({ isError: false, structuredContent: { data: { refunded: '7' } } });
    // One whose name is known already is called as ever.
    expect((await call('orders_refundOrder', input)).structuredContent).toEqual({ data: { refunded: '7' } });
  });

  it.each<readonly [string, string, Readonly<Record<string, unknown>>, string]>([
    ['a search without words', 'find_tools', {}, 'query: say in a few words what the tool is to do.'],
    [
      'words that nothing fits',
      'find_tools',
      { query: 'weather' },
      'No tool fits "weather". Use other words; the groups are orders (2), users (1).',
    ],
    [
      'a name that is none',
      'describe_tools',
      { names: ['users_getUsr'] },
      "There is no tool 'users_getUsr'. Did you mean 'users_getUser'?",
    ],
    [
      'names that are none',
      'describe_tools',
      { names: 'users_getUser' },
      'names: give the names of 1 to 10 tools as a list.',
    ],
    [
      'a call of nothing',
      'call_tool',
      { name: 'users_getUsr' },
      "There is no tool 'users_getUsr'. Did you mean 'users_getUser'?",
    ],
    [
      'an input that is none',
      'call_tool',
      { name: 'users_getUser', input: '7' },
      'input: give an object, as users_getUser takes it.',
    ],
    [
      'an input that does not fit',
      'call_tool',
      { name: 'users_getUser', input: {} },
      '- id: Invalid input: expected string, received undefined',
    ],
  ])('is told how to go on after %s', async (_name, tool, args, told) => {
    const { call } = await connect(shop, { search: 'always' });
    expect((await call(tool, args)).text).toContain(told);
  });

  it('finds and is told of those tools alone whose guards let it pass', async () => {
    const mustBeAdmin = defineGuard(() => {
      throw defaultErrors.Forbidden();
    });
    const secret = capability
      .guard(mustBeAdmin)(() => 1, 'query')
      .describe('Read the secret of an order');
    const { call } = await connect({ ...shop, secrets: { secret } }, { search: 'always', hidesRefused: true });
    expect((await call('find_tools', { query: 'secret order' })).text).not.toContain('secret');
    expect((await call('describe_tools', { names: ['secrets_secret'] })).isError).toBe(true);
    const unknown = "There is no tool 'secret'. find_tools finds their names.";
    expect((await call('call_tool', { name: 'secret' })).text).toBe(unknown);
  });
});

it('a word counts more the fewer have it, in a name more than in a description, whole more than as a beginning', () => {
  const items = ['listCustomers', 'listOrders', 'listInvoices about customers', 'customize'];
  const rank = createRanking(items, (item) => {
    const [name = '', ...words] = item.split(' ');
    return [
      { text: name, weight: 3 },
      { text: words.join(' '), weight: 1 },
    ];
  });
  expect(rank('list the customers')).toEqual(['listCustomers', 'listInvoices about customers', 'listOrders']);
  expect(rank('custom')).toEqual(['customize', 'listCustomers', 'listInvoices about customers']);
  expect(rank('  ')).toEqual([]);
});
