import * as z from 'zod';
import { cap } from '../../context.ts';
import { itemSchema, itemStore } from './store.ts';

export const listItems = cap(z.object({}), () => itemStore.list())
  .output(z.array(itemSchema))
  .describe('List all items');
