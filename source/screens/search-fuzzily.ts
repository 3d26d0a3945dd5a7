import { go } from 'fuzzysort';

/** A match below it is a coincidence of letters. */
const LOWEST_SCORE = 0.35;

/** The items that the letters of a query find in their texts, the best first; an empty query finds all. */
export function searchFuzzily<Item>(
  items: readonly Item[],
  query: string,
  toText: (item: Item) => string,
): readonly Item[] {
  if (query.trim() === '') return items;
  const searched = items.map((item) => ({ item, text: toText(item) }));
  return go(query.trim(), searched, { key: 'text', threshold: LOWEST_SCORE }).map(({ obj }) => obj.item);
}
