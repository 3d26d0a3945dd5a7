import { go, type Prepared, prepare, single } from 'fuzzysort';

export interface FuzzyMatch<Item> {
  readonly item: Item;
  /** 1 is exact, 0 is next to nothing. */
  readonly score: number;
  /** Indexes of the letters that matched, in UTF-16 units of the item's text. */
  readonly matches: readonly number[];
}

export interface FuzzyOptions<Item> {
  /** The text that is searched; short, and of the same object always the same. */
  readonly getText: (item: Item) => string;
}

/** Below it a match is a coincidence of letters. */
const LOWEST_SCORE = 0.35;

/** The items that a query finds, in their own order; an empty query finds all. */
export function filterFuzzily<Item>(
  items: readonly Item[],
  query: string,
  options: FuzzyOptions<Item>,
): readonly FuzzyMatch<Item>[] {
  if (query.trim() === '') return items.map((item) => ({ item, score: 1, matches: [] }));
  return find(items, query, options)
    .toSorted((a, b) => a.index - b.index)
    .map(({ match }) => match);
}

/** The items that a query finds, the best first. */
export function searchFuzzily<Item>(
  items: readonly Item[],
  query: string,
  options: FuzzyOptions<Item>,
): readonly FuzzyMatch<Item>[] {
  if (query.trim() === '') return filterFuzzily(items, query, options);
  return find(items, query, options).map(({ match }) => match);
}

interface Indexed<Item> {
  readonly item: Item;
  readonly index: number;
  readonly text: Prepared;
}

function find<Item>(items: readonly Item[], query: string, { getText }: FuzzyOptions<Item>) {
  const wanted = query.trim();
  const indexed = items.map((item, index): Indexed<Item> => ({ item, index, text: toPrepared(item, getText) }));
  return go(wanted, indexed, { key: 'text', limit: 0, threshold: LOWEST_SCORE }).map((result) => ({
    index: result.obj.index,
    match: {
      item: result.obj.item,
      score: result.score,
      // Worked out for the few that are drawn; the result's own are those of the last search of the same text.
      get matches() {
        return single(wanted, result.obj.text)?.indexes.slice() ?? [];
      },
    },
  }));
}

/** Preparing a text costs more than searching it, and every letter that is typed searches the same items again. */
function toPrepared<Item>(item: Item, getText: (item: Item) => string): Prepared {
  if (typeof item !== 'object' || item === null) return prepare(getText(item));
  let known = prepared.get(item);
  if (known === undefined) {
    known = prepare(getText(item));
    prepared.set(item, known);
  }
  return known;
}

const prepared = new WeakMap<object, Prepared>();
