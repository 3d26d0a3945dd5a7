import { go } from 'fuzzysort';

export interface FuzzyMatch<Item> {
  readonly item: Item;
  /** Indexes of the letters that matched, in UTF-16 units of the item's text. */
  readonly matches: readonly number[];
}

export interface FuzzyOptions<Item> {
  readonly getText: (item: Item) => string;
}

/** A match below it is a coincidence of letters. */
const LOWEST_SCORE = 0.35;

/** The items that the letters of a query find, the best first; an empty query finds all. */
export function searchFuzzily<Item>(
  items: readonly Item[],
  query: string,
  { getText }: FuzzyOptions<Item>,
): readonly FuzzyMatch<Item>[] {
  if (query.trim() === '') return items.map((item) => ({ item, matches: [] }));
  const searched = items.map((item) => ({ item, text: getText(item) }));
  const found = go(query.trim(), searched, { key: 'text', threshold: LOWEST_SCORE });
  return found.map(({ obj, indexes }) => ({ item: obj.item, matches: [...indexes] }));
}

/** The same in the order of the items. */
export function filterFuzzily<Item>(
  items: readonly Item[],
  query: string,
  options: FuzzyOptions<Item>,
): readonly FuzzyMatch<Item>[] {
  const found = new Map(searchFuzzily(items, query, options).map((match) => [match.item, match]));
  return items.flatMap((item) => found.get(item) ?? []);
}
