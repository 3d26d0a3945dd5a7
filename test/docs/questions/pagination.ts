import * as z from 'zod';
import { capability, pageOf } from '../../../server-runtime/index.ts';

const Item = z.object({ id: z.string(), name: z.string() });
const items = Array.from({ length: 45 }, (_, index) => ({
  id: `${index + 100}`,
  name: `Item ${index}`,
}));

export const listItems = capability.output(pageOf(Item))(({ cursor = '', limit = 20 }) => {
  // In SQL: where id > $1 order by id limit $2
  const page = items.filter(({ id }) => id > cursor).slice(0, limit);
  return { items: page, nextCursor: page.length < limit ? null : page.at(-1)?.id };
}, 'query');
