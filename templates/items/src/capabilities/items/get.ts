import { cap, NotFound } from '../../context.ts';
import { itemSchema, itemStore } from './store.ts';

export const getItem = cap(itemSchema.pick({ id: true }), ({ id }) => {
  const item = itemStore.find(id);
  if (!item) throw NotFound(`There is no item ${id}`);
  return item;
})
  .output(itemSchema)
  .errors(NotFound)
  .describe('Get one item');
