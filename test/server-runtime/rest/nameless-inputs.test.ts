import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  generateOpenAPI,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const Order = z.object({ id: z.string() });

/** Inputs without a name for what is sent, by the type that no request can carry. */
const refused = {
  'a list': [z.array(z.string()), 'array'],
  'a tuple': [z.tuple([z.string(), z.number()]), 'array'],
  'an object or a list': [z.union([Order, z.array(Order)]), 'array'],
  'a list or null': [z.array(z.string()).nullable(), 'array'],
  'anything that JSON says': [z.json(), 'array'],
  'a text': [z.string(), 'string'],
  'a number or a text': [z.union([z.number(), z.string()]), 'number'],
  'one word': [z.literal('a'), 'string'],
  'a list of valibot': [v.array(v.string()), 'array'],
  'a list of arktype': [type('string[]'), 'array'],
} as const;

const taken = {
  'an object': Order,
  'an object or nothing': Order.optional(),
  'one of two objects': z.union([Order, z.object({ name: z.string() })]),
  'a record': z.record(z.string(), z.any()),
  'any value': z.any(),
  'what a function makes of it': z.preprocess((sent) => [sent], z.array(Order)),
  'an object with a list': z.object({ events: z.array(Order) }),
  'an object or a text': z.union([Order, z.string()]),
};

describe('an input without a name', () => {
  it.each(Object.entries(refused))('that is %s is refused at start', async (_, [schema, kind]) => {
    const sort = capability(schema as z.ZodType, () => null, 'mutation');
    const says =
      `\`things.sort\` takes a \`${kind}\` as its input, but input is always an object: nobody can send it. Give it a ` +
      "name: z.object({ value: … }), with .takes({ body: 'value' }) where it is the whole body.";
    await expect(startOverSocket({ capabilities: { things: { sort } } })).rejects.toThrow(says);
    const server = createServer({ capabilities: { things: { sort } } });
    await expect(toFetchHandler(server)(new Request('http://a/things/sort'))).rejects.toThrow(says);
  });

  it.each(Object.entries(taken))('is taken where it is %s', async (_, schema) => {
    const sort = capability(schema as z.ZodType, () => null, 'mutation');
    const { request } = await startOverSocket({ capabilities: { things: { sort } } });
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: '{"id":"7","events":[]}' };
    expect((await request('/things/sort', sent)).status).toBe(200);
  });

  it('is taken as a whole body by its name', async () => {
    const sort = capability(z.object({ value: z.array(z.string()) }), ({ value }) => value).takes({
      body: 'value',
    });
    const { request } = await startOverSocket({ capabilities: { things: { sort } } });
    const headers = { 'content-type': 'application/json' };
    const answer = await request('/things/sort', { method: 'POST', headers, body: '["a"]' });
    expect(await answer.json()).toEqual({ data: ['a'] });
    const { paths } = generateOpenAPI({ things: { sort } });
    expect(paths['/things/sort']?.['post']?.requestBody?.content).toMatchObject({
      'application/json': { schema: { type: 'array' } },
    });
  });
});
