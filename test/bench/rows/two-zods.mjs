/** A request that creates something, where the application has a copy of zod of its own, and where it shares that of capix. */
import * as own from 'zod';
import * as shared from '../zod-of-capix.mjs';
import { openCapix, read, repeat } from './servers.mjs';

export const units = 3000;

const open = (z) => {
  const text = z.string().min(1).max(100);
  const Order = z.object({
    customer: text,
    email: z.email(),
    note: z.string().optional(),
    count: z.number().int().min(1).max(100),
    isGift: z.boolean(),
    tags: z.array(text).max(10),
    address: z.object({ street: text, city: text, zip: z.string().regex(/^\d+$/), country: text }),
  });
  return openCapix(({ capability }) => ({
    createOrder: capability(Order, ({ customer }) => ({ id: 'o1', customer })).route(
      'POST',
      '/orders',
    ),
  }));
};

export const peers = { capix: () => open(own), 'one zod': () => open(shared) };

const body = JSON.stringify({
  customer: 'Ada Lovelace',
  email: 'ada@example.com',
  count: 3,
  isGift: true,
  tags: ['new', 'express'],
  address: { street: '12 St James Square', city: 'London', zip: '12345', country: 'GB' },
});
const headers = { 'content-type': 'application/json' };
export const load = (url) =>
  repeat(units, 10, async () => {
    const { status } = await read(`${url}/orders`, { method: 'POST', headers, body });
    if (status !== 200) throw new Error(`It answered ${status}.`);
  });
