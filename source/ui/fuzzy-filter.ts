import { go, type SnapshotKey, snapshot } from 'fuzzysort';

export interface FuzzyMatch<Item> {
  readonly item: Item;
  /** 1 is exact, 0 is next to nothing. */
  readonly score: number;
  /** Indexes of the letters that matched, in UTF-16 units of the item's text. */
  readonly matches: readonly number[];
}

export interface FuzzyOptions<Item> {
  /** The text that is searched; short, and for the same array always the same. */
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
  readonly text: string;
}

function find<Item>(items: readonly Item[], query: string, { getText }: FuzzyOptions<Item>) {
  return go(query.trim(), toSnapshot(items, getText), { limit: 0, threshold: LOWEST_SCORE }).map((result) => ({
    index: result.obj.index,
    match: {
      item: result.obj.item,
      score: result.score,
      // Worked out for the few that are drawn.
      get matches() {
        return result.indexes;
      },
    },
  }));
}

/** Preparing the texts costs more than searching them, and every letter that is typed searches the same items again. */
function toSnapshot<Item>(items: readonly Item[], getText: (item: Item) => string): SnapshotKey<Indexed<Item>> {
  const known = snapshots.get(items) as SnapshotKey<Indexed<Item>> | undefined;
  if (known !== undefined) return known;
  const indexed = items.map((item, index) => ({ item, index, text: getText(item) }));
  const made = snapshot(indexed, { key: 'text' });
  snapshots.set(items, made);
  return made;
}

const snapshots = new WeakMap<object, unknown>();
