import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from 'capix';
import { capabilities } from './capabilities.ts';

const server = createServer({ capabilities });

await test('hello greets who is named, and the world where nobody is', async () => {
  const ada = await server.invoke({ capability: 'hello', input: { name: 'Ada' } });
  assert.deepEqual(ada, { greeting: 'Hello, Ada!' });
  assert.deepEqual(await server.invoke({ capability: 'hello' }), { greeting: 'Hello, world!' });
});

await test('an empty name is a BadRequest', async () => {
  await assert.rejects(server.invoke({ capability: 'hello', input: { name: '' } }), {
    name: 'BadRequest',
    status: 400,
  });
});
