import assert from 'node:assert/strict';
import * as z from 'zod';
import { capability } from '../../../server-runtime/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';

const createItem = capability(z.object({ name: z.string().min(1) }), ({ name }) => ({
  id: '1',
  name,
}));

await using api = await testServer({ capabilities: { items: { createItem } } });

const created = await api.fetch('/items', { json: { name: 'Tea' } });
assert.deepEqual(await created.json(), { data: { id: '1', name: 'Tea' } });

const refused = await api.fetch('/items', { json: { name: '' } });
assert.equal(refused.status, 400);
