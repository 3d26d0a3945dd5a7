import * as z from 'zod';
import { cap } from '../../context.js';
import { itemSchema, itemStore } from './store.js';

export const listItems = cap(z.object({}), () => itemStore.list())
  .output(z.array(itemSchema))
  .describe('List all items');
