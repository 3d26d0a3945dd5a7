import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  blocks,
  bytes,
  capability,
  defaultErrors,
  defineGuard,
  type GroupTree,
} from '../../../server-runtime/index.ts';
import { askStateless } from '../../helpers/ask-stateless.ts';
import { connectToTools, serveTools } from '../../helpers/connect-to-tools.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
const refuse = defineGuard(() => {
  throw defaultErrors.Unauthorized();
});

const shop = {
  getReadme: capability(() => '# Shop', 'query')
    .describe('About the shop')
    .resource('shop://readme', { mimeType: 'text/markdown' }),
  getLogo: capability(() => png, 'query')
    .output(bytes('image/png'))
    .resource('shop://logo')
    .tool(false),
  getOrder: capability(
    z.object({
      id: z.int().meta({ description: 'Number of the order' }),
      state: z.enum(['open', 'sent', 'old']).optional(),
    }),
    ({ id }) => {
      if (id === 404) throw defaultErrors.NotFound('No order 404');
      return { id };
    },
    'query',
  )
    .resource('shop://orders/{id}', {
      title: 'One order',
      suggest: { id: (typed, given) => [`${typed}1`, given['state'] ?? '7'] },
    })
    .prompt({ name: 'review-order' }),
  greet: capability(z.object({ name: z.string().max(5) }), ({ name }) => `Greet ${name}.`, 'query')
    .describe('Greets')
    .prompt(),
  discuss: capability(
    () => [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: 'Where?' },
    ],
    'query',
  ).prompt(),
  look: capability(
    () => blocks({ bytes: png, mimeType: 'image/png' }, 'Describe it.'),
    'query',
  ).prompt(),
  secret: capability
    .guard(refuse)(() => 'hidden', 'query')
    .resource('shop://secret')
    .prompt(),
};

const connect = () => connectToTools({ capabilities: { shop } });
const blob = Buffer.from(png).toString('base64');

describe('resources', () => {
  it('are listed with their addresses, those with fields as templates', async () => {
    const client = await connect();
    expect((await client.listResources()).resources).toEqual([
      {
        uri: 'shop://readme',
        name: 'shop_getReadme',
        description: 'About the shop',
        mimeType: 'text/markdown',
      },
      { uri: 'shop://logo', name: 'shop_getLogo' },
      { uri: 'shop://secret', name: 'shop_secret' },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([
      { uriTemplate: 'shop://orders/{id}', name: 'shop_getOrder', title: 'One order' },
    ]);
  });

  it.each([
    ['shop://readme', { mimeType: 'text/markdown', text: '# Shop' }],
    ['shop://logo', { mimeType: 'image/png', blob }],
    ['shop://orders/7', { mimeType: 'application/json', text: '{"id":7}' }],
    ['shop://orders/%37', { mimeType: 'application/json', text: '{"id":7}' }],
  ])('are read: %s', async (uri, content) => {
    expect((await (await connect()).readResource({ uri })).contents).toEqual([{ uri, ...content }]);
  });

  it.each([
    ['shop://nothing', "There is no resource 'shop://nothing'."],
    ['shop://orders/404', 'NotFound (404): No order 404'],
    ['shop://orders/x', 'BadRequest (400): Input validation failed'],
    ['shop://secret', 'Unauthorized (401): Unauthorized'],
  ])('say why they cannot be read: %s', async (uri, message) => {
    await expect((await connect()).readResource({ uri })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('prompts', () => {
  it('are listed with the fields of their input as arguments', async () => {
    const { prompts } = await (await connect()).listPrompts();
    expect(prompts.slice(0, 2)).toEqual([
      {
        name: 'review-order',
        arguments: [
          { name: 'id', description: 'Number of the order', required: true },
          { name: 'state', required: false },
        ],
      },
      { name: 'shop_greet', description: 'Greets', arguments: [{ name: 'name', required: true }] },
    ]);
  });

  it.each<[string, Record<string, string>, unknown]>([
    [
      'shop_greet',
      { name: 'Ada' },
      [{ role: 'user', content: { type: 'text', text: 'Greet Ada.' } }],
    ],
    [
      'shop_discuss',
      {},
      [
        { role: 'user', content: { type: 'text', text: 'Look.' } },
        { role: 'assistant', content: { type: 'text', text: 'Where?' } },
      ],
    ],
    [
      'shop_look',
      {},
      [
        { role: 'user', content: { type: 'image', data: blob, mimeType: 'image/png' } },
        { role: 'user', content: { type: 'text', text: 'Describe it.' } },
      ],
    ],
  ])('say what the capability answers: %s', async (name, given, messages) => {
    expect((await (await connect()).getPrompt({ name, arguments: given })).messages).toEqual(
      messages,
    );
  });

  it('refuse unknown names and wrong arguments', async () => {
    const client = await connect();
    await expect(client.getPrompt({ name: 'shop_nothing' })).rejects.toThrow(
      "There is no prompt 'shop_nothing'.",
    );
    await expect(
      client.getPrompt({ name: 'shop_greet', arguments: { name: 'Augusta' } }),
    ).rejects.toThrow('(400)');
    await expect(
      client.getPrompt({ name: 'shop_greet', arguments: { name: 'Ada', nmae: 'x' } }),
    ).rejects.toThrow('There is no such field. Did you mean name?');
  });
});

describe('suggestions', () => {
  it.each([
    [
      'of the application, with what is filled in',
      { name: 'id', value: '4' },
      { state: 'sent' },
      ['41', 'sent'],
    ],
    [
      'of an enum, that begin with what is typed',
      { name: 'state', value: 'O' },
      {},
      ['open', 'old'],
    ],
    ['of any other field are none', { name: 'more', value: '' }, {}, []],
  ])('%s', async (_what, argument, given, values) => {
    const client = await connect();
    for (const ref of [{ type: 'ref/resource', uri: 'shop://orders/{id}' }] as const) {
      const { completion } = await client.complete({
        ref,
        argument,
        context: { arguments: given },
      });
      expect(completion).toEqual({ values, total: values.length, hasMore: false });
    }
  });
});

it('resources and prompts are spoken of in the revision 2026-07-28, also where there are none', async () => {
  const url = await serveTools({ capabilities: { shop } });
  const read = await askStateless(url, {
    method: 'resources/read',
    params: { uri: 'shop://readme' },
  });
  expect(read.result).toMatchObject({ contents: [{ text: '# Shop' }] });
  const plain = await serveTools({ capabilities: { a: { greet: capability(() => 'hello') } } });
  const spoken = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} };
  expect(
    (await askStateless(plain, { method: 'server/discover' })).result?.['capabilities'],
  ).toEqual(spoken);
  expect((await askStateless(plain, { method: 'prompts/list' })).result).toMatchObject({
    prompts: [],
  });
});

it.each<[string, GroupTree, string]>([
  [
    'a resource that changes something',
    { a: capability(() => 1, 'mutation').resource('a://b') },
    '`a.a` is a resource and not a query',
  ],
  [
    'a resource without its field',
    { a: capability(() => 1, 'query').resource('a://{id}') },
    "has no field 'id'",
  ],
  [
    'a prompt that changes something',
    { a: capability(() => 1, 'mutation').prompt() },
    '`a.a` is a prompt and not a query',
  ],
  [
    'two prompts of one name',
    {
      a: capability(() => 1, 'query').prompt({ name: 'x' }),
      b: capability(() => 1, 'query').prompt({ name: 'x' }),
    },
    "are both the prompt 'x'",
  ],
])('the start refuses %s', async (_what, a, message) => {
  await expect(serveTools({ capabilities: { a } })).rejects.toThrow(message);
});
