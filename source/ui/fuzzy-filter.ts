import { type Prepared, prepare, single } from 'fuzzysort';

export interface FuzzyMatch<Item> {
  readonly item: Item;
  /** 1 is exact, 0 is next to nothing. */
  readonly score: number;
  /** Indexes of the letters that matched, in UTF-16 units of the item's text. */
  readonly matches: readonly number[];
}

export interface FuzzyOptions<Item> {
  /** The text that is searched; short, and the same for the same item. */
  readonly getText: (item: Item) => string;
}

/** Below it a match is a coincidence of letters. */
const LOWEST_SCORE = 0.35;

/** The items that a query finds, in their own order; an empty query finds all. */
export function filterFuzzily<Item>(
  items: readonly Item[],
  query: string,
  { getText }: FuzzyOptions<Item>,
): readonly FuzzyMatch<Item>[] {
  const wanted = query.trim();
  if (wanted === '') return items.map((item) => ({ item, score: 1, matches: [] }));
  return items.flatMap((item) => {
    const result = single(wanted, toPrepared(getText(item)));
    return result && result.score >= LOWEST_SCORE ? [{ item, score: result.score, matches: result.indexes }] : [];
  });
}

/** The items that a query finds, the best first. */
export function searchFuzzily<Item>(
  items: readonly Item[],
  query: string,
  options: FuzzyOptions<Item>,
): readonly FuzzyMatch<Item>[] {
  return [...filterFuzzily(items, query, options)].sort((a, b) => b.score - a.score);
}

/** Preparing a text costs more than searching it, and every letter that is typed searches all texts again. */
function toPrepared(text: string): Prepared {
  let prepared = preparedTexts.get(text);
  if (prepared === undefined) {
    if (preparedTexts.size >= MOST_PREPARED) preparedTexts.clear();
    preparedTexts.set(text, (prepared = prepare(text)));
  }
  return prepared;
}

const preparedTexts = new Map<string, Prepared>();
const MOST_PREPARED = 20_000;
