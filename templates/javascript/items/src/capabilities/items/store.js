import * as z from 'zod';

export const itemSchema = z
  .object({
    id: z.string().describe('Given by the store: 1, 2, 3 …'),
    name: z.string().min(1),
  })
  .meta({ id: 'Item' });
/** @typedef {z.infer<typeof itemSchema>} Item */

/** @type {Map<string, Item>} */
const items = new Map();

/** Items in memory, gone when the server stops. Put your database here. */
export const itemStore = {
  /** @param {string} id */
  find: (id) => items.get(id),
  list: () => [...items.values()],
  /** @param {Omit<Item, 'id'>} item */
  create: ({ name }) => {
    const item = { id: String(items.size + 1), name };
    items.set(item.id, item);
    return item;
  },
};
