import { go, type KeyResult, type Prepared, prepare, single } from 'fuzzysort';

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
  /** Whether they are sentences: letters that stand together are found wherever they are. @default false */
  readonly isProse?: boolean;
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
    .toSorted((a, b) => a.obj.index - b.obj.index)
    .map((result) => new Found(result, query));
}

/** The items that a query finds, the best first. */
export function searchFuzzily<Item>(
  items: readonly Item[],
  query: string,
  options: FuzzyOptions<Item>,
): readonly FuzzyMatch<Item>[] {
  if (query.trim() === '') return filterFuzzily(items, query, options);
  return find(items, query, options).map((result) => new Found(result, query));
}

interface Searched<Item> {
  readonly item: Item;
  readonly index: number;
  readonly text: Prepared;
}

function find<Item>(items: readonly Item[], query: string, { getText, isProse = false }: FuzzyOptions<Item>) {
  const searched = toSearched(items, getText);
  const found = go(query.trim(), searched, { key: 'text', limit: 0, threshold: isProse ? 0 : LOWEST_SCORE });
  return isProse ? found.filter(({ obj, score }) => isFound(obj.text.target, query, score)) : found;
}

/** The same for the same items: each letter that is typed searches them. */
function toSearched<Item>(items: readonly Item[], getText: (item: Item) => string): readonly Searched<Item>[] {
  let known = searchedItems.get(items) as readonly Searched<Item>[] | undefined;
  if (known === undefined) {
    known = items.map((item, index): Searched<Item> => ({ item, index, text: toPrepared(item, getText) }));
    searchedItems.set(items, known);
  }
  return known;
}

const searchedItems = new WeakMap<readonly unknown[], readonly Searched<unknown>[]>();

/** Indexes of the letters of a line that a query finds, in UTF-16 units; none where they are a coincidence. */
export function findMatches(text: string, query: string): readonly number[] {
  const result = query.trim() === '' ? null : single(query.trim(), text);
  return result !== null && isFound(text, query, result.score) ? result.indexes : [];
}

/** In a long text letters score low that stand together, too. */
function isFound(text: string, query: string, score: number): boolean {
  return score >= LOWEST_SCORE || text.toLowerCase().includes(query.trim().toLowerCase());
}

/** A letter finds thousands, of which a screen draws a few: what only those need is worked out when it is asked for. */
class Found<Item> implements FuzzyMatch<Item> {
  readonly item: Item;
  readonly score: number;
  readonly #query: string;
  readonly #text: Prepared;

  constructor({ obj, score }: KeyResult<Searched<Item>>, query: string) {
    this.item = obj.item;
    this.score = score;
    this.#query = query;
    this.#text = obj.text;
  }

  /** The matches of a search of its own: those of the result are the last search's of the same text. */
  get matches(): readonly number[] {
    return single(this.#query.trim(), this.#text)?.indexes.slice() ?? [];
  }
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
