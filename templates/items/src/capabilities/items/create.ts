import { cap } from '../../context.ts';
import { itemSchema, itemStore } from './store.ts';

export const createItem = cap(itemSchema.pick({ name: true }), ({ name }) => itemStore.create({ name }))
  .output(itemSchema)
  .describe('Create an item');
