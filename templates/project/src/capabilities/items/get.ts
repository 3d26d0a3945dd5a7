import { cap, NotFound } from '../../context.js';
import { itemSchema, itemStore } from './store.js';

export const getItem = cap(itemSchema.pick({ id: true }), ({ id }) => {
  const item = itemStore.find(id);
  if (!item) throw NotFound(`There is no item ${id}`);
  return item;
})
  .output(itemSchema)
  .errors(NotFound)
  .describe('Get one item');
