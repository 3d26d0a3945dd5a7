import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { type DevDocument, type OpenDevJson, openDevJson } from '../helpers/open-dev.ts';

/** Two groups whose queries answer with what a file of their own exports, and a capability that writes down its calls. */
const shop = {
  'src/capabilities.ts': `
import { getPrice } from './prices.ts';
import { addOrder, getOrder } from './orders.ts';
export const capabilities = { prices: { getPrice }, orders: { addOrder, getOrder } };
`,
  'src/server.ts': `
import { createServer, restTransport } from 'capix';
import { capabilities } from './capabilities.ts';
await createServer({ capabilities, transports: [restTransport()] }).start();
`,
  'src/prices.ts': `
import { capability } from 'capix';
import { price } from './price.ts';
export const getPrice = capability(() => ({ price }));
`,
  'src/price.ts': `export const price = 'first';`,
  'src/orders.ts': `
import { appendFileSync } from 'node:fs';
import { capability } from 'capix';
export const addOrder = capability(() => { appendFileSync('made.txt', 'add '); return { id: 'one' }; });
export const getOrder = capability(() => { appendFileSync('made.txt', 'get '); return { id: 'one' }; });
`,
  'made.txt': '',
  'calls/price.json':
    '{ "call": "prices.getPrice", "expect": { "body": { "data": { "price": "first" } } } }',
  'calls/add.json': '{ "call": "orders.addOrder" }',
  'calls/get.json': '{ "call": "orders.getOrder" }',
  'calls/got.json': '{ "call": "orders.getOrder", "input": { "id": "{{add.id}}" } }',
  'calls/far.json': '{ "call": "prices.getPrice", "environment": "far" }',
};

const waitForCalls = (dev: OpenDevJson): Promise<DevDocument> =>
  dev.waitFor('notice', ({ code }) => code === 'SavedCalls');

const save = (folder: string, text: string): Promise<void> =>
  writeFile(join(folder, 'src/price.ts'), `export const price = '${text}';`);

it('says in JSON which saved call a save has broken, until it is mended; only what the save reaches runs again', async () => {
  const folder = await devProject(shop);
  const dev = openDevJson(folder);
  // The calls of the start, from which it is known what passed: neither what adds an order nor what needs it.
  expect(await waitForCalls(dev)).toMatchObject({ passed: 2, failing: [] });
  await save(folder, 'second');
  const { failing = [] } = await waitForCalls(dev);
  expect(failing).toEqual([
    {
      name: 'price',
      call: 'prices.getPrice',
      problems: ['body.data.price: expected "first", got "second"'],
      savedAt: expect.any(String),
    },
  ]);
  await save(folder, 'first');
  expect(await waitForCalls(dev)).toMatchObject({ passed: 1, failing: [] });
  expect(await readFile(join(folder, 'made.txt'), 'utf8')).toBe('get ');
  expect(dev.stdout()).not.toContain('"event":"request"');
});

it('makes a call that changes something where its file says so, and after it those that need it', async () => {
  const folder = await devProject({
    ...shop,
    'calls/add.json': '{ "call": "orders.addOrder", "onSave": true }',
    'calls/get.json': '{ "call": "orders.getOrder", "onSave": false }',
    'calls/price.json': '{ "call": "prices.getPrice", "input": { "id": "{{add.id}}" } }',
  });
  const dev = openDevJson(folder);
  // `add`, `got` and `price`.
  expect(await waitForCalls(dev)).toMatchObject({ passed: 3 });
  expect(await readFile(join(folder, 'made.txt'), 'utf8')).toBe('add get ');
  await save(folder, 'second');
  expect(await waitForCalls(dev)).toMatchObject({ passed: 1 });
  expect(await readFile(join(folder, 'made.txt'), 'utf8')).toBe('add get add ');
});
