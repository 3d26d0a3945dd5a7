import * as z from 'zod';

export const itemSchema = z
  .object({
    id: z.string().describe('Given by the store: 1, 2, 3 …'),
    name: z.string().min(1),
  })
  .meta({ id: 'Item' });
export type Item = z.infer<typeof itemSchema>;

const items = new Map<string, Item>();

/** Items in memory, gone when the server stops. Put your database here. */
export const itemStore = {
  find: (id: string): Item | undefined => items.get(id),
  list: (): Item[] => [...items.values()],
  create: ({ name }: Omit<Item, 'id'>): Item => {
    const item = { id: String(items.size + 1), name };
    items.set(item.id, item);
    return item;
  },
};
