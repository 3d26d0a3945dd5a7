import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findLockState, LOCK_FILE, toLockText } from '../../../source/sides/lock-file.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const order = {
  type: 'object',
  description: 'An order.',
  properties: { title: { type: 'string', default: 'none' }, size: { enum: ['s', 'm'] } },
  required: ['title', 'size'],
};

const document = {
  openapi: '3.1.0',
  info: { title: 'shop', version: '1' },
  servers: [{ url: 'https://a.example' }],
  paths: {
    '/orders': { post: { tags: ['orders', 'shop'], summary: 'Orders.', requestBody: order } },
  },
};

it.each([
  ['prose', { ...document, info: { title: 'Shop', version: '2' }, servers: [] }, 'fresh'],
  [
    'the order of lists',
    {
      ...document,
      paths: {
        '/orders': {
          post: {
            summary: 'Places an order.',
            requestBody: {
              ...order,
              description: 'What is ordered.',
              properties: { size: { enum: ['m', 's'] }, title: order.properties.title },
              required: ['size', 'title'],
            },
            tags: ['shop', 'orders'],
          },
        },
      },
    },
    'fresh',
  ],
  [
    'a field called title',
    {
      ...document,
      paths: {
        '/orders': {
          post: { requestBody: { ...order, properties: { size: order.properties.size } } },
        },
      },
    },
    'stale',
  ],
  [
    'an item of a default',
    { ...document, 'x-jobs': { a: { repeat: { input: { default: { title: 'x' } } } } } },
    'stale',
  ],
])('%s', async (_, now, state) => {
  const root = await temporaryFolder();
  expect(findLockState(root, document)).toBe('missing');
  await writeFile(join(root, LOCK_FILE), toLockText(document));
  expect(findLockState(root, document)).toBe('fresh');
  expect(findLockState(root, now)).toBe(state);
});
