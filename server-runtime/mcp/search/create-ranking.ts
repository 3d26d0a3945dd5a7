/** A text that can be found, and how much a word in it counts. */
export interface RankedText {
  readonly text: string;
  readonly weight: number;
}

/** Finds the items that fit a few words, the best first. */
export type Ranking<Item> = (query: string) => readonly Item[];

/** The shortest word whose beginning stands for it: `cust` for `customers`. */
const MIN_PREFIX = 3;

/** Words count more the fewer items have them. A word of the query stands for those that begin with it, at half their weight. */
export function createRanking<Item>(
  items: readonly Item[],
  toTexts: (item: Item) => readonly RankedText[],
): Ranking<Item> {
  /** The weight of each word in the items that have it, by their place. */
  const index = new Map<string, Map<number, number>>();
  for (const [at, item] of items.entries()) {
    for (const { text, weight } of toTexts(item)) {
      for (const word of toWords(text)) {
        const places = index.get(word) ?? new Map<number, number>();
        index.set(word, places.set(at, Math.max(places.get(at) ?? 0, weight)));
      }
    }
  }
  return (query) => {
    const scores = new Map<number, number>();
    for (const word of toWords(query)) {
      for (const [at, score] of scoreWord(word, index, items.length)) scores.set(at, (scores.get(at) ?? 0) + score);
    }
    const best = [...scores].toSorted(([one, score], [other, otherScore]) => otherScore - score || one - other);
    return best.map(([at]) => items[at] as Item);
  };
}

function scoreWord(
  word: string,
  index: ReadonlyMap<string, ReadonlyMap<number, number>>,
  count: number,
): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  const add = (places: ReadonlyMap<number, number>, share: number): void => {
    const rarity = Math.log(1 + count / places.size);
    for (const [at, weight] of places) scores.set(at, Math.max(scores.get(at) ?? 0, weight * rarity * share));
  };
  const exact = index.get(word);
  if (exact !== undefined) add(exact, 1);
  if (word.length < MIN_PREFIX) return scores;
  for (const [other, places] of index) if (other !== word && other.startsWith(word)) add(places, 0.5);
  return scores;
}

/** `users_listUserIds` is `user`, `list`, `user`, `id`. */
function toWords(text: string): readonly string[] {
  const apart = text.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => (/[^s]s$/.test(word) ? word.slice(0, -1) : word));
}
