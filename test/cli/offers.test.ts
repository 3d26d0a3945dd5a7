import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

const shop = `
import { capability } from 'capix';
import * as z from 'zod';
const ById = z.object({ id: z.int() });
export const shop = {
  getOrder: capability(ById, ({ id }) => ({ id }), 'query')
    .resource('shop://orders/{id}', { suggest: { id: () => ['7'] } })
    .resource('shop://orders{?id}', { name: 'found' })
    .prompt({ name: 'review-order' }),
  listOrders: capability(z.object({}), () => [], 'query'),
};
`;

test('resources and prompts are told by list, show and ai-context', async () => {
  const { ask } = await openProject({ 'src/capabilities.ts': shop });
  const [list, listed, show, context] = await Promise.all([
    ask(['list']),
    ask(['list', '--json']),
    ask(['show', 'shop.getOrder']),
    ask(['ai-context']),
  ]);
  expect(list.stdout).toMatch(/^ {2}shop\.getOrder .* public {2}resource, prompt$/m);
  expect(list.stdout).toMatch(/^ {2}shop\.listOrders .* public$/m);
  const offers = {
    resources: [
      { uri: 'shop://orders/{id}', name: 'shop_getOrder' },
      { uri: 'shop://orders{?id}', name: 'found' },
    ],
    prompt: 'review-order',
  };
  const { data } = JSON.parse(listed.stdout) as { data: { capabilities: { offers?: object }[] } };
  expect(data.capabilities.map((each) => each.offers)).toEqual([offers, undefined]);
  expect(show.stdout).toContain(
    '  Agents     resource shop://orders/{id}\n             resource shop://orders{?id}\n             prompt review-order\n',
  );
  const { capabilities } = JSON.parse(context.stdout) as { capabilities: { offers?: object }[] };
  expect(capabilities.map((each) => each.offers)).toEqual([offers, undefined]);
});

test('check tells resources and prompts with which a server for agents does not start', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
import { capability } from 'capix';
import * as z from 'zod';
const ById = z.object({ id: z.int() });
export const shop = {
  getOrder: capability(ById, ({ id }) => ({ id }), 'query').resource('shop://orders/{idd}'),
  getItem: capability(ById, ({ id }) => ({ id }), 'query').resource('shop://items/{id}{?page}'),
  payOrder: capability(ById, ({ id }) => ({ id })).resource('shop://paid/{id}'),
  readItem: capability(ById, ({ id }) => ({ id }), 'query').prompt({ name: 'look' }),
  findItem: capability(ById, ({ id }) => ({ id }), 'query').prompt({ name: 'look' }),
};
`,
  });
  const { stdout } = await ask(['check', '--json']);
  const { data } = JSON.parse(stdout) as {
    data: { problems: { code: string; keys: string[]; message: string; hint: string }[] };
  };
  const found = data.problems.filter(({ code }) => code === 'invalid-offer');
  expect(found.map(({ message, hint }) => `${message} ${hint}`)).toEqual([
    "`shop.getOrder` is the resource 'shop://orders/{idd}', and its input has no field 'idd'. No server for agents starts with it.",
    "`shop.getItem` is the resource 'shop://items/{id}{?page}', and its input has no field 'page'. No server for agents starts with it.",
    "`shop.payOrder` is a resource and not a query. Say that it is one: 'query'.",
    "`shop.readItem` and `shop.findItem` are both the prompt 'look'. Give one another name: .prompt({name: '…'}).",
  ]);
});
