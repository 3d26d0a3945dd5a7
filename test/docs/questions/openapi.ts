import * as z from 'zod';
import { capability, compileRegistry, generateOpenAPI } from '../../../server-runtime/index.ts';

const Order = z
  .object({ id: z.string(), total: z.number().describe('In euros') })
  .meta({ id: 'Order' });
const getOrder = capability(z.object({ id: z.string() }), ({ id }) => ({ id, total: 12 }))
  .output(Order)
  .describe('Finds an order.');

export const document = generateOpenAPI(compileRegistry({ orders: { getOrder } }), {
  title: 'Shop',
  tags: { orders: 'What was bought' },
  edit: (written) => ({ ...written, 'x-team': 'red' }),
});
