import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from 'capix';
import { capabilities } from '../../capabilities.ts';
import { context } from '../../context.ts';

const server = createServer({ context, capabilities });

await test('an item that was created is found by its id and in the list', async () => {
  const item = await server.invoke({ capability: 'items.createItem', input: { name: 'Tea' } });
  assert.deepEqual(item, { id: '1', name: 'Tea' });
  assert.deepEqual(await server.invoke({ capability: 'items.getItem', input: { id: '1' } }), item);
  assert.deepEqual(await server.invoke({ capability: 'items.listItems' }), [item]);
});

await test('an id that nobody has is NotFound', async () => {
  await assert.rejects(server.invoke({ capability: 'items.getItem', input: { id: 'none' } }), {
    name: 'NotFound',
    status: 404,
  });
});
