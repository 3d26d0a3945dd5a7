import { cap } from '../../context.js';
import { itemSchema, itemStore } from './store.js';

export const createItem = cap(itemSchema.pick({ name: true }), ({ name }) => itemStore.create({ name }))
  .output(itemSchema)
  .describe('Create an item');
